import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, type SQL, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { isCalendarDate } from "#app/calendar-date.ts";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { isOfImport } from "#app/db/submission.server.ts";
import { forEachKind, KINDS } from "#app/records/all-kinds.ts";
import { longDayIn, longDays } from "#app/records/entry/entries.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { type AnyRecord, dateOf, hasField, type Kind, logHref, supervisorNeedsOf } from "#app/records/kind.ts";
import type { LogFilter } from "#app/records/log-filter.ts";
import { type Decline, logQueryFrom, parsedDecline } from "#app/records/log-page.server.ts";
import { anyRecord, isBetween, isOwn, isSavedWith, listRecords, mayBeAsked } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { type Rest, readSteps, stepOf } from "#app/records/search.server.ts";
import { parseId } from "#app/server/query.ts";
import { LAST_DECLINE } from "#app/verification/decision.server.ts";
import { notedOf } from "#app/verification/link.server.ts";
import { doubtsAmong } from "#app/verification/link-view.server.ts";
import { itemKey } from "#app/verification/record.ts";
import { ASKABLE, ITEMS_MAX } from "#app/verification/verification.schema.ts";
import { choiceQueries, supervisorsToAsk } from "./own-requests.server.ts";

/** The last date that can be logged. */
const LAST_DATE = "9999-12-31";

/** A record that can be chosen. */
export interface Choosable {
  /** Identifies the record in the form: `itemKey`. */
  value: string;
  kind: string;
  record: AnyRecord;
  /** Of a declined record that was not corrected since. */
  decline: Decline | null;
  /** What its supervisor will be told to look at. */
  notes: string[];
}

/**
 * The page's filter: that of a log, a kind's name, or an empty text for all kinds, the import that created them, and one of
 * those that a form saved together.
 */
export type ChoiceFilter = LogFilter & { kind: string; import: string; saved: string };

/**
 * A position in the list of all kinds: newest first by date, then in the order of the kinds, then by id. As a URL parameter
 * it is `2026-11-21.entry.42`.
 */
interface Position {
  date: string;
  kind: number;
  id: number;
}

/** The records that the signed-in user can ask a supervisor to verify, a page of them, and the user's supervisors. */
export async function findNewRequestPage(context: AppLoadContext, url: URL) {
  const filter = filterFrom(url);
  const before = parsePosition(url.searchParams.get("before"));
  const kinds = KINDS.filter(
    (kind) =>
      (!filter.kind || filter.kind === kind.name) &&
      (["method", "category"] as const).every((name) => !filter[name] || hasField(kind, name)),
  );
  const askable = (owner: Owner, kind: Kind) =>
    and(
      sql`verified = 0 AND requested_at IS NULL AND ${mayBeAsked(kind)} AND ${kinds.includes(kind) ? 1 : 0}`,
      filter.import ? isOfImport(Number(filter.import)) : undefined,
      filter.saved ? isSavedWith(owner, Number(filter.saved)) : undefined,
      logQueryFrom(kind, withoutOthers(url)).where,
    );
  type Found = AnyRecord & { decline: Decline | null };
  const scanOf = (owner: Owner, kind: Kind, more?: SQL) =>
    ({ where: and(isOwn(owner, kind), askable(owner, kind), more), by: "date", of: 2 * KINDS.length }) as const;
  /** The records of the page and the one after it, of all kinds: of each kind only these are read. */
  const isOnPage = (owner: Owner) => {
    const ofKinds = KINDS.map((kind, index) => {
      const where = and(
        isOwn(owner, kind),
        askable(owner, kind),
        isBetween({ before: before && cursorIn(kind, before) }),
      );
      return sql`SELECT * FROM (SELECT id, date, ${index} AS place FROM ${records} WHERE ${where}
        ORDER BY date DESC, id DESC LIMIT ${ITEMS_MAX + 1})`;
    });
    return sql`id IN (SELECT id FROM (${sql.join(ofKinds, sql` UNION ALL `)})
      ORDER BY date DESC, place, id DESC LIMIT ${ITEMS_MAX + 1})`;
  };
  const textOf = (kind: Kind) => logQueryFrom(kind, url).text;
  const list = (owner: Owner, db: Db, kind: Kind, from?: Rest) => {
    const cursor = before && cursorIn(kind, before);
    const read = (text: SQL | undefined) =>
      listRecords<Found>(db, owner, kind, {
        before: cursor,
        where: text ? and(askable(owner, kind), text) : isOnPage(owner),
        limit: ITEMS_MAX + 1,
        more: { decline: parsedDecline(LAST_DECLINE) },
      });
    return stepOf(db, textOf(kind), scanOf(owner, kind, isBetween({ before: cursor })), read, from);
  };
  const countAll = (owner: Owner, db: Db, kind: Kind, from?: Rest) => {
    const scan = scanOf(owner, kind);
    const read = (text: SQL | undefined) =>
      db
        .select({ n: sql<number>`count(*)`.as("n") })
        .from(records)
        .where(and(scan.where, text));
    return stepOf(db, textOf(kind), scan, read, from);
  };
  const { user, choice, found, counts, logged, days } = await requireUser(context, (owner, db) => ({
    choice: choiceQueries(db, owner),
    found: forEachKind((kind) => list(owner, db, kind)),
    counts: forEachKind((kind) => countAll(owner, db, kind)),
    logged: anyRecord(db, owner),
    // Those of the page. With a text all: which records have it is known too late.
    days: filter.q
      ? longDays(db, owner)
      : longDays(
          db,
          owner,
          sql`date IN (SELECT date FROM ${records} WHERE ${and(isOwn(owner, entryKind), askable(owner, entryKind))}
            AND date <= ${before?.date ?? LAST_DATE} ORDER BY date DESC LIMIT ${ITEMS_MAX + 1})`,
        ),
  }));
  const all: { kind: Kind; record: Found }[] = [];
  let total = 0;
  for (const kind of kinds) {
    const [ofList, ofCount] = [found[kind.name], counts[kind.name]];
    if (!ofList || !ofCount) continue;
    const isEnough = ({ length }: Found[]) => length > ITEMS_MAX;
    const next = (from: Rest) => batch(context.db, list(user.id, context.db, kind, from));
    for (const record of await readSteps<Found>(ofList, isEnough, next)) all.push({ kind, record });
    const sums = await readSteps<{ n: number }>(
      ofCount,
      () => false,
      (from) => batch(context.db, countAll(user.id, context.db, kind, from)),
    );
    total += sums.reduce((sum, { n }) => sum + n, 0);
  }
  all.sort((one, other) => compare(positionOf(one), positionOf(other)));
  const page = all.slice(0, ITEMS_MAX);
  const last = page.at(-1);
  const dayOf = longDayIn(days);
  const doubtsOf = doubtsAmong(page);
  return {
    user,
    supervisors: supervisorsToAsk(context, choice, { needs: supervisorNeedsOf(page.map(({ kind }) => kind)) }),
    filter,
    unknown: KINDS[0] ? logQueryFrom(KINDS[0], url).unknown : [],
    before: before && last ? url.searchParams.get("before") : null,
    records: page.map(({ kind, record: { decline, ...record } }): Choosable => {
      const one = record as AnyRecord;
      const job = { kind, record: one };
      const notes = doubtsOf({ ...job, ...notedOf(job, context.now, dayOf) });
      return { kind: kind.name, value: itemKey(kind.name, one.id), record: one, decline, notes };
    }),
    /** Of how many records that can be chosen these are a page. */
    total,
    hasLogged: logged.length > 0,
    olderHref: all.length > ITEMS_MAX && last ? newRequestHref(filter, formatPosition(positionOf(last))) : null,
    isAll: url.searchParams.has("all"),
  };
}

