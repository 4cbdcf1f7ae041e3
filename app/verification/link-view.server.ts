import type { AppLoadContext } from "@remix-run/cloudflare";
import type { ItemState, LinkEnd, Via } from "#app/db/enumerations.ts";
import { sameKey } from "#app/records/content.server.ts";
import { longDayText } from "#app/records/evidence.ts";
import { longPeriodText } from "#app/records/hours.ts";
import type { AnyRecord, Kind } from "#app/records/kind.ts";
import { type FoundLink, type FoundRequest, keyOf, type Link, type LinkItem, type Noted } from "./link.server.ts";
import { disownSecret, viaOf } from "./link-secrets.server.ts";
import { duplicateText, LONG_AGO, NOT_BEGUN, UNNAMED, type VerifiableRecord, verifiableRecord } from "./record.ts";

/** An item's record as its supervisor sees it. */
export function itemRecord({ kind, record }: LinkItem, owner: VerifiableRecord["user"]): VerifiableRecord {
  return verifiableRecord(kind, owner, record);
}

/**
 * Returns the address of the technician who sent the request, for the page on which an open link is answered; null if
 * the technician opens it, and for any other link. The calls and the other pages of a link do not have the address.
 */
export function askerOf(link: Link, { isConfigured }: { isConfigured: boolean }): Asker | null {
  if (link.state === "unknown" || link.isOwn || foundView(link).state !== "open") return null;
  const [account] = link.addresses?.present ?? [];
  // Without mail there is nothing to confirm.
  return account ? { email: account.email, isConfirmed: !isConfigured || account.emailConfirmedAt !== null } : null;
}

/**
 * The request of a link, open or ended, for a visitor who has the link that was mailed to its address; null for every other
 * visitor, and for its technician.
 */
export function mailedRequest(
  { secret, url }: Pick<AppLoadContext, "secret" | "url">,
  link: Link,
): FoundRequest | null {
  const found = link.state === "unknown" ? link.past : link;
  return found && !found.isOwn && viaOf(secret, found.request, url) === "mailbox" ? found : null;
}

/**
 * Returns the acts that only the owner of the mailbox can do at a link that was answered or has ended: withdraw what
 * was verified through it, at this path, say that they do not know the technician, unless they have verified one of
 * their records, and request a new link after it expired. And whether the link has a secret that is not that of the
 * mailed one.
 */
export function mailboxActs(context: Pick<AppLoadContext, "secret" | "url">, link: Link): MailboxActs {
  const found = mailedRequest(context, link);
  if (!found) {
    const request = link.state === "unknown" ? link.past : link;
    const isDamaged = request !== null && !request.isOwn && context.url.searchParams.has("m");
    return { isMailed: false, disownHref: null, canRefuse: false, newLinkTo: null, isDamaged };
  }
  const { request, items } = found;
  const back = disownSecret(context.secret, request);
  const verified = items.filter(({ state, record }) => state === "verified" && record.verified);
  return {
    isMailed: true,
    disownHref: verified.length > 0 ? `/disown/${request.token}?back=${back}` : null,
    canRefuse: link.state !== "open" && !verified.some(({ record }) => record.verifiedVia === "mailbox"),
    newLinkTo: link.state === "unknown" && link.ended === "expired" ? request.supervisorEmail : null,
    isDamaged: false,
  };
}

/**
 * The part of a link that its pages get: what its visitor may see. `past` shows an expired link too, if some of its
 * records were answered before it expired.
 */
export function visibleLink(link: Link, { past = false } = {}): LinkView {
  if (link.state !== "unknown") return foundView(link);
  if (past && link.ended === "expired" && link.past) {
    return { ...foundView({ ...link.past, state: "decided" }), ended: link.ended };
  }
  const { state, ended, isSeveral } = link;
  const isOwn = link.past?.isOwn ?? false;
  const supervisor = { name: null, domain: null, level: null };
  // The page of the open link showed the name too. Only this technician can send a new link.
  const user = ended === "expired" && link.past && !isOwn ? { ...UNNAMED, name: link.past.owner.name } : UNNAMED;
  return { state, ended, isSeveral, isOwn, user, supervisor, expiresAt: null, items: [] };
}

function foundView({ state, isOwn, request, owner, items, keys, supervisorLevel }: FoundLink): LinkView {
  const notesOf = doubtsAmong(items.filter(({ state }) => state === "waiting" || state === "verified"));
  const waits = items.some((item) => item.state === "waiting" && !item.record.verified);
  return {
    state: waits ? state : "decided",
    isOwn,
    isSeveral: keys.length > 1,
    ended: null,
    user: { name: owner.name, employeeNumber: owner.employeeNumber },
    supervisor: {
      name: request.requestedName,
      domain: domainOf(request.supervisorEmail),
      level: supervisorLevel,
    },
    expiresAt: request.expiresAt,
    items: items.map((item) => itemView(item, owner, notesOf(item))),
  };
}

