import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, sql } from "drizzle-orm";
import { requireUser, secretFor } from "#app/accounts/access.server.ts";
import { listTokens } from "#app/accounts/api-tokens.server.ts";
import { renewalEmailsOf } from "#app/accounts/details.server.ts";
import type { User } from "#app/accounts/user.ts";
import { isErased } from "#app/audit-log/event-hash.server.ts";
import { eventColumns, factsOfEvent } from "#app/audit-log/log.server.ts";
import { allFacts } from "#app/audit-log/shown-event.ts";
import { toCalendarDate } from "#app/calendar-date.ts";
import { targetQueries, targetsFromRows } from "#app/certification/own-targets.server.ts";
import { shownTarget } from "#app/certification/target.schema.ts";
import { BEFORE_FIRST, batch, type Db, idsAfter } from "#app/db/client.server.ts";
import { SIDES } from "#app/db/enumerations.ts";
import { idsInPart, isLastPart, PART_ROWS } from "#app/db/parts.server.ts";
import { eventFacts, IS_FACT_OF_EVENT, verificationLog } from "#app/db/schema.ts";
import { listExports, listedExport } from "#app/proof/own-exports.server.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { othersTurn } from "#app/server/others-turn.ts";
import { download } from "#app/server/stream.server.ts";
import { listSupervisors } from "#app/supervisors/supervisors.server.ts";
import { BYTES_OF_REQUEST } from "#app/verification/requests/own-requests.server.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { recordPages } from "./export-records.server.ts";

/** A list in the export: its name, and the rows of a user, a page at a time. */
interface ExportPart {
  name: string;
  pages(context: AppLoadContext, userId: number): AsyncGenerator<object[]>;
}

/** The technician's own data besides the account. A new table of theirs gets a line here. */
const PARTS: readonly ExportPart[] = [
  ...KINDS.map(
    (kind): ExportPart => ({
      name: kind.partName,
      pages: ({ db }, userId) => recordPages(db, userId, kind),
    }),
  ),
  { name: "settings", pages: ({ db }, userId) => onePage(renewalEmailsOf(db, userId)) },
  { name: "supervisors", pages: ({ db }, userId) => supervisorPages(db, userId) },
  { name: "requests", pages: (context, userId) => byId((after) => requestsAfter(context, userId, after)) },
  { name: "auditLog", pages: ({ db }, userId) => eventPages(db, userId) },
  {
    name: "targets",
    pages: ({ db }, userId) =>
      onePage(batch(db, targetQueries(db, userId)).then((rows) => targetsFromRows(rows).map(shownTarget))),
  },
  { name: "exports", pages: (context, userId) => listedExports(context, userId) },
  { name: "tokens", pages: ({ db }, userId) => onePage(listTokens(db, userId)) },
];

/**
 * Everything that is the signed-in user's own, as one JSON object: the account, and a list for each part.
 * @throws as `requireUser`
 */
export async function exportJson(context: AppLoadContext): Promise<Response> {
  const { user } = await requireUser(context);
  return exportOf(context, user);
}

/** The same of any user, for who may see it. */
export function exportOf(context: AppLoadContext, account: User): Response {
  const { timeZone, now } = context;
  return download(context, `hours-tracker-${toCalendarDate(timeZone, now)}`, "json", jsonOf(context, account));
}

async function* jsonOf(context: AppLoadContext, account: { id: number }): AsyncGenerator<string> {
  yield `{"account":${JSON.stringify(account)}`;
  for (const { name, pages } of PARTS) {
    yield `,\n"${name}":[`;
    let separator = "\n";
    for await (const page of pages(context, account.id)) {
      yield separator + page.map((row) => JSON.stringify(row)).join(",\n");
      separator = ",\n";
    }
    yield "]";
  }
  yield "}\n";
}

async function* onePage(rows: PromiseLike<object[]>): AsyncGenerator<object[]> {
  const page = await rows;
  if (page.length > 0) yield page;
}

async function* byId<Row extends { id: number }>(read: (after: number) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let after = BEFORE_FIRST;
  while (true) {
    const page = await read(after);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    if (isLastPart(page)) return;
    after = last.id;
  }
}

async function* supervisorPages(db: Db, userId: number): AsyncGenerator<object[]> {
  for (let before: number | undefined; ; ) {
    const page = await listSupervisors(db, userId, { before, limit: PART_ROWS });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    if (isLastPart(page)) return;
    before = last.id;
  }
}

/** The exports of one query: each has at most some 4 kB. */
const EXPORTS = 500;

/** A user's exports, the newest first as in their list. */
async function* listedExports(context: AppLoadContext, userId: number): AsyncGenerator<object[]> {
  for (let before: number | undefined; ; ) {
    const rows = await listExports(context.db, userId, { before, limit: EXPORTS });
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => listedExport(context, row));
    before = last.id;
  }
}

