import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { queuePasswordChangedEmail } from "#app/accounts/change-password.server.ts";
import { batch, type Db } from "#app/db/client.server.ts";
import { adminResets, sessions, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { queueMessage } from "#app/mail/outbox.server.ts";
import type { MailEnv } from "#app/mail/settings.server.ts";
import {
  attemptAtLimit,
  countAttempt,
  dailyResetLimit,
  requireBelowLimit,
  resetLimit,
  TOO_MANY_TOKENS,
  tokenLimit,
} from "#app/server/attempt-limits.server.ts";
import type { Env } from "#app/server/env.ts";
import { logEvent, securityEvent } from "#app/server/logger.server.ts";
import { adminToReset, settingsProblem } from "#app/server/settings.ts";
import { apiTokens } from "./api-tokens.table.ts";
import { mayMailReset } from "./email-confirmation.server.ts";
import { hashLinkToken, LINK_MS, linkToken, newNonce } from "./link-token.server.ts";
import { hashPassword } from "./password.server.ts";
import { endOpenChange } from "./request-email-change.server.ts";

/** The answer for every address, registered or not (spec section 8). */
export const RESET_REQUESTED =
  "If your email exists in our system, we've sent you instructions to reset your password.";

/** The message of a link that no longer works. */
export const RESET_LINK_ENDED =
  "This reset link has been used, has expired or was replaced by a newer one. Request a new link.";

/** The message after a reset (spec section 8). */
export const RESET_DONE = { title: "Password reset successful", text: "You can now log in with your new password" };

/**
 * Queues an email with a reset link, if the address is registered; an earlier link ends. For an unknown address, and over
 * the limit, the same statements run and select no row, so that the answer and its time are the same.
 */
export async function requestReset(context: AppLoadContext, email: string): Promise<void> {
  const { db, mail, now } = context;
  const fullDay = attemptAtLimit(context, dailyResetLimit(context, email));
  const { full, fullToday, found } = await batch(db, {
    fullToday: fullDay,
    ...countAttempt(context, resetLimit(context, email), sql`NOT EXISTS ${fullDay}`),
    found: db.select({ id: users.id }).from(users).where(eq(users.email, email)),
  });
  const id = (full.length === 0 && fullToday.length === 0 && found[0]?.id) || 0; // no user has this id
  securityEvent(context, "reset_asked", { account: id || null });
  // Where mail is off nobody gets this link, so it does not end one that an admin has given to its user.
  const hasNone = sql`(${mail.isConfigured ? 1 : 0} OR reset_token_expiry IS NULL OR reset_token_expiry <= ${now.getTime()})`;
  await batch(db, newResetLink(context, { id, email, isOne: sql`${id} AND ${hasNone}` }).statements);
}

/**
 * A new reset link of a user: its token, and the statements that store it and queue its email. They store none if the address is
 * not confirmed and gets no more emails today.
 */
export function newResetLink(context: AppLoadContext, { id, email, isOne = sql`${id}` }: ResetUser) {
  const { db, now, secret, mail } = context;
  const { nonce, token, columns } = newLink(secret, id, now);
  const isSent = sql`${mail.isConfigured ? 1 : 0} AND EXISTS (SELECT 1 FROM ${users}
    WHERE id = ${id} AND reset_nonce = ${nonce} AND email_confirmed_at IS NULL)`;
  const { isFree, counted } = mayMailReset(context, email, isSent);
  const statements = {
    updated: db.update(users).set(columns).where(sql`id = ${isOne} AND ${isFree}`).returning({ id: users.id }),
    ...counted,
    mail: queueMessage(context, {
      kind: "password_reset",
      userId: sql`id`,
      from: sql`FROM ${users} WHERE id = ${id} AND reset_nonce = ${nonce}`,
    }).returning({ state: sql<string>`state` }),
  };
  return { token, statements };
}

/** The token of a new link of a user, and the columns that store it. */
function newLink(secret: string, id: number, now: Date) {
  const nonce = newNonce();
  const token = linkToken(secret, "password reset", id, nonce);
  const resetTokenExpiry = new Date(now.getTime() + LINK_MS);
  return { nonce, token, columns: { resetToken: hashLinkToken(token), resetTokenExpiry, resetNonce: nonce } };
}

/** Whether the log says that RESET_ADMIN names no admin: once for each start of the runtime's process. */
let isRefusalLogged = false;

/**
 * Logs a link that sets a new password for the admin whose address is in `RESET_ADMIN`, without an
 * email. It makes one only: a used or expired link is not replaced, at no start, until this has run without the setting or with
 * another address. For an address without an admin who may sign in, it logs that and changes nothing.
 */
export async function logAdminReset({ db, now }: { db: Db; now: Date }, env: Env & MailEnv): Promise<void> {
  const { SESSION_SECRET: secret } = env;
  if (!secret || settingsProblem(env)) return; // each request logs why
  const email = adminToReset(env);
  const isAdmin = and(eq(users.email, email ?? ""), eq(users.isAdmin, true), isNull(users.lockedAt));
  const { found, made } = await batch(db, {
    // `> 0` is all of them, by the key: no statement scans a table.
    ended: db
      .delete(adminResets)
      .where(sql`user_id > 0 AND user_id NOT IN (SELECT id FROM users WHERE email = ${email ?? ""})`),
    found: db.select({ id: users.id }).from(users).where(isAdmin),
    made: db
      .select()
      .from(adminResets)
      .where(sql`user_id = (SELECT id FROM users WHERE email = ${email ?? ""})`),
  });
  const [admin] = found;
  if (!email || made.length > 0) return;
  if (!admin) {
    if (!isRefusalLogged) logEvent("warn", "admin reset refused", { advice: NO_ADMIN });
    isRefusalLogged = true;
    return;
  }
  const { nonce, token, columns } = newLink(secret, admin.id, now);
  const { updated } = await batch(db, {
    updated: db
      .update(users)
      .set(columns)
      .where(
        and(isAdmin, eq(users.id, admin.id), sql`NOT EXISTS (SELECT 1 FROM admin_resets WHERE user_id = ${admin.id})`),
      )
      .returning({ id: users.id }),
    noted: db
      .insert(adminResets)
      .select(sql`SELECT id, ${now.getTime()} FROM ${users} WHERE id = ${admin.id} AND reset_nonce = ${nonce}`),
  });
  if (updated.length === 0) return; // another run was first
  // Without an address the app answers on this machine only, by default at this port.
  const origin = new URL(env.PUBLIC_ORIGIN || env.LOCAL_ORIGIN || "http://localhost:8787").origin;
  logEvent("warn", "admin reset", { account: admin.id, link: `${origin}/reset-password/${token}`, advice: RESET_ONCE });
}

const NO_ADMIN =
  "RESET_ADMIN is not the address of an admin who may sign in, so there is no link, and nothing was changed.";

const RESET_ONCE =
  "With this link the admin of RESET_ADMIN sets a new password, within an hour and once. Remove the setting then. For another link start without it, and again with it a minute later.";

interface ResetUser {
  id: number;
  email: string;
  /** The id under a condition, as `ifAdmin` makes it. */
  isOne?: SQL<number>;
}

/**
 * Whether a reset link works.
 * @throws {AppError} 429 after too many unknown tokens from one network
 */
export async function isResetOpen(context: AppLoadContext, token: string): Promise<boolean> {
  return (await findUserByToken(context, token)) !== undefined;
}

/**
 * Sets a new password with a reset link, and ends all sessions and API tokens of its user and any open change of the email
 * address: a thief who knew the old password may have made them. It confirms the address, which the link was mailed to. The
 * statement consumes the token, so of any
 * number of uses one succeeds.
 * @throws {AppError} 400 for an unknown, used or expired token; 429 after too many unknown tokens from one network or if
 *   the hash queue is full
 */
export async function resetPassword(context: AppLoadContext, token: string, newPassword: string): Promise<void> {
  const { db, now } = context;
  const ended = new AppError("link_ended", RESET_LINK_ENDED);
  // Checked before hashing, so that invalid tokens cost no hash.
  const user = await findUserByToken(context, token);
  if (!user) {
    securityEvent(context, "reset_refused");
    throw ended;
  }
  const password = await hashPassword({ whose: String(user.id), signal: context.signal }, newPassword);
  // The hash has its own salt, so the later statements select this user only if the first one set the password.
  const changed = sql`id = ${user.id} AND password = ${password}`;
  const { reset } = await batch(db, {
    reset: db
      .update(users)
      .set({
        password,
        resetToken: null,
        resetTokenExpiry: null,
        resetNonce: null,
        emailConfirmedAt: sql`coalesce(email_confirmed_at, ${now.getTime()})`,
      })
      .where(isOpen(token, now))
      .returning({ id: users.id }),
    ended: db.delete(sessions).where(sql`user_id IN (SELECT id FROM ${users} WHERE ${changed})`),
    tokens: db.delete(apiTokens).where(sql`user_id IN (SELECT id FROM ${users} WHERE ${changed})`),
    change: endOpenChange(db, changed),
    mail: queuePasswordChangedEmail(context, changed),
  });
  if (reset.length === 0) throw ended;
  securityEvent(context, "reset_used", { account: user.id });
}

function isOpen(token: string, now: Date) {
  return and(eq(users.resetToken, hashLinkToken(token)), gt(users.resetTokenExpiry, now));
}

async function findUserByToken(context: AppLoadContext, token: string): Promise<{ id: number } | undefined> {
  const { db, now } = context;
  const limit = tokenLimit(context);
  const user = db
    .select({ id: users.id, expiry: users.resetTokenExpiry })
    .from(users)
    .where(eq(users.resetToken, hashLinkToken(token)));
  const { full, found } = await batch(db, {
    ...countAttempt(context, limit, sql`NOT EXISTS ${user}`),
    found: user,
  });
  const [holder] = found;
  // A valid link works whatever the limit: others on the same network may have used it up.
  if (!holder) requireBelowLimit(context, limit, full, TOO_MANY_TOKENS);
  return holder?.expiry && holder.expiry > now ? holder : undefined;
}
