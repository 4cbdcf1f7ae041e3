import type { ItemState, LinkEnd } from "#app/db/enumerations.ts";
import type { VerifiableRecord } from "./record.ts";

/** A record of a request as its supervisor sees it, with what became of it. */
export interface ItemView {
  /** The record's key and the first half of its hash: the form sends it, so that what was shown is what is verified. */
  shown: string;
  record: VerifiableRecord;
  state: ItemState;
  /** Whether its last day has begun: before that it cannot be verified. */
  hasBegun: boolean;
  /** What a supervisor should know of it, in sentences. */
  notes: string[];
  cause: LinkEnd | null;
  reason: string | null;
  decidedAt: Date | null;
  /** The name that the supervisor typed. */
  decidedBy: string | null;
  /** Whether the address that was asked gets an email about a verification, where there is mail. */
  isTold: boolean;
}

/** The technician's address, which stands on the page where a request is answered and nowhere else. */
export interface Asker {
  email: string;
  /** Whether the address was confirmed by a link, where there is mail. */
  isConfirmed: boolean;
}

/** What a visitor with the mailed link can do besides answering. */
export interface MailboxActs {
  /** Where what was verified through the link is taken back; null if nothing is. */
  takeBack: string | null;
  /** Whether the page of an ended link offers *I do not know this technician*. */
  canRefuse: boolean;
}

/** What the pages of a link get: no other data of the technician than their name and number. */
export interface LinkView {
  /** `open`: it can be answered. `decided`: nothing waits any more. `unknown`: it leads nowhere. */
  state: "open" | "decided" | "unknown";
  /** Whether the visitor is the technician who asks. */
  isOwn: boolean;
  isSeveral: boolean;
  /** Why the link has ended, if it was not answered. */
  ended: LinkEnd | null;
  user: VerifiableRecord["user"];
  /** The supervisor who was asked, the domain of their address, and the level that the technician typed for them. */
  supervisor: { name: string | null; domain: string | null; level: string | null };
  expiresAt: Date | null;
  items: ItemView[];
}

/** The part of an email address after the `@`. */
export function domainOf(address: string | null): string | null {
  return address?.split("@").at(-1) ?? null;
}
