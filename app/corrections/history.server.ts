import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { isIntact } from "#app/audit-log/chain.server.ts";
import type { AskedSupervisor } from "#app/audit-log/event-facts.ts";
import type { StoredEvent } from "#app/audit-log/event-hash.server.ts";
import { listEvents } from "#app/audit-log/log.server.ts";
import { type ShownEvent, shownEvent } from "#app/audit-log/shown-event.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { SHOWN_MESSAGE_STATES, type ShownMessageState } from "#app/db/enumerations.ts";
import type { Kind, RecordWithOwner } from "#app/records/kind.ts";
import { findDeleted, findRecord, isOwn, requireRecord } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { type Decision, decisionFromRows, lastDecision } from "#app/verification/decision.server.ts";
import { type VerifiableRecord, verifiableRecord } from "#app/verification/record.ts";
import {
  listRequestEvents,
  requestsOfRecord,
  type ShownRequestEvent,
} from "#app/verification/request-events.server.ts";
import { type MailNotice, mailNotice } from "#app/verification/requests/mail-notice.ts";
import {
  openSharedRequest,
  type RecordRequest,
  recordRequestQueries,
} from "#app/verification/requests/own-requests.server.ts";
import type { LastEmail } from "#app/verification/requests/queue-email.server.ts";

/** The last verification request of a record, unless it was withdrawn. */
export interface LastRequest {
  at: Date;
  /** Null after the supervisor was erased. */
  supervisor: AskedSupervisor | null;
  /** The state of the email to them. */
  mail: ShownMessageState | null;
  notice: MailNotice | null;
}

export interface History {
  record: VerifiableRecord;
  request: LastRequest | null;
  /** Whether a supervisor is asked and has not answered. */
  isOpen: boolean;
  /** The open request of several records that contains this one, which is withdrawn on its own page. */
  sharedRequestId: number | null;
  /** The last decision about the record, also if it was edited or disowned since. */
  decision: Decision | null;
  /** Whether the supervisor's address is not told of the verification, because it asked for no more emails. */
  notTold: boolean;
  log: ShownEvent[];
  /** The emails and openings of the requests that contain the record. */
  requestEvents: Omit<ShownRequestEvent, "requestId">[];
  /** Whether the log is unaltered and the record matches it. */
  intact: boolean;
}

/** The queries for the history of the record that `id` selects, whose owner `owner` selects. */
export function historyQueries(db: Db, id: number | SQL<number>, owner: Owner) {
  return {
    log: listEvents(db, id),
    decisions: lastDecision(db, id),
    requestEvents: listRequestEvents(db, requestsOfRecord(id)),
    ...recordRequestQueries(db, owner, id),
    shared: openSharedRequest(db, owner, id),
  };
}

interface Events {
  log: StoredEvent[];
  decisions: Awaited<ReturnType<typeof lastDecision>>;
  mails: LastEmail[];
  request: RecordRequest[];
  shared: { id: number }[];
  requestEvents: (ShownRequestEvent & { id: number })[];
}

/**
 * The history of one of the user's own records.
 * @throws {AppError} 404 for an unknown record or another user's
 */
export const findHistory = perRequest(
  async (context: AppLoadContext, kind: Kind, id: number): Promise<{ user: User; history: History }> => {
    const { user, found, deleted, ...events } = await requireUser(context, (owner, db) => ({
      found: findRecord(db, owner, kind, id),
      deleted: findDeleted(db, owner, kind, id, context.now),
      ...historyQueries(db, sql`(SELECT id FROM ${records} WHERE id = ${id} AND ${isOwn(owner, kind)})`, owner),
    }));
    return { user, history: historyFromRows(kind, requireRecord(kind, found, deleted), user, events) };
  },
);

export function historyFromRows(
  kind: Kind,
  record: RecordWithOwner,
  user: VerifiableRecord["user"],
  { log, decisions, mails, request, shared, requestEvents }: Events,
): History {
  const isOpen = record.status === "requested";
  const events = log.map(shownEvent);
  const decision = decisionFromRows(decisions);
  return {
    record: verifiableRecord(kind, user, record),
    isOpen,
    request: isOpen || record.verified ? lastRequest(events, mails[0], request[0]) : null,
    sharedRequestId: shared[0]?.id ?? null,
    decision,
    notTold: record.verified && decision?.state === "verified" && decision.suppressed,
    log: events,
    requestEvents: requestEvents.map(({ id: _id, requestId: _requestId, ...event }) => event),
    intact: isIntact(log, kind, { ...record, mailbox: decision?.state === "verified" ? decision.email : null }),
  };
}

function lastRequest(
  events: ShownEvent[],
  mail: LastEmail | undefined,
  request: RecordRequest | undefined,
): LastRequest | null {
  const event = events.findLast(({ event }) => event === "requested");
  if (!event) return null;
  return {
    at: event.at,
    supervisor: event.supervisor,
    mail: mail ? SHOWN_MESSAGE_STATES[mail.state] : null,
    notice: mailNotice(mail, request),
  };
}

/** A history as the API returns it: without the record, which has its own calls. */
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
