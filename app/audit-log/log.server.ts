import { randomBytes } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "#app/calendar-date.ts";
import { type Db, databaseMessage, type Query, quoted, type Rows } from "#app/db/client.server.ts";
import { retryOnConflict } from "#app/db/commit.server.ts";
import type { LogCause, LogEvent, Side, Via } from "#app/db/enumerations.ts";
import { eventCounts, eventFacts, hexOf, type LogRow, users, verificationLog } from "#app/db/schema.ts";
import { EVENT_BYTES, rowBytes, storing } from "#app/db/stored-bytes.server.ts";
import { AppError } from "#app/errors.ts";
import { waitUntil } from "#app/server/attempt-limits.server.ts";
import type { Client } from "#app/server/client-address.server.ts";
import { type AskedSupervisor, type EventFacts, factsAbout } from "./event-facts.ts";
import { eventHash, factsHash, NO_PREVIOUS, type StoredEvent, type StoredFacts } from "./event-hash.server.ts";

/*
 * The audit log: the events of each record's verification. The database allows only additions, and each event contains
 * the hash of the previous one, so an event that is altered, removed or inserted breaks all later hashes. The log does
 * not reference accounts and outlives them; the personal facts of events are in a table of their own, those about the
 * technician and those about the supervisor in a row each, which is erased with the account of the record's owner or
 * alone. Events that are appended together for one owner share the rows of equal facts: such events have the same time
 * as well, so their equal hashes say nothing more about erased facts. No row is shared with another owner, or with
 * events that are appended later.
 *
 * An event is appended in the same batch as its change, so both are stored or neither. SQLite has no SHA-256, so the
 * last event is read first. If another request appends an event in between, the database refuses the batch, and
 * `retryOnConflict` retries the whole operation.
 */

/** A new event without its position in the chain. Its personal facts (`EventFacts`) are stored apart from it. */
export interface NewEvent extends Omit<EventFacts, "address" | "browser"> {
  event: LogEvent;
  at: Date;
  client?: Pick<Client, "address" | "browser">;
  /** For `withdrawn`: why the request ended. */
  cause?: LogCause;
  /** For a supervisor's decision: how they came. */
  via?: Via;
  /** `recordHash` of the record at that time. */
  recordHash: string;
}

export type LastEvent = Pick<LogRow, "number" | "hash" | "at">;

/** Where an event is appended: after the `last` event of a record, which `lastEvent` has read. `userId` is its owner. */
interface EventPosition {
  id: number;
  userId: number;
  last: LastEvent | undefined;
}

/** The query for a record's last event, with no row if it has none. `id` may be an expression. */
export function lastEvent(db: Db, id: number | SQL<number>) {
  return db
    .select({ number: verificationLog.number, hash: hexOf(verificationLog.hash), at: verificationLog.at })
    .from(verificationLog)
    .where(eq(verificationLog.recordId, id))
    .orderBy(desc(verificationLog.number))
    .limit(1);
}

/** The query for the last events of several records, which `ids` selects. */
export function lastEvents(db: Db, ids: SQL) {
  return db
    .select({
      recordId: verificationLog.recordId,
      number: sql<number>`max(${verificationLog.number})`.as("last_number"),
      // SQLite takes the other columns from the row of the maximum.
      hash: hexOf(verificationLog.hash),
      at: verificationLog.at,
    })
    .from(verificationLog)
    .where(sql`${verificationLog.recordId} IN ${ids}`)
    .groupBy(verificationLog.recordId);
}

/** The facts of an event in SQL, as JSON by the side that they are about: `StoredEvent["facts"]`. */
export const FACTS_OF_EVENT = `(SELECT json_group_object(about,
    json_object('userId', user_id, 'salt', lower(hex(salt)), 'facts', facts))
  FROM event_facts WHERE hash IN (verification_log.technician_hash, verification_log.supervisor_hash))`;

/** The column of `FACTS_OF_EVENT` in a query of `verificationLog`. */
export function factsOfEvent() {
  return sql
    .raw(FACTS_OF_EVENT)
    .mapWith((json: string): StoredEvent["facts"] => JSON.parse(json))
    .as("facts");
}

/** The columns of an event, without the id that counts the events of all records. */
export function eventColumns() {
  const { recordId, number, event, at, cause, via } = verificationLog;
  const { recordHash, technicianHash, supervisorHash, previous, hash } = verificationLog;
  return {
    recordId,
    number,
    event,
    at,
    cause,
    via,
    recordHash: hexOf(recordHash),
    technicianHash: hexOf(technicianHash),
    supervisorHash: hexOf(supervisorHash),
    previous: hexOf(previous),
    hash: hexOf(hash),
  };
}

