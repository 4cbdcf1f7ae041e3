import type { LinkEnd } from "#app/db/enumerations.ts";
import type { Entry } from "#app/records/entry/entries.server.ts";
import type { RopeHours } from "#app/records/rope-hours/rope-hours.server.ts";

/** A record as whoever has its link sees it (spec section 3, "Verification lookup response"). */
export type VerifiableRecord = { user: { name: string | null; employeeNumber: string | null } } & (
  | { type: "entry"; entry: Omit<Entry, "userId"> }
  | { type: "rope_hour"; ropeHour: Omit<RopeHours, "userId"> }
);

/**
 * Where a link stands: it leads nowhere, and why if that is known; it can be used, or it was used; and whether the hours
 * are the asker's own.
 */
export type LinkView =
  | { state: "unknown"; record: null; isOwn: false; ended: LinkEnd | null }
  | { state: "open" | "verified"; record: VerifiableRecord; isOwn: boolean; ended: null };

/** What spec section 8 says of a link that cannot be used. */
export const LINK_FAILURE = "This entry may have already been verified or the link is invalid.";

/** Why a link has ended, for whoever opens it. */
export const LINK_ENDED: Record<LinkEnd, string> = {
  withdrawn: "The technician has withdrawn this request. There is nothing for you to do.",
  edited: "The technician has changed this record, which ended this link. There is nothing for you to do.",
  deleted: "The technician has deleted this record. There is nothing for you to do.",
};

/** What a call says of a link that leads nowhere. */
export function failureOf(ended: LinkEnd | null): string {
  return ended ? `${LINK_FAILURE} ${LINK_ENDED[ended]}` : LINK_FAILURE;
}

/** Who verified a record and when, or null while nobody has. */
export function verificationOf(record: VerifiableRecord): { by: string; at: Date } | null {
  const { verifiedBy, verifiedAt } = record.type === "entry" ? record.entry : record.ropeHour;
  return verifiedBy !== null && verifiedAt !== null ? { by: verifiedBy, at: verifiedAt } : null;
}

/** What a supervisor reads after verifying (spec section 8). */
export function thanksFor({ type }: VerifiableRecord): string {
  return `Thank you for verifying these ${type === "entry" ? "OJT" : "rope"} hours.`;
}

/**
 * The ID that the verification-complete page shows, the same at every visit: `VER-`, the last 8 digits of the time of
 * verification in milliseconds, and the first 5 characters of the token in upper case (product, "Screens").
 */
export function verificationId(token: string, verifiedAt: Date): string {
  return `VER-${String(verifiedAt.getTime()).slice(-8)}-${token.slice(0, 5).toUpperCase()}`;
}
