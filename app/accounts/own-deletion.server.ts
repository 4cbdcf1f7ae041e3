import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { raiseRevisions } from "#app/db/commit.server.ts";
import { sessions, supervisors, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { requirePassword } from "./own-password.server.ts";
import { ADMIN_STAYS } from "./user.ts";

/** Counts a user's rows of a table, or those that meet the condition `where`. */
export interface Counted {
  term: string;
  table: SQLiteTable;
  where?: SQL;
}

export type OwnRecordCounts = [term: string, count: number][];

/** Counts what is deleted with an account, in the order of the page: `records` comes from a module above this one. */
export function countOwnRecords({ now }: AppLoadContext, owner: Owner, db: Db, records: Counted[]) {
  const own: Counted[] = [
    { term: "Supervisors", table: supervisors },
    { term: "Sessions", table: sessions, where: sql`expires_at > ${now.getTime()}` },
  ];
  const counts = [...records, ...own].map(
    ({ term, table, where = sql`TRUE` }) =>
      sql`json_array(${term}, (SELECT count(*) FROM ${table} WHERE user_id = users.id AND ${where}))`,
  );
  return db
    .select({
      counts: sql`json_array(${sql.join(counts, sql`, `)})`
        .mapWith((json: string): OwnRecordCounts => JSON.parse(json))
        .as("counts"),
    })
    .from(users)
    .where(eq(users.id, owner));
}

/**
 * Deletes the signed-in user's account and, in the same transaction, all of their data (foreign keys cascade). Other sessions
 * cannot keep it from being stored (`raiseRevisions`).
 * @throws as `requirePassword`; {AppError} 409 for an admin
 */
export async function deleteOwnAccount(context: AppLoadContext, password: string): Promise<void> {
  const { db } = context;
  const { user, uncount, isUnchanged, refusalNow } = await requirePassword(context, password, "password");
  if (user.isAdmin) {
    await uncount;
    throw new AppError("last_admin", ADMIN_STAYS);
  }
  const { deleted } = await batch(db, {
    guard: raiseRevisions(db, sql`${user.id}`),
    uncount,
    deleted: db.delete(users).where(sql`${isUnchanged} AND is_admin = 0`).returning({ id: users.id }),
  });
  if (deleted.length === 0) throw await refusalNow();
  securityEvent(context, "account_deleted", { account: user.id });
}
