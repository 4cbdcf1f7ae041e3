import type { Toast as ToastMessage } from "#app/server/flash.ts";
import { usePageFacts } from "./page-context.tsx";

interface ToastProps {
  toast?: ToastMessage | null | undefined;
  /** The page says it elsewhere too, and a screen reader shall not hear it twice. */
  isRepeated?: boolean;
}

/**
 * What there is to say, for 5 seconds (spec section 9): of this answer, or else what the last one left. The style
 * sheet ends it, so it needs no script.
 */
export function Toast({ toast: own, isRepeated = false }: ToastProps) {
  const left = usePageFacts().flash?.toast;
  const toast = own ?? left;
  if (!toast) return null;
  const role = toast.kind === "error" ? "alert" : "status";
  return (
    <div className={`toast ${toast.kind}`} role={own && isRepeated ? undefined : role}>
      <strong>{toast.title}</strong>
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

/** Things worth a second look. Unlike a toast they stay. */
export function Warnings() {
  const warnings = usePageFacts().flash?.warnings;
  if (!warnings?.length) return null;
  return (
    <div className="warnings">
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </div>
  );
}