/** Returns the key by which two records are the same job: `sameKey` and the place as it is typed. */
function jobOf({ kind, record }: Job): string {
  return `${sameKey(kind, record)} ${record.location}`;
}

interface Job {
  kind: Kind;
  record: AnyRecord;
}

/**
 * Returns a function that lists, in sentences, the doubts about a record that is not verified yet, among the others of
 * its page: for its supervisor, and before that for its technician, who chooses the records of a request.
 */
export function doubtsAmong(others: readonly Job[]) {
  const jobs = new Map<string, number>();
  for (const job of others.map(jobOf)) jobs.set(job, (jobs.get(job) ?? 0) + 1);
  return ({ hasBegun, isLongAgo, dayHundredths, ...job }: Job & Noted): string[] =>
    [
      dayHundredths && longDayText(dayHundredths),
      longPeriodText(job.record, true),
      !hasBegun && NOT_BEGUN,
      isLongAgo && LONG_AGO,
      (jobs.get(jobOf(job)) ?? 0) > 1 && duplicateText(job.kind),
    ].filter((note) => typeof note === "string");
}

function itemView(item: LinkItem, owner: VerifiableRecord["user"], notes: string[]): ItemView {
  const { state, cause, reason, decidedAt, decidedBy, decidedVia, isTold, hasBegun } = item;
  const decided = { cause, reason, decidedAt, decidedBy, decidedVia, isTold };
  return { shown: formHash(item), record: itemRecord(item, owner), state, hasBegun, notes, ...decided };
}

/**
 * Returns an item as a form sends it: its key and 128 bits of its hash. The other half would add 1,600 bytes to a page
 * of 50 records, and 128 bits are enough: no one can make two records with the same ones.
 */
export function formHash(item: LinkItem): string {
  return `${keyOf(item)}:${item.shown.slice(0, 32)}`;
}

/** A record of a request as its supervisor sees it, with what became of it. */
export interface ItemView {
  /** The record's key and the first half of its hash: the form sends it, so that what was shown is what is verified. */
  shown: string;
  record: VerifiableRecord;
  state: ItemState;
  /** Whether its last day has begun: before that it cannot be verified. */
  hasBegun: boolean;
  /** The facts that a supervisor should know about it, in sentences. */
  notes: string[];
  cause: LinkEnd | null;
  reason: string | null;
  decidedAt: Date | null;
  /** The name that the supervisor typed. */
  decidedBy: string | null;
  /** How the answer came. */
  decidedVia: Via | null;
  /** Whether the requested address gets an email about a verification, where there is mail. */
  isTold: boolean;
}

/** The technician's address, which is on the page where a request is answered and on no other. */
export interface Asker {
  email: string;
  /** Whether the address was confirmed by a link, where there is mail. */
  isConfirmed: boolean;
}

/** The acts of a visitor with the mailed link besides answering. */
export interface MailboxActs {
  /** Whether the visitor has the mailed link. */
  isMailed: boolean;
  /** The address that disowns what was verified through the link; null if there is nothing to disown. */
  disownHref: string | null;
  /** Whether the page of an ended link offers *I do not know this technician*. */
  canRefuse: boolean;
  /** The requested address, which gets the new link after this one has expired. */
  newLinkTo: string | null;
  /** Whether the secret was cut or changed, or is that of an earlier address of the request: an answer is by link then. */
  isDamaged: boolean;
}

/** The data that the pages of a link get: no other data of the technician than their name and number. */
export interface LinkView {
  /** `open`: it can be answered. `decided`: nothing is left to answer. `unknown`: it leads nowhere. */
  state: "open" | "decided" | "unknown";
  /** Whether the visitor is the technician who asks. */
  isOwn: boolean;
  isSeveral: boolean;
  /** Why the link has ended, if it was not answered. */
  ended: LinkEnd | null;
  user: VerifiableRecord["user"];
  /** The supervisor of the request, the domain of their address, and the level that the technician typed for them. */
  supervisor: { name: string | null; domain: string | null; level: string | null };
  expiresAt: Date | null;
  items: ItemView[];
}

/** The part of an email address after the `@`. */
export function domainOf(address: string | null): string | null {
  return address?.split("@").at(-1) ?? null;
}
