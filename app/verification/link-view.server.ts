import type { Link, LinkItem } from "./link.server.ts";
import { type LinkView, type VerifiableRecord, verifiableRecord } from "./record.ts";

/** An item's record as its supervisor sees it. */
export function itemRecord({ kind, record }: LinkItem, owner: VerifiableRecord["user"]): VerifiableRecord {
  return verifiableRecord(kind, owner, record);
}

/** The part of a link for one record that its page gets: what its visitor may see. */
export function visibleLink(link: Link): LinkView {
  if (link.state === "unknown") return { state: link.state, record: null, isOwn: false, ended: link.ended };
  const [item] = link.items;
  if (!item) return { state: "unknown", record: null, isOwn: false, ended: null };
  const record = itemRecord(item, link.owner);
  // Also if it was verified through another link: the page then says by whom.
  if (item.record.verified) return { state: "verified", record, isOwn: link.isOwn, ended: null };
  if (link.state === "decided") return { state: "decided", record: null, isOwn: link.isOwn, ended: item.cause };
  return { state: "open", record, isOwn: link.isOwn, ended: null };
}
