import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, asc, desc, eq, getTableColumns, gt, type SQL, sql } from "drizzle-orm";
import { queryAsViewer } from "#app/accounts/access.server.ts";
import { type OwnAddresses, ownAddressQueries, ownMailboxReason } from "#app/accounts/own-addresses.server.ts";
import { type EventFacts, parseFacts } from "#app/audit-log/event-facts.ts";
import { type LastEvent, lastEvents } from "#app/audit-log/log.server.ts";
import type { Db, Rows } from "#app/db/client.server.ts";
import { type Guarded, guardedColumns } from "#app/db/commit.server.ts";
import type { ItemState, LinkEnd, Via } from "#app/db/enumerations.ts";
import { eventFacts, sessions, supervisors, users, verificationLog } from "#app/db/schema.ts";
import { type KindAndRecord, recordsById, selectAnyRecords } from "#app/records/any-record.server.ts";
import { longDayIn, longDaysOf } from "#app/records/entry/entries.server.ts";
import { isSameName } from "#app/records/evidence.ts";
import { isLongAgo } from "#app/records/hours.ts";
import { type AnyRecord, dateOf, hasBegun, isExperience, type Kind } from "#app/records/kind.ts";
import { shownHash } from "#app/records/record-hash.server.ts";
import { isSafe } from "#app/server/request-line.ts";
import { itemKey } from "./record.ts";
import {
  ITEM_KIND,
  type RequestRow,
  verificationAnswers,
  verificationItems,
  verificationRequests,
} from "./requests.table.ts";
import { type WaitingRequest, type WaitingRows, waitingElsewhere, waitingQueries } from "./waiting.server.ts";

interface Person extends Guarded {
  name: string | null;
  employeeNumber: string | null;
}

/** The facts about a record by itself that its supervisor should know. */
export interface Noted {
  /** Whether its last day has begun: before that it cannot be verified. */
  hasBegun: boolean;
  /** Whether its work was more than 10 years ago. Hours brought forward are of earlier years anyway. */
  isLongAgo: boolean;
  /** The hours of all OJT entries of the technician on its date, in hundredths, if they are `LONG_DAY` or more. */
  dayHundredths: number | null;
}

/** An item of a request with its record, the hash of what its supervisor sees, and the last event of its log. */
export interface LinkItem extends KindAndRecord, Noted {
  state: ItemState;
  cause: LinkEnd | null;
  reason: string | null;
  /** When it was decided or ended, and the name that the supervisor typed. */
  decidedAt: Date | null;
  decidedBy: string | null;
  /** How its answer came; null without one. */
  decidedVia: Via | null;
  /** Whether the requested address gets an email about a verification: it had one of the request, and wants emails. */
  isTold: boolean;
  shown: string;
  last: LastEvent | undefined;
}

/** The signed-in account that opens a link, or null. */
type Viewer = (Guarded & { email: string }) | null;

interface Viewed {
  viewer: Viewer;
  /**
   * Whether the viewer is the technician who sent the request: their account, or another one with one of their
   * mailboxes. No technicians verify their own hours.
   */
  isOwn: boolean;
}

/** A link that leads nowhere: its token is unknown, or its request has ended, for `ended`, before it was answered. */
interface NoLink extends Viewed {
  state: "unknown";
  ended: LinkEnd | null;
  /** Whether it asked for several records. */
  isSeveral: boolean;
  items: [];
  /** The request that has ended; null for an unknown token. */
  past: FoundRequest | null;
}

/** A request as it was found: with its technician, their sessions, and its items. */
export interface FoundRequest extends Viewed {
  request: RequestRow;
  owner: Person;
  /** In the order in which they were requested. Records that were deleted are left out. */
  items: LinkItem[];
  /** The keys (`itemKey`) of all items, also of deleted records. */
  keys: string[];
  /** Where the technician is signed in, to note whether an answer comes from there. Empty where it is not asked for. */
  sessions: SessionClient[];
  /** The addresses of the technician's account. Null where they are not asked for. */
  addresses: OwnAddresses | null;
  /**
   * The statement at the last verification from the requested mailbox, by the person of the requested name, for any
   * technician. Only its mailed link may show it.
   */
  lastStated: Pick<EventFacts, "name" | "certification">;
  /** The level that the technician typed for the supervisor of the request, as it is now. Null where it is not read. */
  supervisorLevel: string | null;
  /** The other open requests to the same mailbox. Only its mailed link may show them. Empty where they are not read. */
  waiting: WaitingRequest[];
}

/** The address and the browser of a session. */
export type SessionClient = Pick<typeof sessions.$inferSelect, "address" | "browser">;

/** A link whose request can be answered (`open`), or whose records are all decided. */
export interface FoundLink extends FoundRequest {
  state: "open" | "decided";
}

export type Link = NoLink | FoundLink;

export const NO_LINK: NoLink = {
  state: "unknown",
  ended: null,
  isSeveral: false,
  items: [],
  past: null,
  isOwn: false,
  viewer: null,
};