/**
 * The queries for the events of records, by record, the first one first, and for their facts (`StoredEvent`). Each of the facts
 * comes once: up to 100 events share them.
 */
export function eventQueries(db: Db, where: SQL) {
  const hashes = sql`SELECT technician_hash FROM ${verificationLog} WHERE ${where}
    UNION ALL SELECT supervisor_hash FROM ${verificationLog} WHERE ${where}`;
  const { hash, about, userId, salt, facts } = eventFacts;
  return {
    events: db
      .select(eventColumns())
      .from(verificationLog)
      .where(where)
      .orderBy(asc(verificationLog.recordId), asc(verificationLog.number)),
    facts: db
      .select({ hash: hexOf(hash), about, userId, salt: hexOf(salt), facts })
      .from(eventFacts)
      .where(sql`hash IN (${hashes})`),
  };
}

/** The events from the rows of `eventQueries`. Those that share facts have one object of them. */
export function eventsFromRows({ events, facts }: Rows<ReturnType<typeof eventQueries>>): StoredEvent[] {
  const byHash = new Map(facts.map(({ hash, about, ...own }) => [hash, { about, own }]));
  return events.map((event) => {
    const found = [event.technicianHash, event.supervisorHash].flatMap((hash) => byHash.get(hash ?? "") ?? []);
    return { ...event, facts: Object.fromEntries(found.map(({ about, own }) => [about, own])) };
  });
}

/** SQL condition: the event is one of these. With it an index finds them without a look at the edits of their record. */
export function isEvent(...events: Exclude<LogEvent, "edited">[]): SQL {
  return sql.raw(`event IN (${events.map(quoted).join(", ")}) AND event <> 'edited'`);
}

/** The answers of supervisors that decide whether a record is verified. */
const IS_ANSWER = isEvent("verified", "confirmed", "disowned");

/** SQL condition: the event is one that `isEvent` selects, of the records that `ids` selects, by that index. */
export function isEventOf(ids: SQL, event: SQL): SQL {
  return sql`id IN (SELECT id FROM ${verificationLog} INDEXED BY verification_log_by_event
    WHERE record_id IN ${ids} AND ${event})`;
}

/** SQL condition: the event decides what the records are now that `ids` selects: an answer, or the last revocation. */
export function isDecisive(ids: SQL): SQL {
  return sql`(${isEventOf(ids, IS_ANSWER)} OR id IN (SELECT max(id) FROM ${verificationLog}
    INDEXED BY verification_log_by_event WHERE record_id IN ${ids} AND ${isEvent("revoked")} GROUP BY record_id))`;
}

/** The most events of a page of a history. */
export const HISTORY_EVENTS = 100;

/**
 * The most bytes of facts of such a page, but for its newest event. A page of HTML has up to five times as many, which are then
 * less than 2 MB.
 */
const HISTORY_BYTES = 350_000;

/** A page of a history: at most `limit` events, before the one with the number `before`; without it the newest. */
export interface HistoryPage {
  limit?: number;
  before?: number | undefined;
}

/**
 * The queries for a page of a record's events with their facts, the first one first: `page`, and besides it `key`: all
 * answers of supervisors, the last request and revocation, the first and the last event. The number of rows read does not depend on
 * the number of edits.
 */
export function historyPageQueries(db: Db, id: number | SQL<number>, { limit = HISTORY_EVENTS, before }: HistoryPage) {
  const select = (where: SQL) =>
    db
      .select({ ...eventColumns(), facts: factsOfEvent() })
      .from(verificationLog)
      .where(where)
      .orderBy(asc(verificationLog.number));
  const own = sql`SELECT id FROM ${verificationLog} WHERE record_id = ${id}`;
  const last = (where: SQL) => sql`SELECT * FROM (${own} AND ${where} ORDER BY number DESC LIMIT 1)`;
  const bytes = sql`(SELECT coalesce(sum(length(CAST(facts AS BLOB))), 0) FROM ${eventFacts}
    WHERE hash IN (technician_hash, supervisor_hash))`;
  return {
    page: select(sql`id IN (SELECT id FROM (
      SELECT id, bytes, sum(bytes) OVER (ORDER BY number DESC) AS bytes_so_far FROM (
        SELECT id, number, ${bytes} AS bytes FROM ${verificationLog}
        WHERE record_id = ${id} AND ${before === undefined ? sql`true` : sql`number < ${before}`}
        ORDER BY number DESC LIMIT ${limit}))
      WHERE bytes_so_far - bytes < ${HISTORY_BYTES})`),
    key: select(
      sql`id IN (${own} AND number = 1 UNION ALL ${own} AND ${IS_ANSWER}
        UNION ALL ${last(isEvent("requested"))} UNION ALL ${last(isEvent("revoked"))} UNION ALL ${last(sql`true`)})`,
    ),
  };
}

