import type { Via } from "#app/db/enumerations.ts";
import { confirmedText, utcDay } from "./evidence.ts";

interface ViaTextProps {
  via: Via | null;
  domain: string | null;
  confirmedAt?: Date | null;
}

/**
 * Shows how a verification came, in a mark and in words. The domain of the address is shown wherever it proves
 * something.
 */
export function ViaText({ via, domain, confirmedAt = null }: ViaTextProps) {
  if (!via) return null;
  if (via === "mailbox") return <span className="mailbox via">{`by mailbox${domain ? ` (${domain})` : ""}`}</span>;
  if (!confirmedAt) return <span className="link via">by link</span>;
  // The mark stays beside its word; the rest may break into lines.
  const [link, ...confirmed] = confirmedText(domain, utcDay(confirmedAt)).split(" ");
  return (
    <>
      <span className="link via">by {link}</span> {confirmed.join(" ")}
    </>
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

/** Explains the marks of a list, if it has any. */
export function ViaLegend({ records }: { records: readonly { verifiedVia: Via | null }[] }) {
  if (!records.some(({ verifiedVia }) => verifiedVia)) return null;
  return (
    <p className="hint">
      <span className="mailbox via">By mailbox</span> <span className="link via">By link</span>
    </p>
  );
}
