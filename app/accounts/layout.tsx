import { createContext, Fragment, type ReactNode, useContext } from "react";
import type { Toast as ToastMessage } from "#app/server/flash.ts";
import { Down, Mark, Toast, Warnings } from "#app/ui/page.tsx";
import type { User } from "./user.ts";

/** The sections. `admin` marks those for admins only. */
const TABS = [
  { href: "/profile", label: "OJT Hours", admin: false },
  { href: "/rope-hours", label: "Rope Hours", admin: false },
  { href: "/requests", label: "Requests", admin: false },
  { href: "/progress", label: "Progress", admin: false },
  { href: "/admin", label: "Admin", admin: true },
];

interface SignedInLayoutProps {
  /** The path of the tab that the page belongs to. */
  current: string;
  toast?: ToastMessage | null | undefined;
  /** Where it is said what was just done: in a toast, at the top of the page, where it stays, or by the page itself. */
  says?: "toast" | "top" | "itself";
  /** A dialog in front of the page, which is inert behind it. */
  dialog?: ReactNode;
  children?: ReactNode;
}

/**
 * The layout of signed-in pages: a header with the account and the tabs, and the page below. On a phone the account is
 * a menu, on a wide screen the e-mail address and Logout are in the open (spec section 2). Both are in the document
 * where they are seen: keyboard focus follows the order of the elements.
 */
export function SignedInLayout({ current, toast, says = "toast", dialog, children }: SignedInLayoutProps) {
  const { user } = useAuth();
  const isAccount = current === "/account";
  // React 18 does not know `inert`; in HTML an empty string means true.
  const inert = dialog ? { inert: "" } : {};
  return (
    <>
      {says === "toast" && <Toast toast={toast} />}
      <div {...inert}>
        <header className="top">
          <p className="brand">
            <Mark />
            Hours Tracker
          </p>
          <details className="menu">
            <summary>
              Account <Down />
            </summary>
            <div>
              <p>{user?.email}</p>
              <a href="/account">Account</a>
              <a href="/supervisors">Supervisors</a>
              <LogoutForm userId={user?.id} />
            </div>
          </details>
          <nav aria-label="Sections">
            {TABS.filter(({ admin }) => !admin || user?.isAdmin).map(({ href, label }) => (
              <Fragment key={href}>
                <a href={href} aria-current={href === current ? "page" : undefined}>
                  {label}
                </a>{" "}
              </Fragment>
            ))}
          </nav>
          <div className="who">
            <a href="/account" aria-label={`Account ${user?.email}`} aria-current={isAccount ? "page" : undefined}>
              {user?.email}
            </a>
            <LogoutForm userId={user?.id} />
          </div>
        </header>
        <main>
          {says === "top" && <Toast toast={toast} isInFlow />}
          <Warnings />
          {children}
        </main>
      </div>
      {dialog}
    </>
  );
}

function LogoutForm({ userId }: { userId: number | undefined }) {
  return (
    <form method="post" action="/logout">
      <button type="submit" name="user" value={userId} className="quiet">
        Logout
      </button>
    </form>
  );
}

interface Auth {
  user: User | null;
}

const AuthContext = createContext<Auth | undefined>(undefined);

export function AuthProvider({ user, children }: { user: User | null; children: ReactNode }) {
  return <AuthContext.Provider value={{ user }}>{children}</AuthContext.Provider>;
}

/**
 * The signed-in user.
 * @throws {Error} outside an AuthProvider (spec section 8)
 */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}
