import type { ReactNode } from "react";
import type { Toast as ToastMessage } from "#app/server/flash.ts";
import { usePageFacts } from "./document.tsx";
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

/** An error page: what went wrong and what to do. */
export function Failure({ title, text }: { title: string; text: string }) {
  const { reference } = usePageFacts();
  return (
    <PublicLayout>
      <h1>{title}</h1>
      <p>{text}</p>
      {reference && (
        <p>
          If it happens again, tell us this reference: <code>{reference}</code>
        </p>
      )}
      <p>
        <a href="/">Go to Hours Tracker</a>
      </p>
    </PublicLayout>
  );
}
