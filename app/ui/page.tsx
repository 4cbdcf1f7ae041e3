import type { ReactNode } from "react";
import type { Toast as ToastMessage } from "#app/server/flash.ts";
import { Mark } from "./icons.tsx";
import { Toast } from "./toast.tsx";

interface PublicLayoutProps {
  toast?: ToastMessage | null | undefined;
  /** As wide as the screen allows, not one column. */
  wide?: boolean;
  children: ReactNode;
}

/** The layout of public pages: the product's name and one section. */
export function PublicLayout({ toast, wide = false, children }: PublicLayoutProps) {
  return (
    <>
      <Toast toast={toast} />
      <header className="top">
        <div className="brand">
          <Mark />
          Hours Tracker
        </div>
      </header>
      <main className={wide ? undefined : "narrow"}>{children}</main>
    </>
  );
}
