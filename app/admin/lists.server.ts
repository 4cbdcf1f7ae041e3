import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { User } from "#app/accounts/user.ts";
import { userColumns } from "#app/accounts/user-columns.server.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { entries, users } from "#app/db/schema.ts";
import { searchText } from "#app/db/search-text.ts";
import { type Entry, entryColumns } from "#app/hours/entries.server.ts";

/** Which part of a list: what is searched for, behind which id it begins, and how many rows at most. */
export interface Part {
  search?: string;
  before?: number | null;
  limit?: number;
}

/** An entry, and whose it is. */
export type OwnedEntry = Entry & { user: Pick<User, "id" | "name" | "email"> };

/** Higher than any id. */
const END = Number.MAX_SAFE_INTEGER;

/**
 * A value where the asker is an admin, else NULL, which no id is equal to or below. So the one batch that finds out who
 * asks reads no row for anybody else. Column names are written out: in a query of one table Drizzle takes the table's
 * name off, and the inner table would answer to it.
 */
export function forAdmin(asker: Owner, value: number): SQL<number> {
  return sql<number>`(SELECT ${value} FROM users AS asker WHERE asker.id = ${asker} AND asker.is_admin = 1)`;
}

/** Users, the last registered first: by id, so a page is a walk along the table that ends when it is full. */
export function listUsers(db: Db, asker: Owner, { search = "", before, limit }: Part = {}) {
  return db
    .select(userColumns)
    .from(users)
    .where(and(lt(users.id, forAdmin(asker, before ?? END)), matches(sql`users.search`, search)))
    .orderBy(desc(users.id))
    .limit(limit ?? -1);
}

/** Everybody's entries, the last logged first. */
export function listAllEntries(db: Db, asker: Owner, { search = "", before, limit }: Part = {}) {
  return db
    .select(ownedColumns)
    .from(entries)
    .where(and(lt(entries.id, forAdmin(asker, before ?? END)), matches(sql`entries.search`, search)))
    .orderBy(desc(entries.id))
    .limit(limit ?? -1);
}

/** A user, with what would go with them. */
export function findUserWithCounts(db: Db, asker: Owner, id: number) {
  const countOf = (table: string) => sql<number>`(SELECT count(*) FROM ${sql.raw(table)} WHERE user_id = users.id)`;
  return db
    .select({
      ...userColumns,
      entries: countOf("entries").as("entry_count"),
      ropeHours: countOf("rope_hours").as("rope_hours_count"),
      supervisors: countOf("supervisors").as("supervisor_count"),
    })
    .from(users)
    .where(eq(users.id, forAdmin(asker, id)));
}

export function findOwnedEntry(db: Db, asker: Owner, id: number) {
  return db
    .select(ownedColumns)
    .from(entries)
    .where(eq(entries.id, forAdmin(asker, id)));
}

/** An entry's columns, and its owner in one more: a join would have two columns of one name, which D1 shifts. */
const ownedColumns = {
  ...entryColumns,
  user: sql`(SELECT json_object('id', id, 'name', name, 'email', email) FROM users WHERE id = entries.user_id)`
    .mapWith((json: string): OwnedEntry["user"] => JSON.parse(json))
    .as("owner"),
};

/** LIKE would take `%` and `_` for more than they are, and refuses long patterns. */
function matches(column: SQL, search: string): SQL | undefined {
  return search ? sql`instr(${column}, ${searchText(search)}) > 0` : undefined;
}
