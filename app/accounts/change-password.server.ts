import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "#app/calendar-date.ts";
import { batch } from "#app/db/client.server.ts";
import { raiseRevisions } from "#app/db/commit.server.ts";
import { outbox, sessions, users } from "#app/db/schema.ts";
import { mayHaveArrived, queueMessage } from "#app/mail/outbox.server.ts";
import { afterAttempt, latest } from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { sessionId } from "./access.server.ts";
import { apiTokens } from "./api-tokens.table.ts";
import { requirePassword } from "./own-password.server.ts";
import { hashPassword } from "./password.server.ts";
import { endOpenChange } from "./request-email-change.server.ts";
import type { PasswordChange } from "./user.schema.ts";

/** The most emails of this kind to one account in 24 hours. */
const MAX_A_DAY = 3;

/**
 * The statements after that which stores a new password, which do something only if it was stored: they end all of the user's
 * sessions but the one with the id `kept`, all API tokens and any open change of the email address, and queue an email.
 */
export function afterNewPassword(context: AppLoadContext, userId: number, password: string, kept = "") {
  const { db } = context;
  // Each hash has a salt of its own.
  const isStored = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${userId} AND password = ${password})`;
  return {
    ended: db
      .delete(sessions)
      .where(sql`user_id = ${userId} AND id <> ${kept} AND ${isStored}`)
      .returning({ reference: sessions.reference }),
    tokens: db.delete(apiTokens).where(sql`user_id = ${userId} AND ${isStored}`),
    change: endOpenChange(db, userId, isStored),
    mail: queuePasswordChangedEmail(context, userId, isStored),
  };
}

/** The statement that queues the email about a user's changed password, at most three in 24 hours. */
function queuePasswordChangedEmail(context: AppLoadContext, userId: number, isStored: SQL) {
  const since = context.now.getTime() - DAY_MS;
  const until = latest(context.now).getTime();
  return queueMessage(context, {
    kind: "password_changed",
    userId: sql`${userId}`,
    from: sql`WHERE ${isStored} AND (SELECT count(*) FROM ${outbox} WHERE user_id = ${userId} AND kind = 'password_changed'
      AND created_at > ${since} AND created_at <= ${until} AND ${mayHaveArrived}) < ${MAX_A_DAY}`,
  });
}

export const PASSWORD_CHANGED = {
  title: "Password changed",
  text: "Every other device has been signed out, and all API tokens have ended.",
};

/**
 * Changes the signed-in user's password, ends all other sessions, all API tokens, any open reset link and any open
 * change of the email address, and queues an email. Other sessions cannot keep it from being stored (`raiseRevisions`).
 * If two changes are sent at once, one succeeds, and the other is refused because the password was just changed.
 * @throws as `requirePassword`
 */
export async function changePassword(
  context: AppLoadContext,
  { currentPassword, newPassword }: PasswordChange,
): Promise<void> {
  const { db } = context;
  const { user, uncount, isUnchanged, refusalNow } = await requirePassword(context, currentPassword, "currentPassword");
  const hashing = hashPassword({ whose: String(user.id), signal: context.signal }, newPassword);
  const password = await afterAttempt(uncount, hashing);
  const { updated, ended } = await batch(db, {
    guard: raiseRevisions(db, sql`${user.id}`),
    uncount,
    updated: db
      .update(users)
      .set({ password, resetToken: null, resetTokenExpiry: null, resetNonce: null })
      .where(isUnchanged)
      .returning({ id: users.id }),
    ...afterNewPassword(context, user.id, password, sessionId(context.sessionToken ?? "")),
  });
  if (updated.length === 0) throw await refusalNow();
  securityEvent(context, "password_changed", { sessions: ended.length });
}
