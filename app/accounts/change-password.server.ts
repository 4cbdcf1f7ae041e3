import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "#app/calendar-date.ts";
import { batch } from "#app/db/client.server.ts";
import { outbox, sessions, users } from "#app/db/schema.ts";
import { mayHaveArrived, queueMessage } from "#app/mail/outbox.server.ts";
import { afterAttempt, latest } from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { sessionId, sessionOwner, unauthorized } from "./access.server.ts";
import { apiTokens } from "./api-tokens.table.ts";
import { requirePassword, wrongPassword } from "./own-password.server.ts";
import { hashPassword } from "./password.server.ts";
import { endOpenChange } from "./request-email-change.server.ts";
import type { PasswordChange } from "./user.schema.ts";

/** The most emails of this kind to one account in 24 hours. */
const MAX_A_DAY = 3;

/**
 * The statement that queues the email about a changed password, for the user that the condition `changed` selects, at
 * most three in 24 hours. It must follow the statement that sets the password, in the same batch.
 */
export function queuePasswordChangedEmail(context: AppLoadContext, changed: SQL) {
  const since = context.now.getTime() - DAY_MS;
  const until = latest(context.now).getTime();
  return queueMessage(context, {
    kind: "password_changed",
    userId: sql`${users}.id`,
    from: sql`FROM ${users} WHERE ${changed} AND (
      SELECT count(*) FROM ${outbox} WHERE user_id = ${users}.id AND kind = 'password_changed'
      AND created_at > ${since} AND created_at <= ${until} AND ${mayHaveArrived}) < ${MAX_A_DAY}`,
  });
}

export const PASSWORD_CHANGED = {
  title: "Password changed",
  text: "Every other device has been signed out, and all API tokens have ended.",
};

/**
 * Changes the signed-in user's password, ends all other sessions, all API tokens, any open reset link and any open change of
 * the email address, and queues an email. The statement itself requires the hash that was checked and a valid session: of two changes at once one succeeds, and the
 * other is told that the password was just changed.
 * @throws as `requirePassword`
 */
export async function changePassword(
  context: AppLoadContext,
  { currentPassword, newPassword }: PasswordChange,
): Promise<void> {
  const { db, now } = context;
  const { user, hash, uncount } = await requirePassword(context, currentPassword, "currentPassword");
  const token = context.sessionToken ?? "";
  const hashing = hashPassword({ whose: String(user.id), signal: context.signal }, newPassword);
  const password = await afterAttempt(uncount, hashing);
  // The hash has its own salt, so the later statements select this user only if the first one changed the password.
  const changed = sql`id = ${user.id} AND password = ${password}`;
  const { updated, ended, current } = await batch(db, {
    uncount,
    updated: db
      .update(users)
      .set({ password, resetToken: null, resetTokenExpiry: null, resetNonce: null })
      .where(and(eq(users.id, sessionOwner(token, now)), eq(users.password, hash)))
      .returning({ id: users.id }),
    ended: db
      .delete(sessions)
      .where(and(sql`user_id IN (SELECT id FROM ${users} WHERE ${changed})`, ne(sessions.id, sessionId(token))))
      .returning({ reference: sessions.reference }),
    tokens: db.delete(apiTokens).where(sql`user_id IN (SELECT id FROM ${users} WHERE ${changed})`),
    change: endOpenChange(db, changed),
    mail: queuePasswordChangedEmail(context, changed),
    current: db
      .select({ id: users.id })
      .from(users)
      .where(eq(users.id, sessionOwner(token, now))),
  });
  if (updated.length > 0) {
    securityEvent(context, "password_changed", { sessions: ended.length });
    return;
  }
  if (!current[0]) throw await unauthorized(context);
  throw wrongPassword("currentPassword", true);
}
