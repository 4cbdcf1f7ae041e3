import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, sql } from "drizzle-orm";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { unauthorized } from "./access.server.ts";
import { requirePassword, wrongPassword } from "./own-password.server.ts";
import { sessionOwner } from "./sessions.server.ts";
import { ADMIN_STAYS } from "./user.ts";

export function countOwnRecords({ now }: AppLoadContext, owner: Owner, db: Db) {
  const countOf = (table: string, more = sql``) =>
    sql<number>`(SELECT count(*) FROM ${sql.raw(table)} WHERE user_id = users.id ${more})`;
  return db
    .select({
      entries: countOf("entries").as("entry_count"),
      verifiedEntries: countOf("entries", sql`AND verified = 1`).as("verified_count"),
      ropeHours: countOf("rope_hours").as("rope_hours_count"),
      supervisors: countOf("supervisors").as("supervisor_count"),
      sessions: countOf("sessions", sql`AND expires_at > ${now.getTime()}`).as("session_count"),
    })
    .from(users)
    .where(eq(users.id, owner));
}

export type OwnRecordCounts = Awaited<ReturnType<typeof countOwnRecords>>[number];

/**
 * Deletes the signed-in user's account and, in the same transaction, all of their data (foreign keys cascade). The
 * statement itself requires the password hash that was checked, a valid session, and a user who is not an admin.
 * @throws as `requirePassword`; {AppError} 409 for an admin
 */
export async function deleteOwnAccount(context: AppLoadContext, password: string): Promise<void> {
  const { db, now } = context;
  const { user, hash, uncount } = await requirePassword(context, password, "password");
  const isCurrentUser = eq(users.id, sessionOwner(context.sessionToken ?? "", now));
  const { deleted, left } = await batch(db, {
    uncount,
    deleted: db
      .delete(users)
      .where(and(isCurrentUser, eq(users.password, hash), eq(users.isAdmin, false)))
      .returning({ id: users.id }),
    left: db.select({ isAdmin: users.isAdmin }).from(users).where(isCurrentUser),
  });
  if (deleted.length > 0) {
    securityEvent(context, "account_deleted", { account: user.id });
    return;
  }
  if (!left[0]) throw await unauthorized(context);
  throw left[0].isAdmin ? new AppError(409, ADMIN_STAYS) : wrongPassword("password", true);
}
