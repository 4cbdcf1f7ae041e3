import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { emailChanges, users } from "#app/db/schema.ts";

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
