import { usePageFacts } from "./page-context.tsx";

/** What the last answer has to say, for 5 seconds (spec section 9); the style sheet ends it, so it needs no script. */
export function Toast() {
  const toast = usePageFacts().flash?.toast;
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
    <div className="warnings" role="status">
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </div>
  );
}
