import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { isIntact } from "#app/audit-log/chain.server.ts";
import type { AskedSupervisor } from "#app/audit-log/event-facts.ts";
import type { StoredEvent } from "#app/audit-log/event-hash.server.ts";
import { HISTORY_EVENTS, type HistoryPage, historyPageQueries } from "#app/audit-log/log.server.ts";
import { type ShownEvent, shownEvent } from "#app/audit-log/shown-event.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { type LogEvent, SHOWN_MESSAGE_STATES, type ShownMessageState } from "#app/db/enumerations.ts";
import { verificationLog } from "#app/db/schema.ts";
import type { Kind, RecordWithOwner } from "#app/records/kind.ts";
import { findDeleted, findRecord, isOwn, requireRecord } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { idListSchema, parseId } from "#app/server/query.ts";
import type { LastEmail } from "#app/supervisor-mail/request.server.ts";
import { type Decision, decisionFromRows, lastDecision } from "#app/verification/decision.server.ts";
import { type VerifiableRecord, verifiableRecord } from "#app/verification/record.ts";
import {
  lastRequestEvents,
  requestsOfRecord,
  type ShownRequestEvent,
} from "#app/verification/request-events.server.ts";
import { type MailStatus, mailStatus } from "#app/verification/requests/mail-status.ts";
import {
  openSharedRequest,
  type RecordRequest,
  recordRequestQueries,
} from "#app/verification/requests/own-requests.server.ts";

/** The last verification request of a record, unless it was withdrawn. */
export interface LastRequest {
  at: Date;
  /** Null after the supervisor was erased. */
  supervisor: AskedSupervisor | null;
  /** The state of the email to them. */
  mail: ShownMessageState | null;
  mailStatus: MailStatus | null;
}

export interface History {
  record: VerifiableRecord;
  request: LastRequest | null;
  /** Whether a request is open. */
  isOpen: boolean;
  /** The open request of several records that contains this one, which is withdrawn on its own page. */
  sharedRequestId: number | null;
  /** The last decision about the record, also if it was edited or disowned since. */
  decision: Decision | null;
  /** Whether the supervisor's address gets no notice of the verification, because its owner stopped all emails. */
  notTold: boolean;
  /** The events of the page, the first one first. */
  log: ShownEvent[];
  /** The numbers of the first and the last of them, and of the last event of all; zeros without events. */
  part: { first: number; last: number; of: number };
  /** The cursor of the page after this one; null if that is the newest, or this is. */
  newer: number | null;
  /** The last request, and the last verification; null if there is none. */
  asked: ShownEvent | null;
  verified: ShownEvent | null;
  /** Whether the last event is that a supervisor took the verification back. */
  isDisowned: boolean;
  /** The emails and openings of the requests that contain the record, of the time of the page: the last 100. */
  requestEvents: Omit<ShownRequestEvent, "requestId">[];
  /** Whether there are more of them, which are left out. */
  hasMore: boolean;
  /** Whether the events of the page and the answers of supervisors are unaltered and the record matches them. */
  intact: boolean;
}

/** The queries for a page of the history of the record that `id` selects, whose owner `owner` selects. */
export function historyQueries(db: Db, id: number | SQL<number>, owner: Owner, page: HistoryPage) {
  const isInTime =
    page.before === undefined
      ? sql`true`
      : sql`at < (SELECT at FROM ${verificationLog} WHERE record_id = ${id} AND number = ${page.before})`;
  return {
    log: historyPageQueries(db, id, page),
    decisions: lastDecision(db, id),
    requestEvents: lastRequestEvents(db, requestsOfRecord(id), isInTime, HISTORY_EVENTS + 1),
    ...recordRequestQueries(db, owner, id),
    shared: openSharedRequest(db, owner, id),
  };
}

interface Events {
  log: { page: StoredEvent[]; key: StoredEvent[] };
  decisions: Awaited<ReturnType<typeof lastDecision>>;
  mails: LastEmail[];
  request: RecordRequest[];
  shared: { id: number }[];
  requestEvents: (ShownRequestEvent & { id: number })[];
}

/** The page of a history that a page's address asks for. */
export function historyPageOf(url: URL): HistoryPage {
  const before = parseId(url.searchParams.get("before"));
  return before > 1 ? { before } : NEWEST;
}

