import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { User } from "#app/accounts/user.ts";
import { userColumns } from "#app/accounts/user-columns.server.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { supervisors, users } from "#app/db/schema.ts";
import { searchText } from "#app/db/search-text.ts";
import { columnSql } from "#app/records/kind.ts";
import { type AnyRecord, KINDS, type Kind } from "#app/records/kinds.ts";
import { type RowQuery, selectRecords } from "#app/records/queries.server.ts";

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

/** A record and its owner. */
export type OwnedRecord = AnyRecord & { user: Pick<User, "id" | "name" | "email"> };

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

/** All users' records of a kind, the last logged first; or one user's, the latest date first, as in their own log. */
export function listAllRecords(
  db: Db,
  asker: Owner,
  kind: Kind,
  { search = "", userId, before, limit }: RecordPart = {},
): RowQuery<OwnedRecord> {
  const { table } = kind;
  return selectOwned(db, kind, {
    where: and(listStart(kind, asker, userId, before), matches(sql`${table}.search`, search)),
    orderBy: [...(userId ? [desc(columnSql(kind, kind.dateField))] : []), desc(table.id)],
    limit,
  });
}

/** One record of any user, for an admin. */
export function findOwnedRecord(db: Db, asker: Owner, kind: Kind, id: number): RowQuery<OwnedRecord> {
  return selectOwned(db, kind, { where: eq(kind.table.id, forAdmin(asker, id)) });
}

/** Records, each with its owner in one more column: a join would have two columns of one name, which D1 shifts. */
function selectOwned(db: Db, kind: Kind, selection: Parameters<typeof selectRecords>[2]): RowQuery<OwnedRecord> {
  const owner = sql`(SELECT json_object('id', id, 'name', name, 'email', email) FROM users
    WHERE id = ${kind.table}.user_id)`;
  const user = owner.mapWith((json: string): OwnedRecord["user"] => JSON.parse(json)).as("owner");
  return selectRecords(db, kind, { ...selection, more: { user } }) as unknown as RowQuery<OwnedRecord>; // with `user`
}

/** The condition of a list of records: of which user, and after which record. Each is a walk along an index or the table. */
function listStart(
  kind: Kind,
  asker: Owner,
  userId: number | null | undefined,
  before: number | null | undefined,
): SQL {
  const { table } = kind;
  const date = columnSql(kind, kind.dateField);
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

export type UserWithCounts = User & { counts: Record<string, number> };

/** A user, with how many records of each kind, and how many supervisors, would be deleted with them. */
export function findUserWithCounts(db: Db, asker: Owner, id: number) {
  const tables = [...KINDS.map(({ name, table }) => [name, table] as const), ["supervisors", supervisors] as const];
  const counts = tables.map(([name, table]) => sql`${name}, (SELECT count(*) FROM ${table} WHERE user_id = users.id)`);
  return db
    .select({
      ...userColumns,
      counts: sql`json_object(${sql.join(counts, sql`, `)})`
        .mapWith((json: string): UserWithCounts["counts"] => JSON.parse(json))
        .as("counts"),
    })
    .from(users)
    .where(eq(users.id, forAdmin(asker, id)));
}

/** LIKE would take `%` and `_` for more than they are, and refuses long patterns. */
function matches(column: SQL, search: string): SQL | undefined {
  return search ? sql`instr(${column}, ${searchText(search)}) > 0` : undefined;
}
