import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { suppressedAddresses } from "#app/db/schema.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { hashSubject } from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { hmac, isSameSecret, withAnySecret } from "#app/server/secrets.server.ts";

/*
 * Supervisors have no account and did not ask for emails. Each one that they get has a link that stops them all,
 * opened by anyone: the email may have been forwarded. So its page also lets them go out again, and so can an admin.
 * One notice of verifications in that name still goes out; later records say that the address gets no notice. No
 * stranger causes an email to the address either, with an account or a change of address. The address is kept as an
 * HMAC: it cannot be read, but is recognized when it is used again.
 */

/** Follows an answer that is the same for every address. */
export const STOPPED_GETS_NONE =
  "An address that stopped all emails gets none: open the link that stopped them, and let them go out again.";

function subjectOf(secret: string, address: string): string {
  return hashSubject(secret, "suppressed", normalizeMailbox(address));
}

function signature(secret: string, subject: string): string {
  return hmac(secret, `unsubscribe\n${subject}`);
}

/**
 * Returns the address at which the owner of a mailbox stops all emails to it. The link needs no row, works for ever,
 * and reveals no address.
 */
export function unsubscribeUrl({ origin, secret }: { origin: string; secret: string }, address: string): string {
  const subject = subjectOf(secret, address);
  return `${origin}/unsubscribe/${subject}.${signature(secret, subject)}`;
}

/** The condition that a row of `suppressed_addresses` is of an address. */
function isOf(secret: string, address: string): SQL {
  return sql`subject IN ${withAnySecret(secret, (one) => subjectOf(one, address))}`;
}

/** The condition that an address has not asked for no more emails. */
export function isNotSuppressed(secret: string, address: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${suppressedAddresses} WHERE ${isOf(secret, address)})`;
}

/** The condition that an address gets a notice of what was verified in its name: one of them also after it stopped all emails. */
export function mayGetNotice(secret: string, address: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${suppressedAddresses} WHERE ${isOf(secret, address)} AND noticed_at IS NOT NULL)`;
}

/** The statement that notes the one notice to an address that stopped all emails, if `isQueued`. */
export function noteNotice({ db, now, secret }: { db: Db; now: Date; secret: string }, address: string, isQueued: SQL) {
  return db
    .update(suppressedAddresses)
    .set({ noticedAt: now })
    .where(sql`${isOf(secret, address)} AND noticed_at IS NULL AND ${isQueued}`);
}

/** The statement that lets emails go out again to an address. It returns a row if they were stopped. */
export function allowEmails({ db, secret }: { db: Db; secret: string }, address: string) {
  return db.delete(suppressedAddresses).where(isOf(secret, address)).returning({ at: suppressedAddresses.at });
}

/** As many addresses that stopped all emails are counted. */
const COUNTED_MAX = 1_000;

/** The query for how many addresses stopped all emails, up to a thousand. */
export function countSuppressed(db: Db) {
  return db
    .select({ n: sql<number>`count(*)`.as("n") })
    .from(sql`(SELECT 1 FROM ${suppressedAddresses} WHERE subject > '' LIMIT ${COUNTED_MAX})`);
}

/** Whether a token of an unsubscribe link is genuine. */
export function isUnsubscribeToken(secret: string, token: string): boolean {
  const [subject = "", sent = ""] = token.split(".");
  const genuine = withAnySecret(secret, (one) => signature(one, subject));
  return subject.length === 64 && genuine.some((right) => isSameSecret(sent, right));
}

/** Whether emails are stopped to the address that a genuine token was made for. */
export async function isStopped({ db }: Pick<AppLoadContext, "db">, token: string): Promise<boolean> {
  const [subject = ""] = token.split(".");
  const found = await db
    .select({ at: suppressedAddresses.at })
    .from(suppressedAddresses)
    .where(sql`subject = ${subject}`);
  return found.length > 0;
}

/** Stops all emails to the address that a genuine token was made for, or lets them go out again. Twice is as once. */
export async function stopEmails(context: AppLoadContext, token: string, isStopped: boolean): Promise<void> {
  const { db, now } = context;
  const [subject = ""] = token.split(".");
  if (isStopped) await db.insert(suppressedAddresses).values({ subject, at: now }).onConflictDoNothing();
  else await db.delete(suppressedAddresses).where(sql`subject = ${subject}`);
  securityEvent(context, isStopped ? "unsubscribed" : "subscribed_again");
}