/** A user's verification requests with their items. */
async function requestsAfter(context: AppLoadContext, userId: number, after: number) {
  const { id, token, requestedName, supervisorEmail, createdAt, requestedAt, expiresAt, openedAt, endedAt } =
    verificationRequests;
  const items = sql`(SELECT json_group_array(json_object('type', (SELECT kind FROM records WHERE id = record_id),
    'id', record_id, 'state', state, 'reason', reason))
    FROM ${verificationItems} WHERE request_id = verification_requests.id)`;
  const part = idsInPart({
    from: verificationRequests,
    where: sql`user_id = ${userId} AND ${sql.raw(idsAfter("id", after))}`,
    order: sql`id`,
    bytes: BYTES_OF_REQUEST,
    limit: PART_ROWS,
  });
  const rows = await context.db
    .select({
      id,
      supervisorName: requestedName,
      supervisorEmail,
      verificationToken: token,
      createdAt,
      requestedAt,
      expiresAt,
      openedAt,
      endedAt,
      items: items.mapWith((json: string): object[] => JSON.parse(json)).as("items"),
    })
    .from(verificationRequests)
    .where(sql`id IN ${part}`)
    .orderBy(asc(id));
  return rows.map((row) => ({ ...row, verificationToken: secretFor(context, row.verificationToken) }));
}

/** The events of a user's records with their facts, oldest first. */
async function* eventPages(db: Db, userId: number): AsyncGenerator<object[]> {
  const ids = await ownEvents(db, userId);
  for (let start = 0; start < ids.length; ) {
    const page = await eventsOf(db, ids.slice(start, start + PART_ROWS));
    if (page.length === 0) return;
    yield page;
    start += page.length;
  }
}

/**
 * Finds the ids of the events of a user's records, in order: of the records that are there, and of deleted ones that
 * still have an event with facts. They are found in small steps, because one statement for all would make all other
 * requests wait.
 */
async function ownEvents(db: Db, userId: number): Promise<number[]> {
  const records = new Set<number>();
  const add = (ids: number[]) => {
    for (const id of ids) records.add(id);
    return othersTurn();
  };
  for (let after = BEFORE_FIRST; ; ) {
    const found = await recordsWithFacts(db, userId, after);
    const last = found.at(-1);
    if (!last) break;
    await add(found.flatMap(({ recordId }) => recordId ?? []));
    after = last.event;
  }
  for (const kind of KINDS) {
    for await (const page of recordPages(db, userId, kind)) await add(page.map(({ id }) => id));
  }
  const all = [...records];
  const ids: number[] = [];
  for (let start = 0; start < all.length; start += PART_ROWS) {
    const found = await db
      .select({ id: verificationLog.id })
      .from(verificationLog)
      .where(sql`record_id IN (SELECT value FROM json_each(${JSON.stringify(all.slice(start, start + PART_ROWS))}))`);
    for (const { id } of found) ids.push(id);
    await othersTurn();
  }
  return ids.sort((one, other) => one - other);
}

/** The rows of facts of one step: each is of up to 100 events. */
const FACTS_AT_ONCE = 20;

/** The records of a user's next facts, after those of which `after` is the last event. */
async function recordsWithFacts(db: Db, userId: number, after: number) {
  const next = sql`user_id = ${userId} AND ${sql.raw(idsAfter("last_event", after))}`;
  // The only upper bound of the outer query: with another beside it the index is read to the end at each step.
  const lastOfStep = sql`(SELECT max(last_event)
    FROM (SELECT last_event FROM ${eventFacts} WHERE ${next} ORDER BY last_event LIMIT ${FACTS_AT_ONCE}))`;
  return db.all<{ event: number; recordId: number | null }>(
    sql`SELECT DISTINCT facts.last_event AS event, log.record_id AS recordId
      FROM ${eventFacts} AS facts LEFT JOIN ${verificationLog} AS log ON ${sql.raw(IS_FACT_OF_EVENT)}
      WHERE user_id = ${userId} AND last_event > ${after} AND last_event <= ${lastOfStep}
      ORDER BY event`,
  );
}

/** The bytes of an event: its hashes as text, and its facts. */
const BYTES_OF_EVENT = sql`(250 + (SELECT coalesce(sum(octet_length(facts)), 0) FROM ${eventFacts}
  WHERE hash IN (technician_hash, supervisor_hash)))`;

/** A part of these events: the first of them. */
async function eventsOf(db: Db, ids: number[]): Promise<object[]> {
  const { id } = verificationLog;
  const part = idsInPart({
    from: verificationLog,
    where: sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    order: sql`id`,
    bytes: BYTES_OF_EVENT,
    limit: PART_ROWS,
  });
  const rows = await db
    .select({
      id,
      // NULL once the record was deleted for good.
      type: sql<string | null>`(SELECT kind FROM records WHERE id = verification_log.record_id)`.as("type"),
      ...eventColumns(),
      facts: factsOfEvent(),
    })
    .from(verificationLog)
    .where(sql`id IN ${part}`)
    .orderBy(asc(id));
  return rows.map((row) => ({
    ...row,
    erased: SIDES.some((side) => isErased(row, side)),
    facts: Object.keys(row.facts).length === 0 ? null : allFacts(row.facts),
  }));
}
