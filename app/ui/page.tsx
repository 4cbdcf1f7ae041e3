import type { ReactNode } from "react";
import type { Toast as ToastMessage } from "#app/server/flash.ts";
import { Mark } from "./icons.tsx";
import { Toast } from "./toast.tsx";

/** The layout of public pages: the product's name and one section. */
export function PublicLayout({ toast, children }: { toast?: ToastMessage | null | undefined; children: ReactNode }) {
  return (
    <>
      <Toast toast={toast} />
      <header className="top">
        <div className="brand">
          <Mark />
          Hours Tracker
        </div>
      </header>
      <main className="narrow">{children}</main>
    </>
  );
}
