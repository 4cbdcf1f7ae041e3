import type { Via } from "#app/db/enumerations.ts";

/** How a verification came, in a mark and in words. The domain of the address is shown wherever `mailbox` is. */
export function ViaText({ via, domain }: { via: Via | null; domain: string | null }) {
  if (!via) return null;
  return (
    <span className={`${via} via`}>{via === "link" ? "by link" : `by mailbox${domain ? ` (${domain})` : ""}`}</span>
  );
}

/** The mark alone, in a list; its words are for screen readers. `ViaLegend` explains it. */
export function ViaMark({ via }: { via: Via | null }) {
  return (
    via && (
      <>
        {" "}
        <i className={`${via} via`} role="img" aria-label={`by ${via}`} />
      </>
    )
  );
}

/** What the marks of a list mean, if it has any. */
export function ViaLegend({ records }: { records: readonly { verifiedVia: Via | null }[] }) {
  if (!records.some(({ verifiedVia }) => verifiedVia)) return null;
  return (
    <p className="hint">
      <span className="mailbox via">by mailbox</span> <span className="link via">by link</span>
    </p>
  );
}