/** The causes of an end after which a link counts as decided: a supervisor has answered about the record. */
const DECIDED: (LinkEnd | null)[] = ["elsewhere", "disowned", "unknown_technician"];

/** The link with this token as it is now, with its viewer. */
export async function readLink(context: AppLoadContext, token: string): Promise<Link> {
  const { viewer, account, ...rows } = await queryAsViewer(context, () => linkQueries(context, token));
  return linkFromRows(context, rows, viewer && account && { ...account, email: viewer.email });
}

/** The accounts whose state decides about an answer: the technician's, and that of the viewer. */
export function accountsOf({ owner, viewer }: FoundRequest): Guarded[] {
  return viewer ? [owner, viewer] : [owner];
}

/**
 * `requestQueries` for the request of a link, what only its page needs, and what only an answer to it needs, where this
 * request may be one.
 */
export function linkQueries(context: Pick<AppLoadContext, "db" | "now" | "visit" | "url">, token: string) {
  const { db, now, visit, url } = context;
  const owner = sql<number>`(SELECT user_id FROM ${verificationRequests} WHERE token = ${token})`;
  const mailbox = sql`(SELECT supervisor_email FROM ${verificationRequests} WHERE token = ${token})`;
  return {
    ...requestQueries(db, sql`token = ${token}`),
    addresses: ownAddressQueries({ now }, owner, db),
    asked: db
      .select({ level: supervisors.certificationLevel })
      .from(supervisors)
      .where(
        sql`id = (SELECT supervisor_id FROM ${verificationRequests} WHERE token = ${token}) AND user_id = ${owner}`,
      ),
    ...(isSafe(visit) && { stated: statedBefore(db, mailbox) }),
    ...(isSafe(visit) && url.searchParams.has("m") && waitingQueries(db, mailbox, now, sql`token IS NOT ${token}`)),
    ...(!isSafe(visit) && {
      sessions: db
        .select({ address: sessions.address, browser: sessions.browser })
        .from(sessions)
        .where(and(eq(sessions.userId, owner), gt(sessions.expiresAt, now))),
    }),
  };
}

/** How many of the last verifications from a mailbox are looked at: several people can read one mailbox. */
const STATED_READ = 10;

/**
 * The query for what was stated at the last verifications that came from a mailbox, the newest first, without those that were
 * disowned since.
 */
export function statedBefore(db: Db, mailbox: SQL) {
  // `+` because the index has no type, and a value with the type of a column would not be looked up in it.
  return db
    .select({ facts: eventFacts.facts })
    .from(eventFacts)
    .where(
      sql`facts ->> '$.mailbox' = +${mailbox} AND facts ->> '$.name' IS NOT NULL AND facts ->> '$.reason' IS NULL
        AND NOT EXISTS (SELECT 1 FROM ${verificationLog} AS later WHERE later.event = 'disowned' AND later.id > last_event
          AND later.record_id = (SELECT record_id FROM ${verificationLog} WHERE id = first_event))`,
    )
    .orderBy(desc(eventFacts.firstEvent))
    .limit(STATED_READ);
}

/**
 * Returns the last statement of the person who gets the request now. Several people can read one mailbox, and a link
 * can be forwarded: so the request then must have had the same name, and the name that was typed has a word of it.
 */
function lastStated(rows: { facts: string | null }[], requestedName: string | null): FoundRequest["lastStated"] {
  const words = (name: string) => name.split(/\s+/);
  const isTheirs = ({ name, asked }: EventFacts) =>
    isSameName(asked ?? name ?? null, requestedName) &&
    words(name ?? "").some((word) => words(requestedName ?? "").some((other) => isSameName(word, other)));
  return rows.map(({ facts }) => parseFacts(facts)).find(isTheirs) ?? {};
}

/** The queries for one request, its technician, its items with their records, and the last events of their logs. */
export function requestQueries(db: Db, which: SQL) {
  const request = sql`(SELECT id FROM ${verificationRequests} WHERE ${which})`;
  return {
    request: db.select().from(verificationRequests).where(which),
    ...itemQueries(db, {
      items: sql`request_id = ${request}`,
      ids: sql`(SELECT record_id FROM ${verificationItems} WHERE request_id = ${request})`,
      isOwner: (column) => sql`${column} = (SELECT user_id FROM ${verificationRequests} WHERE ${which})`,
    }),
  };
}

/** Some items of requests: their condition, the query for the ids of their records, and the condition of their technicians. */
interface SelectedItems {
  items: SQL;
  ids: SQL;
  isOwner: (column: SQL) => SQL;
}

