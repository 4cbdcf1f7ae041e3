import { type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { hashSubject } from "#app/server/attempt-limits.server.ts";
import { withAnySecret } from "#app/server/secrets.server.ts";
import { unknownTechnicians } from "./requests.table.ts";

/*
 * A supervisor who does not know a technician stops all emails that this account causes (app/mail/suppression.server.ts
 * stops those of all accounts). Notices of verifications in their name are sent all the same. The mailbox is kept as an
 * HMAC.
 */

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
