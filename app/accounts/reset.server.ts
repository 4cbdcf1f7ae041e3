import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, gt, sql } from "drizzle-orm";
import { batch } from "#app/db/client.server.ts";
import { sessions, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { queueMessage } from "#app/mail/outbox.server.ts";
import {
  attemptAtLimit,
  countAttempt,
  dailyResetLimit,
  requireBelowLimit,
  resetLimit,
  TOO_MANY_TOKENS,
  tokenLimit,
} from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { hashPassword } from "./password.server.ts";
import { queuePasswordChangedEmail } from "./password-mail.server.ts";
import { hashResetToken, newNonce, RESET_MS, resetToken } from "./reset-token.server.ts";

/** What is answered to every address, known or not (spec section 8). */
export const RESET_REQUESTED =
  "If your email exists in our system, we've sent you instructions to reset your password.";

/** What a link says that leads nowhere any more. */
export const RESET_LINK_ENDED =
  "This reset link has been used, has expired or was replaced by a newer one. Ask for a new link.";

/** What is said after it went well (spec section 8). */
export const RESET_DONE = { title: "Password reset successful", text: "You can now log in with your new password" };

/**
 * Has a reset link mailed to an address, if somebody has registered it. The link before it, if any, ends. For an
 * unknown address, and for one that has had too many, the same statements find nothing: the answer and its time are
 * the same.
 */
export async function requestReset(context: AppLoadContext, email: string): Promise<void> {
  const { db, now, secret } = context;
  const fullDay = attemptAtLimit(context, dailyResetLimit(context, email));
  const { full, fullToday, found } = await batch(db, {
    fullToday: fullDay,
    ...countAttempt(context, resetLimit(context, email), sql`NOT EXISTS ${fullDay}`),
    found: db.select({ id: users.id }).from(users).where(eq(users.email, email)),
  });
  const id = (full.length === 0 && fullToday.length === 0 && found[0]?.id) || 0; // nobody's
  securityEvent(context, "reset_asked", { account: id || null });
  const nonce = newNonce();
  await batch(db, {
    made: db
      .update(users)
      .set({
        resetToken: hashResetToken(resetToken(secret, id, nonce)),
        resetTokenExpiry: new Date(now.getTime() + RESET_MS),
        resetNonce: nonce,
      })
      .where(eq(users.id, id)),
    mail: queueMessage(context, {
      kind: "password_reset",
      userId: sql`id`,
      from: sql`FROM ${users} WHERE id = ${id} AND reset_nonce = ${nonce}`,
    }),
  });
}

/**
 * Whether a reset link can be used.
 * @throws {AppError} 429 for an unknown token, after too many of them from one network
 */
export async function isResetOpen(context: AppLoadContext, token: string): Promise<boolean> {
  return (await userOf(context, token)) !== undefined;
}

/**
 * Sets a new password by a reset link and ends every session of its user. The statement decides: of any number of
 * uses, at any moment, one finds the token, and takes it away.
 * @throws {AppError} 400 for an unknown, used or expired token; 429 for an unknown one after too many of them from one
 *   network, or while too many wait for a hash
 */
export async function resetPassword(context: AppLoadContext, token: string, newPassword: string): Promise<void> {
  const { db, now } = context;
  const ended = new AppError(400, RESET_LINK_ENDED);
  // Asked before hashing: a made-up token must not keep the server busy.
  const user = await userOf(context, token);
  if (!user) {
    securityEvent(context, "reset_refused");
    throw ended;
  }
  const password = await hashPassword(newPassword);
  // The hash has a salt of its own, so the statements behind the first find its user, and nobody where it found none.
  const changed = sql`id = ${user.id} AND password = ${password}`;
  const { reset } = await batch(db, {
    reset: db
      .update(users)
      .set({ password, resetToken: null, resetTokenExpiry: null, resetNonce: null })
      .where(isOpen(token, now))
      .returning({ id: users.id }),
    ended: db.delete(sessions).where(sql`user_id IN (SELECT id FROM ${users} WHERE ${changed})`),
    mail: queuePasswordChangedEmail(context, changed),
  });
  if (reset.length === 0) throw ended;
  securityEvent(context, "reset_used", { account: user.id });
}

function isOpen(token: string, now: Date) {
  return and(eq(users.resetToken, hashResetToken(token)), gt(users.resetTokenExpiry, now));
}

async function userOf(context: AppLoadContext, token: string): Promise<{ id: number } | undefined> {
  const { db, now } = context;
  const limit = tokenLimit(context);
  const user = db
    .select({ id: users.id, expiry: users.resetTokenExpiry })
    .from(users)
    .where(eq(users.resetToken, hashResetToken(token)));
  const { full, found } = await batch(db, {
    ...countAttempt(context, limit, sql`NOT EXISTS ${user}`),
    found: user,
  });
  const [holder] = found;
  // Only what leads nowhere is refused: behind the same network may be somebody with a link that does.
  if (!holder) requireBelowLimit(context, limit, full, TOO_MANY_TOKENS);
  return holder?.expiry && holder.expiry > now ? holder : undefined;
}
