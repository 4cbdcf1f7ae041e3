import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, ne, sql } from "drizzle-orm";
import { batch } from "#app/db/client.server.ts";
import { sessions, users } from "#app/db/schema.ts";
import { afterAttempt } from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { unauthorized } from "./access.server.ts";
import { requirePassword, wrongPassword } from "./own-password.server.ts";
import { hashPassword } from "./password.server.ts";
import { queuePasswordChangedEmail } from "./password-mail.server.ts";
import { sessionId, sessionOwner } from "./sessions.server.ts";
import type { PasswordChange } from "./user.schema.ts";

/** What is said when it is done. */
export const PASSWORD_CHANGED = { title: "Password changed", text: "Every other device has been signed out." };

/**
 * Sets another password. Every other session ends, an open reset link too, and the change is mailed; this session
 * stays. The statement asks for the hash as it was read, and that the session has not ended meanwhile: of two changes
 * at once one is made, and the other is answered as if it had come a moment later.
 * @throws as `requirePassword`
 */
export async function changePassword(
  context: AppLoadContext,
  { currentPassword, newPassword }: PasswordChange,
): Promise<void> {
  const { db, now } = context;
  const { user, hash, noFailure } = await requirePassword(context, currentPassword, "currentPassword");
  const token = context.sessionToken ?? "";
  const password = await afterAttempt(noFailure, hashPassword(newPassword));
  // The hash has a salt of its own, so the statements behind the first find its user, and nobody where it found none.
  const changed = sql`id = ${user.id} AND password = ${password}`;
  const { made, ended, asker } = await batch(db, {
    noFailure,
    made: db
      .update(users)
      .set({ password, resetToken: null, resetTokenExpiry: null, resetNonce: null })
      .where(and(eq(users.id, sessionOwner(token, now)), eq(users.password, hash)))
      .returning({ id: users.id }),
    ended: db
      .delete(sessions)
      .where(and(sql`user_id IN (SELECT id FROM ${users} WHERE ${changed})`, ne(sessions.id, sessionId(token))))
      .returning({ reference: sessions.reference }),
    mail: queuePasswordChangedEmail(context, changed),
    asker: db
      .select({ id: users.id })
      .from(users)
      .where(eq(users.id, sessionOwner(token, now))),
  });
  if (made.length > 0) {
    securityEvent(context, "password_changed", { sessions: ended.length });
    return;
  }
  if (!asker[0]) throw await unauthorized(context);
  throw wrongPassword("currentPassword", true);
}
