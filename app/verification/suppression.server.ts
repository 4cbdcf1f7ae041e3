import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { AppError } from "#app/errors.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { hashSubject } from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { hmac, isSameSecret, withAnySecret } from "#app/server/secrets.server.ts";
import { suppressedAddresses, unknownTechnicians } from "./requests.table.ts";

/*
 * Supervisors have no account and did not ask for emails. Each one that they get has a link that stops them all. The address
 * is kept as an HMAC: it cannot be read, but is recognized when somebody asks again. The same holds for one technician if
 * the supervisor does not know them: then what tells of a verification in their name is sent all the same. An address that
 * wants no emails gets none of that either, and the record says so.
 */

function subjectOf(secret: string, address: string): string {
  return hashSubject(secret, "suppressed", normalizeMailbox(address));
}

function signature(secret: string, subject: string): string {
  return hmac(secret, `unsubscribe\n${subject}`);
}

/** Where the owner of an address stops all emails to it. The link needs no row, works for ever, and reveals no address. */
export function unsubscribeUrl({ origin, secret }: { origin: string; secret: string }, address: string): string {
  const subject = subjectOf(secret, address);
  return `${origin}/unsubscribe/${subject}.${signature(secret, subject)}`;
}

/** The condition that an address has not asked for no more emails. */
export function isNotSuppressed(secret: string, address: string): SQL {
  const subjects = withAnySecret(secret, (one) => subjectOf(one, address));
  return sql`NOT EXISTS (SELECT 1 FROM ${suppressedAddresses} WHERE subject IN ${subjects})`;
}

/** The mailbox of a supervisor who does not know a technician, as it is stored. */
export function unknownMailbox(secret: string, address: string): string {
  return hashSubject(secret, "unknown technician", normalizeMailbox(address));
}

/** The condition that the supervisor with an address has not said that they do not know this technician. */
export function isKnownTechnician(secret: string, userId: number | SQL, address: string): SQL {
  const mailboxes = withAnySecret(secret, (one) => unknownMailbox(one, address));
  return sql`NOT EXISTS (SELECT 1 FROM ${unknownTechnicians} AS stranger
    WHERE stranger.user_id = ${userId} AND stranger.mailbox IN ${mailboxes})`;
}

/** The query for the mailboxes that are closed to a technician, for `isClosed`. */
export function closedMailboxes(db: Db, owner: Owner) {
  return db.select({ mailbox: unknownTechnicians.mailbox }).from(unknownTechnicians).where(sql`user_id = ${owner}`);
}

/** A mailbox that is closed to a technician. */
export type ClosedMailbox = Awaited<ReturnType<typeof closedMailboxes>>[number];

/** Whether an address reaches one of the closed mailboxes: no email that the account causes goes there. */
export function isClosed(secret: string, closed: readonly ClosedMailbox[], address: string | null): boolean {
  if (address === null || closed.length === 0) return false;
  const own = withAnySecret(secret, (one) => unknownMailbox(one, address));
  return closed.some(({ mailbox }) => own.includes(mailbox));
}

/** Whether a token of an unsubscribe link is genuine. */
export function isUnsubscribeToken(secret: string, token: string): boolean {
  const [subject = "", sent = ""] = token.split(".");
  const genuine = withAnySecret(secret, (one) => signature(one, subject));
  return subject.length === 64 && genuine.some((right) => isSameSecret(sent, right));
}

/**
 * Stops all emails to the address that a token was made for. Again it does nothing.
 * @throws {AppError} 404 for a token that was never made
 */
export async function unsubscribe(context: AppLoadContext, token: string): Promise<void> {
  const { db, secret, now } = context;
  if (!isUnsubscribeToken(secret, token))
    throw new AppError("not_found", "This link is not valid. Open it as it is in the email.");
  const [subject = ""] = token.split(".");
  await db.insert(suppressedAddresses).values({ subject, at: now }).onConflictDoNothing();
  securityEvent(context, "unsubscribed");
}
