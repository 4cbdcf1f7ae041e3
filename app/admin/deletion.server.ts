import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { batch } from "#app/db/client.server.ts";
import { raiseRevisions } from "#app/db/commit.server.ts";
import { users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import type { Kind } from "#app/records/kind.ts";
import { IS_LIVE } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { endItemsOfDeleted } from "#app/verification/requests/end-request.server.ts";
import { ifAdmin } from "./lists.server.ts";
import { tabNamed } from "./view.ts";

/**
 * Deletes a user and all their data in one transaction (foreign keys cascade). The statement itself requires that the
 * viewer is still an admin and is not the deleted user. So at least one admin always remains: if two admins delete each
 * other at once, one of them stays.
 * @throws {AppError} 401 or 403 if the viewer is no longer an admin, 404 if the user does not exist, 409 for the
 * viewer's own account
 */
export async function deleteUser(context: AppLoadContext, adminId: number, id: number): Promise<void> {
  const { db } = context;
  const { deleted, left } = await batch(db, {
    deleted: db
      .delete(users)
      .where(and(eq(users.id, ifAdmin(adminId, id)), ne(users.id, adminId)))
      .returning({ id: users.id }),
    left: db
      .select({ id: users.id, isAdmin: users.isAdmin })
      .from(users)
      .where(inArray(users.id, [id, adminId])),
  });
  if (deleted.length > 0) return securityEvent(context, "user_deleted_by_admin", { account: id });
  const viewer = left.find((user) => user.id === adminId);
  if (!viewer) throw new AppError("unauthorized", "Unauthorized");
  if (!viewer.isAdmin)
    throw new AppError("admin_only", "Access Denied: You don't have permission to access the admin page.");
  if (id === adminId) throw new AppError("last_admin", "You can't delete your own account. Another admin can.");
  throw new AppError("not_found", tabNamed("users").texts.missing);
}

/**
 * Deletes a record, verified or not, and ends its requests.
 * @throws {AppError} 404 if there is no such record
 */
export async function deleteRecordAsAdmin(
  context: AppLoadContext,
  adminId: number,
  kind: Kind,
  id: number,
): Promise<void> {
  const { db, now } = context;
  const which = sql`id = ${ifAdmin(adminId, id)} AND kind = ${kind.name} AND ${IS_LIVE}`;
  const { deleted } = await batch(db, {
    guard: raiseRevisions(db, sql`SELECT user_id FROM ${records} WHERE ${which}`),
    ended: endItemsOfDeleted(db, sql<number>`(SELECT id FROM ${records} WHERE ${which})`, now),
    deleted: db.delete(records).where(which).returning({ id: records.id }),
  });
  if (deleted.length === 0) throw new AppError("not_found", kind.adminTexts.missing);
  securityEvent(context, "record_deleted_by_admin", { kind: kind.name, record: id });
}
