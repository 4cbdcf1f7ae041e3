import type { Toast as ToastMessage } from "#app/server/flash.ts";
import { usePageFacts } from "./document.tsx";

interface ToastProps {
  toast?: ToastMessage | null | undefined;
  /** The page announces the same text elsewhere, so the toast is not announced. */
  isRepeated?: boolean;
}

/**
 * A toast for 5 seconds (spec section 9): the given one, or else the flash message of the previous response. The style
 * sheet hides it, so it needs no script.
 */
export function Toast({ toast: own, isRepeated = false }: ToastProps) {
  const left = usePageFacts().flash?.toast;
  const toast = own ?? left;
  if (!toast) return null;
  const role = toast.kind === "error" ? "alert" : "status";
  return (
    <div className={`toast ${toast.kind}`} role={own && isRepeated ? undefined : role}>
      <strong className={toast.kind === "error" ? "declined state" : "verified state"}>{toast.title}</strong>
      {toast.text && <span>{toast.text}</span>}
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
    <div className="warnings">
      {warnings.map(({ text, href, link }) => (
        <p key={href + text}>
          {text} <a href={href}>{link}</a>
        </p>
      ))}
    </div>
  );
}
