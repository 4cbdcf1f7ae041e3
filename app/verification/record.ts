import type { LinkEnd } from "#app/db/enumerations.ts";
import { type Kind, kindNamed, type RecordWithToken, type ShownRecord } from "#app/records/kinds.ts";

/** A record as its supervisor sees it: of its owner the name and the employee number, and nothing more. */
export interface VerifiableRecord {
  /** The name of its kind. */
  kind: string;
  user: { name: string | null; employeeNumber: string | null };
  record: ShownRecord;
}

/** A stored record as its supervisor sees it. */
export function verifiableRecord(
  { name: kind }: Kind,
  { name, employeeNumber }: VerifiableRecord["user"],
  { userId: _owner, verificationToken: _token, ...record }: RecordWithToken,
): VerifiableRecord {
  return { kind, user: { name, employeeNumber }, record };
}

/** What a link leads to: nothing, and why if that is known; a record to verify; or one that is verified. */
export type LinkView =
  | { state: "unknown"; record: null; isOwn: false; ended: LinkEnd | null }
  | { state: "open" | "verified"; record: VerifiableRecord; isOwn: boolean; ended: null };

/** What spec section 8 says of a link that cannot be used. */
export const LINK_FAILURE = "This entry may have already been verified or the link is invalid.";

/** Why a link has ended, for the person who opens it. */
export const LINK_ENDED: Record<LinkEnd, string> = {
  withdrawn: "The technician has withdrawn this request. There is nothing for you to do.",
  edited: "The technician has changed this record, which ended this link. There is nothing for you to do.",
  deleted: "The technician has deleted this record. There is nothing for you to do.",
};

/** The message of a call whose link leads to no record. */
export function failureOf(ended: LinkEnd | null): string {
  return ended ? `${LINK_FAILURE} ${LINK_ENDED[ended]}` : LINK_FAILURE;
}

/** Who verified a record and when, or null while it is unverified. */
export function verificationOf({ verifiedBy, verifiedAt }: ShownRecord): { by: string; at: Date } | null {
  return verifiedBy !== null && verifiedAt !== null ? { by: verifiedBy, at: verifiedAt } : null;
}

/** What a supervisor reads after verifying (spec section 8). */
export function thanksFor({ kind }: VerifiableRecord): string {
  return `Thank you for verifying these ${kindNamed(kind).texts.hours} hours.`;
}

/** The record in the answer of a verification call, under the key of its kind (spec section 3). */
export function recordJson({ kind, record }: VerifiableRecord): Record<string, object> {
  return { [kindNamed(kind).jsonKey]: record };
}

/**
 * The ID that the verification-complete page shows, the same at every visit: `VER-`, the last 8 digits of the time of
 * verification in milliseconds, and the first 5 characters of the token in upper case (product, "Screens").
 */
export function verificationId(token: string, verifiedAt: Date): string {
  return `VER-${String(verifiedAt.getTime()).slice(-8)}-${token.slice(0, 5).toUpperCase()}`;
}