/**
 * The time of events that follow these last ones: now, or theirs if a clock was set back since. So in no log time runs
 * backwards.
 */
export function timeAfter(now: Date, last: readonly (LastEvent | undefined)[]): Date {
  return new Date(Math.max(now.getTime(), ...last.map((event) => event?.at.getTime() ?? 0)));
}

/**
 * The statements that append an event with its facts, for `batch`. `where` (`WHERE …`) can make them depend on their
 * change. The database refuses them if `last` is no longer the last event (see `retryOnConflict`).
 */
export function appendEvent(db: Db, position: EventPosition, event: NewEvent, where: SQL = sql``) {
  return appendEvents(db, [{ position, event }], where);
}

/**
 * As `appendEvent`, for any number of records, one event each, in two statements. `where` is evaluated for each event, and
 * may refer to its record as `json_each.value ->> 'recordId'`. The owner's events count for a quota (`EVENTS_OF_A_DAY`), unless
 * `isCounted` is false.
 */
export function appendEvents(
  db: Db,
  list: readonly { position: EventPosition; event: NewEvent }[],
  where: SQL = sql``,
  { isCounted = true } = {},
) {
  const shared: SharedFacts = new Map();
  const rows = list.map(({ position, event }) => rowOf(position, event, shared));
  const events = JSON.stringify(rows.map(({ event }) => event));
  const values = sql.raw(
    [
      ...["recordId", "number", "event", "at", "cause", "via"].map((column) => `json_each.value ->> '${column}'`),
      ...["recordHash", "technicianHash", "supervisorHash", "previous", "hash"].map(
        (column) => `unhex(json_each.value ->> '${column}')`,
      ),
    ].join(", "),
  );
  const event = db.insert(verificationLog).select(sql`SELECT NULL, ${values} FROM json_each(${events}) ${where}`);
  for (const { userId } of rows) storing(event, userId, EVENT_BYTES);
  for (const { userId, facts } of shared.values()) storing(event, userId, rowBytes(facts));
  return {
    event,
    // Only the facts of the events that were appended: by the salt their hash is random. Without an owner they are erased.
    facts: db.insert(eventFacts).select(
      sql`SELECT unhex(facts.value ->> 'hash'), facts.value ->> 'about', facts.value ->> 'userId', min(log.id), max(log.id),
          unhex(facts.value ->> 'salt'), facts.value ->> 'facts'
        FROM json_each(${JSON.stringify([...shared.values()])}) AS facts
          CROSS JOIN json_each(facts.value -> 'events') AS own
          CROSS JOIN ${verificationLog} AS log
        WHERE log.record_id = own.value ->> 0 AND log.number = own.value ->> 1
          AND unhex(facts.value ->> 'hash') IN (log.technician_hash, log.supervisor_hash)
          AND EXISTS (SELECT 1 FROM ${users} WHERE id = facts.value ->> 'userId')
        GROUP BY facts.key`,
    ),
    ...(isCounted ? countOwnEvents(db, rows) : {}),
  };
}

/** The causes of an end that the timer, a supervisor, an admin or the visit of a link brought about. */
const NOT_BY_OWNER: (LogCause | null)[] = ["expired", "unknown_technician", "own_mailbox", "deleted_by_admin"];

/** The most events that an account makes in a day, which begins at midnight UTC. The log keeps them for ever. */
export const EVENTS_OF_A_DAY = 5_000;

/**
 * The statement that counts the appended events that the owner of their records caused: requests, withdrawals, edits and
 * revocations. The decisions of supervisors and the ends by the timer are never refused. Above the quota the count is NULL,
 * which the table refuses, and the whole batch with it: so concurrent requests cannot pass it.
 */
function countOwnEvents(db: Db, rows: readonly ReturnType<typeof rowOf>[]): Record<never, Query> {
  const own = rows.filter(({ event: { event, cause } }) =>
    event === "requested" || event === "edited" || event === "revoked"
      ? true
      : event === "withdrawn" && !NOT_BY_OWNER.includes(cause),
  );
  if (own.length === 0) return {};
  const sent = own.map(({ event: { recordId, number, hash, at }, userId }) => ({
    recordId,
    number,
    hash,
    userId,
    day: Math.floor(at / DAY_MS),
  }));
  return {
    counted: countEvents(
      db,
      sql`SELECT json_each.value ->> 'userId' AS user_id, max(json_each.value ->> 'day') AS day, count(*) AS events
        FROM json_each(${JSON.stringify(sent)}) CROSS JOIN ${verificationLog} AS log
        WHERE log.record_id = json_each.value ->> 'recordId' AND log.number = json_each.value ->> 'number'
          AND log.hash = unhex(json_each.value ->> 'hash')
          AND EXISTS (SELECT 1 FROM ${users} WHERE id = json_each.value ->> 'userId')
        GROUP BY 1`,
    ),
  };
}

