import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { User } from "#app/accounts/user.ts";
import { userColumns } from "#app/accounts/user-columns.server.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { entries, ropeHours, users } from "#app/db/schema.ts";
import { searchText } from "#app/db/search-text.ts";
import { type Entry, entryColumns } from "#app/records/entry/entries.server.ts";
import { type RopeHours, ropeHoursColumns } from "#app/records/rope-hours/rope-hours.server.ts";

/** Which part of a list: what is searched for, behind which id it begins, and how many rows at most. */
export interface Part {
  search?: string;
  before?: number | null;
  limit?: number;
}

/** Of a list of records also whose; everybody's without. */
export interface RecordPart extends Part {
  userId?: number | null;
}

/** A record, and whose it is. */
type Owned<Record> = Record & { user: Pick<User, "id" | "name" | "email"> };
export type OwnedEntry = Owned<Entry>;
export type OwnedRopeHours = Owned<RopeHours>;

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

/** Everybody's entries, the last logged first; or one user's, the latest date first, as in their own log. */
export function listAllEntries(db: Db, asker: Owner, { search = "", userId, before, limit }: RecordPart = {}) {
  const places = { table: sql.raw("entries"), date: sql.raw("date") };
  return db
    .select(ownedEntryColumns)
    .from(entries)
    .where(and(placeIn(places, asker, userId, before), matches(sql`entries.search`, search)))
    .orderBy(...(userId ? [desc(entries.date)] : []), desc(entries.id))
    .limit(limit ?? -1);
}

/** The same of rope hours, by their start dates. */
export function listAllRopeHours(db: Db, asker: Owner, { search = "", userId, before, limit }: RecordPart = {}) {
  const places = { table: sql.raw("rope_hours"), date: sql.raw("start_date") };
  return db
    .select(ownedRopeHoursColumns)
    .from(ropeHours)
    .where(and(placeIn(places, asker, userId, before), matches(sql`rope_hours.search`, search)))
    .orderBy(...(userId ? [desc(ropeHours.startDate)] : []), desc(ropeHours.id))
    .limit(limit ?? -1);
}

/** The condition of a list of records: whose, and behind which of them. Each is a walk along an index or the table. */
function placeIn(
  { table, date }: { table: SQL; date: SQL },
  asker: Owner,
  userId: number | null | undefined,
  before: number | null | undefined,
): SQL {
  if (!userId) return sql`${table}.id < ${forAdmin(asker, before ?? END)}`;
  const ofUser = sql`${table}.user_id = ${forAdmin(asker, userId)}`;
  if (!before) return ofUser;
  const last = sql`SELECT last.${date}, last.id FROM ${table} AS last WHERE last.id = ${before}`;
  return sql`${ofUser} AND (${table}.${date}, ${table}.id) < (${last})`;
}

/** A user, for whose records are shown. */
export function findUser(db: Db, asker: Owner, id: number) {
  return db
    .select(userColumns)
    .from(users)
    .where(eq(users.id, forAdmin(asker, id)));
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
    .select(ownedEntryColumns)
    .from(entries)
    .where(eq(entries.id, forAdmin(asker, id)));
}

export function findOwnedRopeHours(db: Db, asker: Owner, id: number) {
  return db
    .select(ownedRopeHoursColumns)
    .from(ropeHours)
    .where(eq(ropeHours.id, forAdmin(asker, id)));
}

/** A record's columns, and its owner in one more: a join would have two columns of one name, which D1 shifts. */
const ownedEntryColumns = { ...entryColumns, user: ownerOf("entries") };
const ownedRopeHoursColumns = { ...ropeHoursColumns, user: ownerOf("rope_hours") };

function ownerOf(table: "entries" | "rope_hours") {
  const owner = sql`(SELECT json_object('id', id, 'name', name, 'email', email) FROM users
    WHERE id = ${sql.raw(table)}.user_id)`;
  return owner.mapWith((json: string): OwnedEntry["user"] => JSON.parse(json)).as("owner");
}

/** LIKE would take `%` and `_` for more than they are, and refuses long patterns. */
function matches(column: SQL, search: string): SQL | undefined {
  return search ? sql`instr(${column}, ${searchText(search)}) > 0` : undefined;
}
