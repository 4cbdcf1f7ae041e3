import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { batch, type Db, insertSelect, type Owner } from "#app/db/client.server.ts";
import { raiseRevisions } from "#app/db/commit.server.ts";
import { emailChanges, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { queueMessage } from "#app/mail/outbox.server.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import {
  countAttempt,
  emailChangeLimits,
  isBelowLimits,
  requireBelowLimit,
} from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { sessionOwner, unauthorized } from "./access.server.ts";
import { hashLinkToken, LINK_MS, linkToken, newNonce } from "./link-token.server.ts";
import { areSupervisorsUnchanged, supervisorAddresses, supervisorMailboxReason } from "./own-addresses.server.ts";
import { requirePassword, wrongPassword } from "./own-password.server.ts";
import type { EmailChange } from "./user.schema.ts";

/** The answer for every new address, with an account or without one. */
const REQUESTED = "We've sent a link to the new address. Open it within one hour to change your email address.";

const NOT_CONFIGURED = "Email is not set up on this server, so no link was sent and your address stays the same.";

/** What to tell the user after a request. */
export function emailChangeMessage({ mail }: AppLoadContext): string {
  return mail.isConfigured ? REQUESTED : NOT_CONFIGURED;
}

/**
 * Starts a change of the signed-in user's email address: stores it, ends the user's earlier open change, and queues an
 * email with a link to the new address and a notice to the current one. For an address that has an account the same
 * statements run: only when the first email is composed does it become another one (emails.server.ts), so
 * neither the answer nor its time tells them apart.
 * @throws as `requirePassword`; {AppError} 400 on `email` for the user's own address or a supervisor's; 429 after too
 *   many requests of the account or to the address
 */
export async function requestEmailChange(context: AppLoadContext, { email, password }: EmailChange): Promise<void> {
  const { db, now, secret } = context;
  const { user, hash, uncount, rows } = await requirePassword(
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
  const { full, counted } = countAttempt(
    context,
    limits,
    sql`EXISTS (SELECT 1 FROM ${emailChanges} WHERE token = ${token})`,
  );
  const isCurrentUser = and(eq(users.id, sessionOwner(context.sessionToken ?? "", now)), eq(users.password, hash));
  const message = { userId: sql`user_id`, submission: nonce, from: sql`FROM ${emailChanges} WHERE token = ${token}` };
  for (let { supervisors } = rows; ; ) {
    const mayStore = sql`${isCurrentUser} AND ${isBelowLimits(context, limits)}
      AND ${supervisorMailboxReason(supervisors, email) ? 0 : 1} AND ${areSupervisorsUnchanged(user.id, supervisors)}`;
    const found = await batch(db, {
      guard: raiseRevisions(db, sql`${user.id}`),
      uncount,
      full,
      supervisors: supervisorAddresses(db, user.id),
      ended: endOpenChange(db, mayStore),
      stored: insertSelect(
        db,
        emailChanges,
        { userId: sql`id`, oldEmail: sql`email`, newEmail: email, token, nonce, createdAt: now, expiresAt },
        sql`FROM ${users} WHERE ${mayStore}`,
      ).returning({ id: emailChanges.id }),
      counted,
      link: queueMessage(context, { ...message, kind: "email_change_link" }),
      notice: queueMessage(context, { ...message, kind: "email_change_notice" }),
      hasHash: db.select({ id: users.id }).from(users).where(isCurrentUser),
      current: db
        .select({ id: users.id })
        .from(users)
        .where(eq(users.id, sessionOwner(context.sessionToken ?? "", now))),
    });
    if (found.stored.length > 0) {
      securityEvent(context, "email_change_asked");
      return;
    }
    if (!found.current[0]) throw await unauthorized(context);
    const reason = supervisorMailboxReason(found.supervisors, email);
    if (reason) throw invalidEmail(reason);
    requireBelowLimit(context, ofAccount, found.full, "There were too many changes of your email address.");
    for (const limit of toMailbox)
      requireBelowLimit(context, limit, found.full, "There were too many emails to this address.");
    if (!found.hasHash[0]) throw wrongPassword("password", true);
    supervisors = found.supervisors; // one was added since they were read
  }
}

function invalidEmail(message: string): AppError {
  return new AppError("invalid", message, [{ path: "email", message }]);
}

/** How long a used change is kept, in milliseconds: longer than the outbox retries the email to the old address. */
export const USED_CHANGE_KEPT_MS = 25 * 60 * 60 * 1000;

/** The query for the owner's open change of the email address. */
export function findOpenChange({ now }: Pick<AppLoadContext, "now">, owner: Owner, db: Db) {
  return db
    .select({ newEmail: emailChanges.newEmail })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, owner), isNull(emailChanges.usedAt), gt(emailChanges.expiresAt, now)));
}

/** The statement that ends the open change of the user whom the condition `who` selects. */
export function endOpenChange(db: Db, who: SQL) {
  return db.delete(emailChanges).where(sql`used_at IS NULL AND user_id IN (SELECT id FROM ${users} WHERE ${who})`);
}
