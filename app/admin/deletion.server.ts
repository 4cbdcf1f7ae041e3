import { eq, inArray, sql } from "drizzle-orm";
import { batch, type Db } from "#app/db/client.server.ts";
import { entries, users } from "#app/db/schema.ts";
import { Refusal } from "#app/http/refusal.ts";
import { forAdmin } from "./lists.server.ts";

/**
 * Deletes a user, and in the same transaction their sessions, supervisors, entries and rope hours (foreign keys
 * cascade). Who may be deleted, and whether the asker still may delete, is decided in the statement: of two admins who
 * delete each other at once, one stays.
 * @throws {Refusal} 401 or 403 where the asker is no admin any more, 404 where there is no such user, 409 for the
 *   asker's own account and for the last admin
 */
export async function deleteUser(db: Db, adminId: number, id: number): Promise<void> {
  const anotherAdmin = sql`SELECT 1 FROM users AS other WHERE other.is_admin = 1 AND other.id <> ${id}`;
  const { deleted, left, another } = await batch(db, {
    deleted: db
      .delete(users)
      .where(
        sql`users.id = ${forAdmin(adminId, id)} AND users.id <> ${adminId}
          AND (users.is_admin = 0 OR EXISTS (${anotherAdmin}))`,
      )
      .returning({ id: users.id }),
    left: db
      .select({ id: users.id, isAdmin: users.isAdmin })
      .from(users)
      .where(inArray(users.id, [id, adminId])),
    another: db.select({ exists: sql<number>`EXISTS (${anotherAdmin})`.as("another") }).from(sql`(SELECT 1)`),
  });
  if (deleted.length > 0) return;
  const target = left.find((user) => user.id === id);
  if (id === adminId && target) throw new Refusal(409, "You can't delete your own account.");
  if (target?.isAdmin && !another[0]?.exists) {
    throw new Refusal(409, "This is the last admin. Make somebody else an admin first.");
  }
  const asker = left.find((user) => user.id === adminId);
  if (!asker) throw new Refusal(401, "Unauthorized");
  if (!asker.isAdmin) throw new Refusal(403, "Access Denied: You don't have permission to access the admin page.");
  throw new Refusal(404, "There is no such user.");
}

/**
 * Deletes an entry, verified or not, and with it its link.
 * @throws {Refusal} 404 where there is no such entry
 */
export async function deleteEntry(db: Db, adminId: number, id: number): Promise<void> {
  const deleted = await db
    .delete(entries)
    .where(eq(entries.id, forAdmin(adminId, id)))
    .returning({ id: entries.id });
  if (deleted.length === 0) throw new Refusal(404, "There is no such entry.");
}
