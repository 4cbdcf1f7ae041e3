import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import { guardedColumns } from "#app/db/commit.server.ts";
import { accountLinks, earlierAddresses, users } from "#app/db/schema.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { hashSubject } from "#app/server/attempt-limits.server.ts";
import { withAnySecret } from "#app/server/secrets.server.ts";

/*
 * The mailboxes of a technician: of the account's address, of its earlier ones, and of one that it is being changed to.
 * None of them may be that of a supervisor, in any spelling that reaches the same mailbox (`normalizeMailbox`), because
 * no technicians verify their own hours.
 */

/** The hash of an account's mailbox: an HMAC that differs for each account. */
export function hashMailbox({ secret }: Pick<AppLoadContext, "secret">, userId: number, email: string): string {
  return hashSubject(secret, "earlier address", String(userId), normalizeMailbox(email));
}

/** The condition of a link to another address that was not used. */
export const IS_OPEN_CHANGE = sql`purpose = 'change' AND used_at IS NULL`;

/** The queries for the addresses of the owner's account. */
export function ownAddressQueries(context: Pick<AppLoadContext, "now">, owner: Owner, db: Db) {
  return addressQueries(context, db, (column) => eq(column, owner));
}

/** The same of several accounts: `isOne` is the condition of the column with their id. */
export function addressQueries({ now }: Pick<AppLoadContext, "now">, db: Db, isOne: (column: SQLiteColumn) => SQL) {
  return {
    present: db
      .select({ ...guardedColumns, email: users.email, emailConfirmedAt: users.emailConfirmedAt })
      .from(users)
      .where(isOne(users.id)),
    earlier: db
      .select({ userId: earlierAddresses.userId, address: earlierAddresses.address })
      .from(earlierAddresses)
      .where(isOne(earlierAddresses.userId)),
    next: db
      .select({ userId: accountLinks.userId, newEmail: accountLinks.email })
      .from(accountLinks)
      .where(and(isOne(accountLinks.userId), IS_OPEN_CHANGE, gt(accountLinks.expiresAt, now))),
  };
}

/** The addresses of an account, as the rows of `ownAddressQueries`. */
export type OwnAddresses = Rows<ReturnType<typeof ownAddressQueries>>;

/**
 * Returns why an address reaches a mailbox of the account itself: a sentence for its user that names the address in
 * question. Null for any other address.
 */
export function ownMailboxReason(
  context: Pick<AppLoadContext, "secret">,
  { present: [account], earlier, next }: OwnAddresses,
  email: string,
): string | null {
  if (!account) return null;
  if (email === account.email) return "This is your own email address.";
  const mailbox = normalizeMailbox(email);
  const isSame = (other: string) => normalizeMailbox(other) === mailbox;
  if (isSame(account.email)) return "Emails to this address reach your own mailbox.";
  if (next.some(({ newEmail }) => isSame(newEmail))) return "You are changing your own email address to this mailbox.";
  const hashes = withAnySecret(context.secret, (secret) => hashMailbox({ secret }, account.id, email));
  return earlier.some(({ address }) => hashes.includes(address))
    ? "This was the email address of your own account."
    : null;
}

/** The address of a supervisor, and whether records were verified through a request to it. */
export interface SupervisorAddress {
  email: string;
  hasVerified: number;
}

/**
 * The query for the addresses of a user's supervisors: those who are saved, and those of requests that are open or have
 * verified a record. (Raw names: both are above accounts.)
 */
export function supervisorAddresses(db: Db, owner: Owner) {
  return db
    .select({ email: sql<string>`email`, hasVerified: sql<number>`has_verified` })
    .from(sql`(${ofSupervisors(owner)})`);
}

function ofSupervisors(owner: Owner): SQL {
  const hasVerified = sql`EXISTS (SELECT 1 FROM verification_items AS item
    WHERE item.request_id = verification_requests.id AND item.state = 'verified')`;
  return sql`SELECT email, 0 AS has_verified FROM supervisors WHERE user_id = ${owner} UNION
    SELECT supervisor_email, ${hasVerified} FROM verification_requests
    WHERE user_id = ${owner} AND supervisor_email IS NOT NULL AND (ended_at IS NULL OR ${hasVerified})`;
}

const IS_SUPERVISOR =
  "This is the email address of one of your supervisors. To use it for your account, first delete that supervisor and withdraw what you asked them.";

const HAS_VERIFIED =
  "A supervisor with this email address has verified your hours, so your account cannot have it: you cannot verify your own hours.";

/**
 * Returns the reason why an account cannot have an address, as a sentence for its user: one of their supervisors has
 * the mailbox. Null if none has.
 */
export function supervisorMailboxReason(supervisors: SupervisorAddress[], email: string): string | null {
  const mailbox = normalizeMailbox(email);
  const same = supervisors.filter((one) => normalizeMailbox(one.email) === mailbox);
  if (same.length === 0) return null;
  return same.some(({ hasVerified }) => hasVerified === 1) ? HAS_VERIFIED : IS_SUPERVISOR;
}
