import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { type Db, insertSelect, type Owner } from "#app/db/client.server.ts";
import { commit } from "#app/db/commit.server.ts";
import { accountLinks } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { queueMessage } from "#app/mail/outbox.server.ts";
import { isNotSuppressed, STOPPED_GETS_NONE } from "#app/mail/suppression.server.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import {
  countAttempt,
  emailChangeLimits,
  isBelowLimits,
  requireBelowLimit,
} from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { hashLinkToken, LINK_MS, linkToken, newNonce } from "./link-token.server.ts";
import { IS_OPEN_CHANGE, supervisorAddresses, supervisorMailboxReason } from "./own-addresses.server.ts";
import { requirePassword } from "./own-password.server.ts";
import type { EmailChange } from "./user.schema.ts";

/** The answer for every new address, with an account or without one. */
const REQUESTED = `We've sent a link to the new address. Open it within one hour to change your email address. ${STOPPED_GETS_NONE}`;

const NOT_CONFIGURED = "Email is not set up on this server, so no link was sent and your address stays the same.";

/** Returns the message to the user after a request. */
export function emailChangeMessage({ mail }: AppLoadContext): string {
  return mail.isConfigured ? REQUESTED : NOT_CONFIGURED;
}

/**
 * Starts a change of the signed-in user's email address: stores it, ends the user's earlier open change, and queues an
 * email with a link to the new address and a notice to the current one. For an address that has an account the same
 * statements run: only when the first email is composed does it become another one (emails.server.ts), so neither the
 * answer nor its time reveals the account.
 * @throws as `requirePassword`; {AppError} 400 on `email` for the user's own address or a supervisor's; 429 after too
 *   many requests of the account or to the address
 */
export async function requestEmailChange(context: AppLoadContext, { email, password }: EmailChange): Promise<void> {
  const { db, now, secret } = context;
  const { user, uncount, act } = await requirePassword(
    context,
    password,
    "password",
    (owner, queryDb) => ({ supervisors: supervisorAddresses(queryDb, owner) }),
    (current) => (email === current.email ? invalidEmail("This is the email address of your account already.") : null),
  );
  const nonce = newNonce();
  const token = hashLinkToken(linkToken(secret, "email change", user.id, nonce));
  const expiresAt = new Date(now.getTime() + LINK_MS);
  const limits = emailChangeLimits(context, user.id, normalizeMailbox(email));
  const [ofAccount, ...toMailbox] = limits;
  const isBelow = isBelowLimits(context, limits);
  const isStored = sql`FROM ${accountLinks} WHERE token = ${token}`;
  const { full, counted } = countAttempt(context, limits, sql`EXISTS (SELECT 1 ${isStored})`);
  const message = { userId: sql`user_id`, submission: nonce, from: isStored };
  const found = await act("ask_email_change", async ({ user: { id, email: oldEmail }, account, rows }) => {
    const reason = supervisorMailboxReason(rows.supervisors, email);
    if (reason) {
      await uncount;
      throw invalidEmail(reason);
    }
    return commit(db, [account], {
      uncount,
      full,
      ended: endOpenChange(db, id, isBelow),
      stored: insertSelect(
        db,
        accountLinks,
        { userId: id, purpose: "change", email, oldEmail, token, nonce, createdAt: now, expiresAt },
        sql`WHERE ${isBelow}`,
      ).returning({ id: accountLinks.id }),
      counted,
      link: queueMessage(context, {
        ...message,
        kind: "email_change_link",
        from: sql`${isStored} AND ${isNotSuppressed(secret, email)}`,
      }),
      notice: queueMessage(context, { ...message, kind: "email_change_notice" }),
    });
  });
  if (found.stored.length === 0) {
    requireBelowLimit(context, ofAccount, found.full, "There were too many changes of your email address.");
    for (const limit of toMailbox)
      requireBelowLimit(context, limit, found.full, "There were too many emails to this address.");
  }
  securityEvent(context, "email_change_asked");
}

function invalidEmail(message: string): AppError {
  return new AppError("invalid", message, [{ path: "email", message }]);
}

/** How long a used link is kept at least, in milliseconds: longer than the outbox retries the email to the old address. */
export const USED_LINK_KEPT_MS = 25 * 60 * 60 * 1000;

/** The query for the owner's open change of the email address. */
export function findOpenChange({ now }: Pick<AppLoadContext, "now">, owner: Owner, db: Db) {
  return db
    .select({ newEmail: accountLinks.email })
    .from(accountLinks)
    .where(sql`${IS_OPEN_CHANGE} AND user_id = ${owner} AND expires_at > ${now.getTime()}`);
}

/** The statement that ends a user's open change, under a condition. */
export function endOpenChange(db: Db, userId: number, onlyIf: SQL = sql`1`) {
  return db.delete(accountLinks).where(sql`${IS_OPEN_CHANGE} AND user_id = ${userId} AND ${onlyIf}`);
}
