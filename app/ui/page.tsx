import type { ReactNode } from "react";
import { Mark } from "./icons.tsx";
import { Toast } from "./toast.tsx";

/** A page for anybody: the product's name, and one thing to read or do. */
export function Plain({ children }: { children: ReactNode }) {
  return (
    <>
      <Toast />
      <header className="brand">
        <Mark />
        Hours Tracker
      </header>
      <main className="narrow">{children}</main>
    </>
  );
}

interface Tab {
  href: string;
  label: string;
}

interface ShellProps {
  email: string;
  tabs: Tab[];
  /** The path of the tab that the page belongs to. */
  current: string;
  /** A dialog in front of the page: while it is there, nothing behind it can be reached. */
  dialog?: ReactNode;
  children: ReactNode;
}

/** A signed-in person's page: header with the e-mail address, Logout and the tabs, and the page below. */
export function Shell({ email, tabs, current, dialog, children }: ShellProps) {
  // React 18 does not know `inert`; an empty string is how HTML says true.
  const behind = dialog ? { inert: "" } : {};
  return (
    <>
      <Toast />
      <div {...behind}>
        <header className="top">
          <p className="brand">
            <Mark />
            Hours Tracker
          </p>
          <p className="who">{email}</p>
          <form method="post" action="/logout">
            <button type="submit" className="quiet">
              Logout
            </button>
          </form>
          <nav aria-label="Sections">
            {tabs.map(({ href, label }) => (
              <a key={href} href={href} aria-current={href === current ? "page" : undefined}>
                {label}
              </a>
            ))}
          </nav>
        </header>
        <main>{children}</main>
      </div>
      {dialog}
    </>
  );
}