/** The queries for items with their records, their technicians, and the last events of the records' logs. */
export function itemQueries(db: Db, { items, ids, isOwner }: SelectedItems) {
  const ofAnswer = (column: string) =>
    sql`(SELECT ${sql.raw(column)} FROM ${verificationAnswers} AS answer WHERE answer.id = answer_id)`;
  return {
    items: db
      .select({
        ...getTableColumns(verificationItems),
        kind: ITEM_KIND,
        decidedBy: sql<string | null>`${ofAnswer("name")}`.as("decided_by"),
        decidedVia: sql<Via | null>`${ofAnswer("via")}`.as("decided_via"),
        suppressed: sql<number | null>`${ofAnswer("suppressed")}`.as("suppressed"),
      })
      .from(verificationItems)
      .where(items)
      .orderBy(asc(verificationItems.position)),
    owner: db
      .select({ ...guardedColumns, name: users.name, employeeNumber: users.employeeNumber })
      .from(users)
      .where(isOwner(sql`id`)),
    records: selectAnyRecords(db, sql`id IN ${ids}`),
    lastEvents: lastEvents(db, ids),
    longDays: longDaysOf(db, isOwner(sql`user_id`), sql`date IN (SELECT date FROM records WHERE id IN ${ids})`),
  };
}

/** The condition that a token was never made for a link. */
export function isUnknown(token: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${verificationRequests} WHERE token = ${token})`;
}

/** The key of an item, by which answers name its record. */
export function keyOf({ kind, record }: KindAndRecord): string {
  return itemKey(kind.name, record.id);
}

/**
 * Returns the items of a request with their records, in the order in which they were requested, without those of
 * deleted records.
 */
export function itemsFromRows(rows: Rows<ReturnType<typeof requestQueries>>, now: Date): LinkItem[] {
  const [owner] = rows.owner;
  // Where an email was withheld, a notice may wait for longer than the page would promise.
  const isReached = rows.request.some(
    ({ supervisorEmail, emailWithheld }) => supervisorEmail !== null && emailWithheld === null,
  );
  const records = recordsById(rows.records);
  const dayOf = longDayIn(rows.longDays);
  const last = new Map(rows.lastEvents.map((event) => [event.recordId, event]));
  return rows.items.flatMap(({ recordId, state, cause, reason, decidedAt, decidedBy, decidedVia, suppressed }) => {
    const found = records.get(recordId);
    if (!found || !owner) return [];
    const shown = shownHash(found.kind, found.record, owner);
    const noted = notedOf(found, now, dayOf);
    const isTold = isReached && suppressed === 0;
    const decided = { decidedAt, decidedBy, decidedVia };
    return [{ ...found, state, cause, reason, ...decided, isTold, shown, ...noted, last: last.get(recordId) }];
  });
}

export function notedOf(
  { kind, record }: { kind: Kind; record: AnyRecord },
  now: Date,
  dayOf: ReturnType<typeof longDayIn>,
): Noted {
  const today = now.toISOString().slice(0, 10);
  return {
    hasBegun: hasBegun(kind, record, now),
    isLongAgo: isExperience(kind) && !record.broughtForward && isLongAgo(dateOf(kind, record), today),
    dayHundredths: dayOf(kind, record),
  };
}

/** The link that the rows of `linkQueries` describe, for this viewer. */
export function linkFromRows(
  context: Pick<AppLoadContext, "secret" | "now">,
  rows: Rows<ReturnType<typeof requestQueries>> & {
    sessions?: SessionClient[];
    addresses?: OwnAddresses;
    asked?: { level: string | null }[];
    stated?: { facts: string }[];
  } & Partial<WaitingRows>,
  viewer: Viewer,
): Link {
  const { now } = context;
  const [request] = rows.request;
  const [owner] = rows.owner;
  if (!request || !owner) return { ...NO_LINK, viewer };
  const { addresses = null } = rows;
  const isOwn =
    viewer !== null &&
    (owner.id === viewer.id || (addresses !== null && ownMailboxReason(context, addresses, viewer.email) !== null));
  const items = itemsFromRows(rows, now);
  const keys = rows.items.map(({ kind, recordId }) => itemKey(kind, recordId));
  const found = {
    request,
    owner,
    items,
    keys,
    sessions: rows.sessions ?? [],
    addresses,
    supervisorLevel: rows.asked?.[0]?.level ?? null,
    lastStated: lastStated(rows.stated ?? [], request.requestedName),
    waiting: waitingElsewhere(context.secret, request.supervisorEmail, rows),
    isOwn,
    viewer,
  };
  const isWaiting = items.some(({ state }) => state === "waiting");
  if (isWaiting && request.expiresAt > now) return { ...found, state: "open" };
  const isSeveral = keys.length > 1;
  if (isWaiting) return { ...NO_LINK, ended: "expired", isSeveral, past: found, viewer };
  const isDecided = items.some(({ state, cause }) => state !== "ended" || DECIDED.includes(cause));
  if (isDecided) return { ...found, state: "decided" };
  // An item vanishes with its record, a day after that was deleted.
  const ended = keys.length === 0 ? "deleted" : (rows.items.find(({ cause }) => cause)?.cause ?? null);
  return { ...NO_LINK, ended, isSeveral, past: found, viewer };
}