/** The same object each time, so that an action and its loader read it once (`perRequest`). */
const NEWEST: HistoryPage = {};

/**
 * A page of the history of one of the user's own records, the newest without `page`.
 * @throws {AppError} 404 for an unknown record or another user's
 */
export const findHistory = perRequest(
  async (
    context: AppLoadContext,
    kind: Kind,
    id: number,
    page: HistoryPage = NEWEST,
  ): Promise<{ user: User; history: History }> => {
    const { user, found, deleted, ...events } = await requireUser(context, (owner, db) => ({
      found: findRecord(db, owner, kind, id),
      deleted: findDeleted(db, owner, kind, id, context.now),
      ...historyQueries(db, sql`(SELECT id FROM ${records} WHERE id = ${id} AND ${isOwn(owner, kind)})`, owner, page),
    }));
    return { user, history: historyFromRows(kind, requireRecord(kind, found, deleted), user, events, page) };
  },
);

export function historyFromRows(
  kind: Kind,
  record: RecordWithOwner,
  user: VerifiableRecord["user"],
  { log, decisions, mails, request, shared, requestEvents }: Events,
  { before }: HistoryPage,
): History {
  const isOpen = record.status === "requested";
  const decision = decisionFromRows(decisions);
  const byNumber = new Map([...log.key, ...log.page].map((event) => [event.number, event]));
  const known = [...byNumber.values()].sort((one, other) => one.number - other.number);
  const lastOf = (name: LogEvent) => {
    const stored = known.findLast(({ event }) => event === name);
    return stored ? shownEvent(stored) : null;
  };
  const asked = lastOf("requested");
  const [first, last] = [log.page[0], log.page.at(-1)];
  const of = known.at(-1)?.number ?? 0;
  const part = { first: first?.number ?? 0, last: last?.number ?? 0, of };
  const sent = requestEvents.filter(({ at }) => part.first <= 1 || (first && at >= first.at));
  return {
    record: verifiableRecord(kind, user, record),
    isOpen,
    request: isOpen || record.verified ? lastRequest(asked, mails[0], request[0]) : null,
    sharedRequestId: shared[0]?.id ?? null,
    decision,
    notTold: record.verified && decision?.state === "verified" && decision.suppressed,
    log: log.page.map(shownEvent),
    part,
    newer: part.last + HISTORY_EVENTS < of ? part.last + HISTORY_EVENTS + 1 : null,
    asked,
    verified: lastOf("verified"),
    isDisowned: known.at(-1)?.event === "disowned",
    requestEvents: sent
      .slice(0, HISTORY_EVENTS)
      .reverse()
      .map(({ id: _id, requestId: _requestId, ...event }) => event),
    hasMore: sent.length > HISTORY_EVENTS,
    intact: isIntact(
      known,
      kind,
      { ...record, mailbox: decision?.state === "verified" ? decision.email : null },
      // Up to the event before the page's cursor, which is missing if it was removed.
      of === 0 ? undefined : { first: part.first, last: Math.min(of, (before ?? of + 1) - 1) },
    ),
  };
}

function lastRequest(
  asked: ShownEvent | null,
  mail: LastEmail | undefined,
  request: RecordRequest | undefined,
): LastRequest | null {
  if (!asked) return null;
  return {
    at: asked.at,
    supervisor: asked.supervisor,
    mail: mail ? SHOWN_MESSAGE_STATES[mail.state] : null,
    mailStatus: mailStatus(mail, request),
  };
}

/** The parameters of a call that answers a page of a history. A cursor is the number of an event. */
export const historySchema = idListSchema(HISTORY_EVENTS);

/** A page of a history as the API returns it: without the record, which has its own calls. */
export function historyJson({ request, isOpen, log, requestEvents, intact, notTold }: History) {
  return {
    request: request && {
      requestedAt: request.at,
      supervisor: request.supervisor,
      mail: request.mail,
      open: isOpen,
    },
    log,
    requestEvents,
    intact,
    notTold,
  };
}

/** The parameters of the page before this one; null if this one begins with the first event. */
export function olderPage({ part }: History, { limit = HISTORY_EVENTS }: HistoryPage) {
  return part.first > 1 ? { limit, before: part.first } : null;
}
