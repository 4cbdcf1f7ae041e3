import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import { requireAdmin, userColumns } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import type { HistoryPage } from "#app/audit-log/log.server.ts";
import { IS_OF_ANY_KIND } from "#app/certification/progress.server.ts";
import { type History, historyFromRows, historyQueries } from "#app/corrections/history.server.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { isInPart } from "#app/db/parts.server.ts";
import { supervisors, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { searchText } from "#app/plain-text.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import type { AnyRecord, Kind } from "#app/records/kind.ts";
import {
  BYTES_OF_RECORD,
  findRecord,
  IS_LIVE,
  isRestorableByAdmin,
  type RowQuery,
  selectRecords,
  VERIFIED_HOURS,
} from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { contains, type Rest, stepOf } from "#app/records/search.server.ts";

/** A page of a list: the search text, the id of the last row of the page before, and the number of rows. */
interface PageQuery {
  search?: string;
  before?: number | null;
  limit?: number;
}

/** For a list of records: the user who owns them, or null for all users. */
interface RecordPageQuery extends PageQuery {
  userId?: number | null;
}

export type OwnedRecord = AnyRecord & { user: Pick<User, "id" | "name" | "email"> };

/** Greater than any id. */
const END = Number.MAX_SAFE_INTEGER;

/**
 * SQL: the value if the viewer is an admin who is not locked, else NULL, to which no id is equal or less. So the batch that looks up the
 * viewer reads no rows for other users. Column names are written as text, because Drizzle omits the table name in
 * queries of one table, and the subquery would then use its own columns.
 */
export function ifAdmin(viewer: Owner, value: number): SQL<number> {
  return sql<number>`(SELECT ${value} FROM users AS viewer WHERE viewer.id = ${viewer} AND viewer.is_admin = 1
    AND viewer.locked_at IS NULL)`;
}

/** The columns of a user that admins see. */
export const adminUserColumns = { ...userColumns, lockedAt: users.lockedAt, leftOn: users.leftOn };
export type AdminUser = User & { lockedAt: Date | null; leftOn: string | null };

/** The bytes of a user in a list, and of the user beside a record. */
const BYTES_OF_USER = sql`(100 + octet_length(email) + coalesce(octet_length(name), 0) + coalesce(octet_length(employee_number), 0))`;
const BYTES_OF_OWNER = sql`(SELECT octet_length(email) + coalesce(octet_length(name), 0) FROM ${users} WHERE id = records.user_id)`;

/** A part of the users, newest first. They are sorted by id, so a page reads only its own rows. */
export function listUsers(db: Db, viewer: Owner, query: PageQuery = {}) {
  const { where, order, limit } = partOfUsers(viewer, query);
  return db.select(adminUserColumns).from(users).where(where).orderBy(order).limit(limit);
}

/** A user in the list of the page, with what they have logged until today: OJT and rope hours. */
export type UserRow = AdminUser & {
  /** In hundredths. */
  verified: number;
  /** The date of the last one. */
  last: string | null;
};

/** `listUsers` for the page: of each user on it the covering index is read, as in the list of progress. */
export function listUserRows(db: Db, viewer: Owner, { today, ...query }: PageQuery & { today: string }) {
  const { where, order, limit } = partOfUsers(viewer, query);
  const own = sql`FROM ${records} WHERE records.user_id = users.id AND ${IS_OF_ANY_KIND} AND date <= ${today}`;
  return db
    .select({
      ...adminUserColumns,
      verified: sql<number>`(SELECT ${VERIFIED_HOURS} ${own})`.as("verified_hundredths"),
      last: sql<string | null>`(SELECT max(date) ${own})`.as("last_day"),
    })
    .from(users)
    .where(where)
    .orderBy(order)
    .limit(limit);
}

function partOfUsers(viewer: Owner, { search = "", before, limit = -1 }: PageQuery) {
  const where = and(lt(users.id, ifAdmin(viewer, before ?? END)), matches(sql`users.search`, search));
  const order = desc(users.id);
  return { where: isInPart({ from: users, where, order, bytes: BYTES_OF_USER, limit }), order, limit };
}

/**
 * A step of the search (`readSteps`) for a part of all users' records of a kind, newest id first; or of one user's, sorted by
 * date as in their own log. Without a text it is all of the part.
 */
export function findAllRecords(db: Db, viewer: Owner, kind: Kind, query: RecordPageQuery, from?: Rest) {
  const { search, userId, before } = query;
  const where = and(sql`kind = ${kind.name} AND ${IS_LIVE}`, listStart(viewer, userId, before));
  const by = userId ? "date" : "id";
  const text = search ? sql`(${contains(kind, search)} OR ${isOfFound(search)})` : undefined;
  return stepOf(db, text, { where, by }, (found) => listAllRecords(db, viewer, kind, query, found), from);
}

/** A part of such records. */
export function listAllRecords(
  db: Db,
  viewer: Owner,
  kind: Kind,
  { userId, before, limit }: RecordPageQuery = {},
  found?: SQL,
): RowQuery<OwnedRecord> {
  return selectOwned(db, kind, {
    where: and(listStart(viewer, userId, before), found),
    orderBy: [...(userId ? [desc(records.date)] : []), desc(records.id)],
    limit,
    bytes: sql`(${BYTES_OF_RECORD} + ${BYTES_OF_OWNER})`,
  });
}

export function findOwnedRecord(
  db: Db,
  viewer: Owner,
  kind: Kind,
  id: number,
  more: Record<string, SQL.Aliased> = {},
): RowQuery<OwnedRecord> {
  return selectOwned(db, kind, { where: eq(records.id, ifAdmin(viewer, id)), more });
}

/** How many deleted records a list has at most: it has no pages, because each record leaves it within a day. */
const DELETED_MAX = 200;

/** The records of a kind that were deleted within 24 hours, the last one first; of all users or of one. */
export function listDeleted(
  db: Db,
  viewer: Owner,
  kind: Kind,
  { now, userId }: { now: Date; userId: number | null },
): RowQuery<OwnedRecord> {
  const ofUser = userId ? sql`user_id = ${ifAdmin(viewer, userId)}` : sql`records.id < ${ifAdmin(viewer, END)}`;
  return selectOwned(db, kind, {
    where: ofUser,
    exists: isRestorableByAdmin(now),
    orderBy: [desc(records.deletedAt), desc(records.id)],
    limit: DELETED_MAX,
  });
}

/** Selects records and, as one more column, their owner. Not a join, because D1 shifts two columns of one name. */
function selectOwned(db: Db, kind: Kind, selection: Parameters<typeof selectRecords>[2]): RowQuery<OwnedRecord> {
  const owner = sql`(SELECT json_object('id', id, 'name', name, 'email', email) FROM users WHERE id = records.user_id)`;
  const user = owner.mapWith((json: string): OwnedRecord["user"] => JSON.parse(json)).as("technician");
  return selectRecords(db, kind, {
    ...selection,
    more: { ...selection.more, user },
  }) as unknown as RowQuery<OwnedRecord>; // with `user`
}

/** The condition for the owner and the page of a list of records. It uses an index or the id. */
function listStart(viewer: Owner, userId: number | null | undefined, before: number | null | undefined): SQL {
  if (!userId) return sql`records.id < ${ifAdmin(viewer, before ?? END)}`;
  const ofUser = sql`records.user_id = ${ifAdmin(viewer, userId)}`;
  if (typeof before !== "number") return ofUser;
  const last = sql`SELECT last.date, last.id FROM ${records} AS last WHERE last.id = ${before}`;
  return sql`${ofUser} AND (records.date, records.id) < (${last})`;
}

export function findUser(db: Db, viewer: Owner, id: number) {
  return db
    .select(userColumns)
    .from(users)
    .where(eq(users.id, ifAdmin(viewer, id)));
}

export type UserWithCounts = User & { counts: Record<string, number> };

/** A user, with the numbers of records and supervisors that would be deleted with them. */
export function findUserWithCounts(db: Db, viewer: Owner, id: number) {
  const counts = [
    ...KINDS.map(
      ({ name }) => sql`${name}, (SELECT count(*) FROM ${records}
        WHERE user_id = users.id AND kind = ${name} AND ${IS_LIVE})`,
    ),
    sql`'supervisors', (SELECT count(*) FROM ${supervisors} WHERE user_id = users.id)`,
  ];
  return db
    .select({
      ...userColumns,
      counts: sql`json_object(${sql.join(counts, sql`, `)})`
        .mapWith((json: string): UserWithCounts["counts"] => JSON.parse(json))
        .as("counts"),
    })
    .from(users)
    .where(eq(users.id, ifAdmin(viewer, id)));
}

/** The condition that a text is in the name, email address or employee number of a record's technician. */
function isOfFound(search: string): SQL {
  return sql`records.user_id IN (SELECT users.id FROM ${users} WHERE ${matches(sql`users.search`, search)})`;
}

/**
 * Returns the condition that a column contains the text. Not LIKE, in which `%` and `_` are wildcards and long patterns
 * are errors.
 */
function matches(column: SQL, search: string): SQL | undefined {
  return search ? sql`instr(${column}, ${searchText(search)}) > 0` : undefined;
}

/**
 * A page of the history of any user's record, in one round trip, without the token of its link.
 * @throws as `requireAdmin`, and 404 if there is no such record
 */
export async function findHistoryForAdmin(
  context: AppLoadContext,
  kind: Kind,
  id: number,
  page: HistoryPage,
): Promise<{ user: User; history: History }> {
  const ownerOf = (viewer: Owner) =>
    sql<number>`(SELECT user_id FROM ${records} WHERE id = ${ifAdmin(viewer, id)} AND ${IS_LIVE})`;
  const { user, found, owner, ...events } = await requireAdmin(context, (viewer, db) => ({
    found: findRecord(db, ownerOf(viewer), kind, id),
    owner: db
      .select({ name: users.name, email: users.email, employeeNumber: users.employeeNumber })
      .from(users)
      .where(eq(users.id, ownerOf(viewer))),
    ...historyQueries(db, ifAdmin(viewer, id), ownerOf(viewer), page),
  }));
  const [record] = found;
  const [person] = owner;
  if (!record || !person) throw new AppError("not_found", kind.adminTexts.missing);
  const whose = { name: person.name ?? person.email, employeeNumber: person.employeeNumber };
  return { user, history: historyFromRows(kind, record, whose, events, page) };
}