/**
 * The statement that counts an act of an owner as an event, where it makes none of the audit log: a restored record, a renewed
 * request. Done again and again, such acts would fill the feed of events. `where` (`WHERE …`) can make it depend on that.
 */
export function countOwnEvent(db: Db, now: Date, userId: number, where: SQL = sql``) {
  const day = Math.floor(now.getTime() / DAY_MS);
  return countEvents(db, sql`SELECT ${userId} AS user_id, ${day} AS day, 1 AS events ${where}`);
}

/** Adds rows of `user_id`, `day` and `events` to the counts. */
function countEvents(db: Db, made: SQL) {
  const total = sql`iif(day = excluded.day, events, 0) + excluded.events`;
  return db.insert(eventCounts).select(
    sql`SELECT * FROM (${made}) WHERE true
      ON CONFLICT (user_id) DO UPDATE SET events = iif(${total} > ${EVENTS_OF_A_DAY}, NULL, ${total}), day = excluded.day`,
  );
}

/** The database's error for a count above the quota. */
const OVER_QUOTA = "NOT NULL constraint failed: event_counts.events";

/**
 * `retryOnConflict` for work of the owner of records, whose events count towards a quota (`EVENTS_OF_A_DAY`).
 * @throws {AppError} 429 above the quota, with nothing changed; what `retryOnConflict` throws
 */
export function changeOwn<Result>(
  context: AppLoadContext,
  act: string,
  work: (attempt: number) => Promise<Result | null>,
): Promise<Result> {
  return retryOnConflict(context, act, work).catch((error) => {
    if (!databaseMessage(error)?.includes(OVER_QUOTA)) throw error;
    const tomorrow = (Math.floor(context.now.getTime() / DAY_MS) + 1) * DAY_MS;
    throw new AppError(
      "daily_quota",
      `You asked for verification, took requests back and restored records ${EVENTS_OF_A_DAY.toLocaleString("en")} times today, record by record, which is the most. Nothing was changed. Please try again in ${waitUntil(context, tomorrow)}.`,
    );
  });
}

/** Facts as they are stored, with the record and number of each event that they are of. */
interface NewFacts extends StoredFacts {
  hash: string;
  about: Side;
  events: [recordId: number, number: number][];
}

/** The facts of the events that are appended together, by owner, side and text. */
type SharedFacts = Map<string, NewFacts>;

/** An event as it is stored, by the names of its fields, and its owner. Its facts are added to `shared`. */
function rowOf({ id, userId, last }: EventPosition, event: NewEvent, shared: SharedFacts) {
  const { event: name, at, client, cause, via, recordHash, supervisor, ...others } = event;
  const facts: EventFacts = {
    address: client?.address ?? undefined,
    browser: client?.browser ?? undefined,
    supervisor: supervisor ? withoutId(supervisor) : undefined,
    ...others,
  };
  const number = (last?.number ?? 0) + 1;
  const hashAbout = (about: Side) => {
    const text = factsAbout(about, { event: name, cause }, facts);
    if (text === null) return null;
    const key = `${userId} ${about} ${text}`;
    const known = shared.get(key) ?? newFacts(userId, about, text);
    shared.set(key, known);
    known.events.push([id, number]);
    return known.hash;
  };
  const row = {
    recordId: id,
    number,
    event: name,
    at,
    cause: cause ?? null,
    via: via ?? null,
    recordHash,
    technicianHash: hashAbout("technician"),
    supervisorHash: hashAbout("supervisor"),
    previous: last?.hash ?? NO_PREVIOUS,
  };
  return { userId, event: { ...row, at: at.getTime(), hash: eventHash(row) } };
}

function newFacts(userId: number, about: Side, facts: string): NewFacts {
  const salt = randomBytes(16).toString("hex");
  return { userId, about, salt, facts, hash: factsHash(salt, facts), events: [] };
}

/** The supervisor in a fixed order of fields, also if it is a whole row. */
function withoutId({ name, email, phone, certificationLevel, company, role }: AskedSupervisor): AskedSupervisor {
  return { name, email, phone, certificationLevel, company, role };
}
