import type { ReactNode } from "react";
import type { Toast as ToastMessage } from "#app/server/flash.ts";
import { Mark } from "./icons.tsx";
import { Toast } from "./toast.tsx";

/** A page for anybody: the product's name, and one thing to read or do. */
export function PublicLayout({ toast, children }: { toast?: ToastMessage | null | undefined; children: ReactNode }) {
  return (
    <>
      <Toast toast={toast} />
      <header className="brand">
        <Mark />
        Hours Tracker
      </header>
      <main className="narrow">{children}</main>
    </>
  );
}
