import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, inArray, ne } from "drizzle-orm";
import { batch } from "#app/db/client.server.ts";
import { entries, ropeHours, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { forAdmin } from "./lists.server.ts";
import { TAB_TEXTS } from "./tabs.ts";

/**
 * Deletes a user, and in the same transaction their sessions, supervisors, entries and rope hours (foreign keys
 * cascade). The statement itself asks that the asker is still an admin and is not the one who goes, so an admin stays
 * whatever happens: nobody can delete the last one, and of two who delete each other at once, one is left.
 * @throws {AppError} 401 or 403 where the asker is no admin any more, 404 where there is no such user, 409 for the
 *   asker's own account, which the last admin's always is
 */
export async function deleteUser(context: AppLoadContext, adminId: number, id: number): Promise<void> {
  const { db } = context;
  const { deleted, left } = await batch(db, {
    deleted: db
      .delete(users)
      .where(and(eq(users.id, forAdmin(adminId, id)), ne(users.id, adminId)))
      .returning({ id: users.id }),
    left: db
      .select({ id: users.id, isAdmin: users.isAdmin })
      .from(users)
      .where(inArray(users.id, [id, adminId])),
  });
  if (deleted.length > 0) return securityEvent(context, "user_deleted_by_admin", { account: id });
  const asker = left.find((user) => user.id === adminId);
  if (!asker) throw new AppError(401, "Unauthorized");
  if (!asker.isAdmin) throw new AppError(403, "Access Denied: You don't have permission to access the admin page.");
  if (id === adminId) throw new AppError(409, "You can't delete your own account. Another admin can.");
  throw new AppError(404, TAB_TEXTS.users.missing);
}

/**
 * Deletes an entry, verified or not, and with it its link.
 * @throws {AppError} 404 where there is no such entry
 */
export async function deleteEntry(context: AppLoadContext, adminId: number, id: number): Promise<void> {
  const deleted = await context.db
    .delete(entries)
    .where(eq(entries.id, forAdmin(adminId, id)))
    .returning({ id: entries.id });
  if (deleted.length === 0) throw new AppError(404, TAB_TEXTS.entries.missing);
  securityEvent(context, "record_deleted_by_admin", { kind: "entry", record: id });
}

/**
 * Deletes rope hours, verified or not, and with them their link.
 * @throws {AppError} 404 where there are no such rope hours
 */
export async function deleteRopeHours(context: AppLoadContext, adminId: number, id: number): Promise<void> {
  const deleted = await context.db
    .delete(ropeHours)
    .where(eq(ropeHours.id, forAdmin(adminId, id)))
    .returning({ id: ropeHours.id });
  if (deleted.length === 0) throw new AppError(404, TAB_TEXTS["rope-hours"].missing);
  securityEvent(context, "record_deleted_by_admin", { kind: "rope_hour", record: id });
}