/** The URL of the page with a filter, from a position on. */
export function newRequestHref(filter: ChoiceFilter, before: string | null, more: Record<string, string> = {}): string {
  return logHref("/requests/new", { ...filter, before: before ?? "", ...more });
}

/** A status that nothing here has is ignored: the link in a filtered log passes its filter on. */
function filterFrom(url: URL): ChoiceFilter {
  const [first] = KINDS;
  if (!first) throw new Error("there is no kind of record");
  const { filter } = logQueryFrom(first, url);
  const kind = KINDS.find(({ name }) => name === url.searchParams.get("kind"));
  const idOf = (name: string) => String(parseId(url.searchParams.get(name)) || "");
  return {
    ...filter,
    status: ASKABLE.find((status) => status === filter.status) ?? "",
    kind: kind?.name ?? "",
    import: idOf("import"),
    saved: idOf("saved"),
  };
}

function withoutOthers(url: URL): URL {
  const copy = new URL(url);
  if (!ASKABLE.some((status) => status === url.searchParams.get("status"))) copy.searchParams.delete("status");
  return copy;
}

function positionOf({ kind, record }: { kind: Kind; record: AnyRecord }): Position {
  return { date: dateOf(kind, record), kind: KINDS.indexOf(kind), id: record.id };
}

function compare(one: Position, other: Position): number {
  if (one.date !== other.date) return one.date > other.date ? -1 : 1;
  return one.kind - other.kind || other.id - one.id;
}

/** The cursor in the list of one kind for a position in the list of all. */
function cursorIn(kind: Kind, { date, kind: at, id }: Position): { date: string; id: number } {
  const index = KINDS.indexOf(kind);
  if (index === at) return { date, id };
  return { date, id: index > at ? Number.MAX_SAFE_INTEGER : 0 };
}

function formatPosition({ date, kind, id }: Position): string {
  return `${date}.${KINDS[kind]?.name}.${id}`;
}

function parsePosition(text: string | null): Position | null {
  const [, date, name, id] = text?.match(/^(\d{4}-\d{2}-\d{2})\.(\w+)\.(\d{1,15})$/) ?? [];
  const kind = KINDS.findIndex((one) => one.name === name);
  return date && isCalendarDate(date) && kind >= 0 ? { date, kind, id: Number(id) } : null;
}
