import type { Toast as ToastMessage } from "#app/http/flash.ts";
import { usePageFacts } from "./page-context.tsx";

/**
 * What there is to say, for 5 seconds (spec section 9): of this answer, or else what the last one left. The style
 * sheet ends it, so it needs no script.
 */
export function Toast({ toast: own }: { toast?: ToastMessage | null | undefined }) {
  const left = usePageFacts().flash?.toast;
  const toast = own ?? left;
  if (!toast) return null;
  return (
    <div className={`toast ${toast.kind}`} role={toast.kind === "error" ? "alert" : "status"}>
      <strong>{toast.title}</strong>
      {toast.text && <span>{toast.text}</span>}
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
