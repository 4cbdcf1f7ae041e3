import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { Flash, Toast as ToastMessage } from "#app/server/flash.ts";
import type { InlineScript } from "#app/server/headers.server.ts";

/** The data that a page gets from the server beside its loader's data. */
export interface PageFacts {
  flash: Flash | null;
  /** The page's inline script, or null for a page without script. `devRuntime` is Vite's address, in development. */
  script: (InlineScript & { devRuntime: string | null }) | null;
  css: string;
  /** After an error, the request's id, which users can report and the log contains. */
  reference: string | null;
}

export const PageContext = createContext<PageFacts>({
  flash: null,
  script: null,
  css: "",
  reference: null,
});

function usePageFacts(): PageFacts {
  return useContext(PageContext);
}

/**
 * The placeholder in a page for the part that is streamed (`AppLoadContext.stream`). React writes no such comment from
 * text.
 */
export const STREAMED = "<!--streamed-->";

/**
 * The logo as the page's icon, in a blue that is visible on light and dark tabs. It is inlined, because a file would
 * cost a request on the first visit and a revalidation on later ones. A URL has no spaces.
 */
const ICON =
  "data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220,0,32,32%22%20stroke-width=%223%22%20stroke=%22%2338c%22%20fill=%22none%22%3E%3Cpath%20d=%22M5,24a13,13,0,1,1,22,0m-17-7,5,5,9-11%22/%3E%3C/svg%3E";

/**
 * The HTML document of every page. Its style sheet and its script are inlined, so neither needs a second request. The
 * script is last, so that it does not delay the first paint.
 */
export function Document({ head, children }: { head: ReactNode; children: ReactNode }) {
  const { script, css } = usePageFacts();
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <link rel="icon" href={ICON} />
        {head}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, allowed by its hash */}
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>
        {children}
        {script?.devRuntime && <script type="module" src={script.devRuntime} />}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, allowed by its hash */}
        {script && <script type="module" dangerouslySetInnerHTML={{ __html: script.code }} />}
      </body>
    </html>
  );
}

/** The logo: a dial with a tick as its needle, in the colour of the text. */
export function Mark() {
  return (
    <svg
      className="mark"
      width="32"
      viewBox="0 0 32 32"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M5,24a13,13,0,1,1,22,0m-17-7,5,5,9-11" />
    </svg>
  );
}

/** An arrow down, after the word that opens a menu. */
export function Down() {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
    >
      <path d="m5 8 5 5 5-5" />
    </svg>
  );
}

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

interface MessageScreenProps {
  title: string;
  text: string;
  role?: "alert" | "status";
  link: { href: string; text: string };
}

/** A public page that says one thing, with a link to go on. */
export function MessageScreen({ title, text, role, link }: MessageScreenProps) {
  return (
    <PublicLayout>
      <h1>{title}</h1>
      <p role={role}>{text}</p>
      <LinkLine href={link.href}>{link.text}</LinkLine>
    </PublicLayout>
  );
}

interface FailureProps {
  title: string;
  text: string;
  link?: { href: string; text: string } | undefined;
  /** The layout around it; without one it is alone below the product's name. */
  Layout?: ComponentType<{ children: ReactNode }>;
}

/** An error page: what went wrong and what to do. */
export function Failure({ title, text, link, Layout = PublicLayout }: FailureProps) {
  const { reference } = usePageFacts();
  return (
    <Layout>
      <h1>{title}</h1>
      <p>{text}</p>
      {link && <LinkLine href={link.href}>{link.text}</LinkLine>}
      {reference && (
        <p>
          If it happens again, tell us this reference: <code>{reference}</code>
        </p>
      )}
      <LinkLine href="/">Go to Hours Tracker</LinkLine>
    </Layout>
  );
}

interface ToastProps {
  toast?: ToastMessage | null | undefined;
  /** The page announces the same text elsewhere, so the toast is not announced. */
  isRepeated?: boolean;
  /** It stays, as a notice in its place. */
  isInFlow?: boolean;
  /** What the page adds to it. */
  children?: ReactNode;
}

/**
 * A toast for 5 seconds (spec section 9): the given one, or else the flash message of the previous response. The style
 * sheet hides it, so it needs no script.
 */
export function Toast({ toast: own, isRepeated = false, isInFlow = false, children }: ToastProps) {
  const left = usePageFacts().flash?.toast;
  const toast = own ?? left;
  if (!toast) return null;
  const role = toast.kind === "error" ? "alert" : "status";
  return (
    <div className={isInFlow ? "said notice" : `toast ${toast.kind}`} role={own && isRepeated ? undefined : role}>
      <strong className={toast.kind === "error" ? "declined state" : "verified state"}>{toast.title}</strong>
      {(toast.text || children) && (
        <span>
          {toast.text}
          {children}
        </span>
      )}
      {toast.undo && (
        <form method="post" action={toast.undo}>
          <button type="submit" className="quiet">
            Undo
          </button>
        </form>
      )}
    </div>
  );
}

/** Warnings about saved records. Unlike a toast they stay. */
export function Warnings() {
  const warnings = usePageFacts().flash?.warnings;
  if (!warnings?.length) return null;
  return (
    <section className="warnings" aria-label="Warnings">
      {warnings.map(({ text, href, link }) => (
        <p key={href + text}>
          {text} <a href={href}>{link}</a>
        </p>
      ))}
    </section>
  );
}

/** A link in a line of its own, such as the way back below a form. */
export function LinkLine({ href, children }: { href: string; children: string }) {
  return (
    <p>
      <a href={href}>{children}</a>
    </p>
  );
}

/** Shows why a form was not accepted, above its button. Renders nothing without a message. */
export function Alert({ message }: { message: string | null | undefined }) {
  if (!message) return null;
  return (
    <p className="alert" role="alert">
      {message}
    </p>
  );
}

/**
 * The states of a record, and of what else is done or not; `look` is a fact to look at, without a verdict. They are also the
 * classes of the mark and of its row.
 */
export type StateName = "pending" | "requested" | "declined" | "verified" | "deleted" | "done" | "ends" | "look";

/** A state in a mark and in words: never in colour alone. */
export function State({ of, children }: { of: StateName; children: ReactNode }) {
  return <span className={`${of} state`}>{children}</span>;
}

/** A line with typed text in it. Without an isolation Arabic text would reorder the hours behind it. */
export function lineWith(before: string, typed: string, after: string): ReactNode {
  return (
    <>
      {before}
      <bdi>{typed}</bdi>
      {after}
    </>
  );
}

/** Shows what has just been done, above or in place of its form. */
export function DoneNotice({ text }: { text: string }) {
  return (
    <p className="notice done" role="status">
      <State of="done">{text}</State>
    </p>
  );
}
