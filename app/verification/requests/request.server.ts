import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { ownAddressQueries } from "#app/accounts/own-addresses.server.ts";
import {
  appendEvents,
  changeOwn,
  countOwnEvent,
  type LastEvent,
  lastEvents,
  timeAfter,
} from "#app/audit-log/log.server.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { commit } from "#app/db/commit.server.ts";
import { outbox } from "#app/db/schema.ts";
import { isReusedKey, KeyReusedError, submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { type KindAndRecord, recordsById, selectAnyRecords } from "#app/records/any-record.server.ts";
import { type AnyRecord, isAskable, type Kind, supervisorNeedsOf } from "#app/records/kind.ts";
import { withoutOwner } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import {
  countOrAbort,
  type Limit,
  readdressLimit,
  refusalOverLimit,
  renewalLimit,
} from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { type DailyQuota, requireBelowQuota, rowAtQuota } from "#app/server/quotas.server.ts";
import { recordText } from "#app/supervisor-mail/facts.ts";
import { emailOutcome, isEmailStored, queueRequestEmail, type Wait } from "#app/supervisor-mail/request.server.ts";
import { missingOf, missingText, NEEDED_MESSAGES } from "#app/supervisors/supervisor.schema.ts";
import {
  addSupervisor,
  decideNewSupervisor,
  newestSupervisorId,
  newSupervisorQueries,
  refuseOwnMailbox,
  type Supervisor,
} from "#app/supervisors/supervisors.server.ts";
import { UNNAMED, verifiableRecord } from "#app/verification/record.ts";
import { appendRequestEvent } from "#app/verification/request-events.server.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import type { Choice, NewRequest } from "#app/verification/verification.schema.ts";
import {
  choiceQueries,
  type OwnRequest,
  ownRequestsFromRows,
  ownRequestsQueries,
  requestFacts,
  requireRequest,
} from "./own-requests.server.ts";
import { insertRequest, RENEWED, type RequestedSupervisor, renewRequest } from "./request-statements.server.ts";

/** New requests: those that were withdrawn since count, those that were renewed do not. */
const REQUESTS_OF_A_DAY: DailyQuota = {
  table: verificationRequests,
  at: verificationRequests.createdAt,
  max: 100,
  why: "You made 100 new requests in 24 hours, which is the most. One request can ask for up to 100 records.",
};

const READDRESSED = "You sent 100 open requests to another supervisor in 24 hours, which is the most.";

/** Which request is made, and of whom. */
interface Selection {
  /** Null where a page only shows the records. */
  choice: Choice | null;
  /** In this order. */
  records: NewRequest["records"];
  /** The record whose own request is made, or renewed if it is open. If null, the request is new. */
  ownRecordId: number | null;
  /** Which submission of a form makes it (`submissionOf`): sent again, it finds the request that it has made or renewed. */
  submission: string | null;
}

/** A request that was made or renewed, or was made before by the same submission. */
interface Requested extends OwnRequest {
  /** Null if the same submission was sent before, so that nothing was done. */
  supervisor: RequestedSupervisor | null;
  /** Why no email was queued, if a limit is the reason. */
  limit: Wait | null;
}

/**
 * Requests verification of one record: makes its own request, whose link stays the same until it ends, or renews it, for the
 * same supervisor or another. The same submission sent again changes nothing (but see `requestOf`)
 * and returns its request, whatever became of it.
 * @throws {AppError} 404 for a record or supervisor that is not the technician's; 400 for a mailbox of the technician; 429
 *   for more new requests than a day has, more renewals of an open one, or more open ones that are sent to another
 *   supervisor; 409 for a verified record
 */
export async function requestRecord(
  context: AppLoadContext,
  kind: Kind,
  id: number,
  choice: Choice,
): Promise<Requested & { record: AnyRecord }> {
  const records = [{ type: kind.name, id }];
  const submission = submissionOf(choice.key ?? null, { records, ...choice });
  // For the page that follows a refusal, also where finding it is what refuses.
  const find = () => findRequestable.replace(findOwn(context, kind, id, choice, submission), context, kind, id);
  const requested = await requestVerification(context, find, choice);
  const found = await findRequestable(context, kind, id); // the record that was requested
  const record = withoutOwner(found.record);
  return { ...requested, record: requested.supervisor ? { ...record, status: "requested" } : record };
}

/**
 * Requests verification of 1 to 100 records through one link: always by a new request. The same submission sent again returns
 * the first request.
 * @throws {AppError} 404 for a record or supervisor that is not the technician's, 400 for a mailbox of the technician,
 *   429 for more new requests than a day has, 409 if one of the records is verified
 */
export async function requestRecords(context: AppLoadContext, sent: NewRequest): Promise<Requested> {
  const submission = submissionOf(sent.key ?? null, sent);
  const find = () => readRequestable(context, { choice: sent, records: sent.records, ownRecordId: null, submission });
  return requestVerification(context, find, sent);
}

/**
 * Sends an open request to the address that its supervisor has in the technician's list now. The secret that was mailed to the
 * old address is void then; the link stays the same.
 * @throws {AppError} 404 for an unknown request or another user's, 409 for one that has ended or went to that address already,
 *   else as `requestRecord`
 */
export function sendToNewAddress(context: AppLoadContext, id: number): Promise<Requested> {
  return requestVerification(context, () => readOpen(context, id), null);
}

async function readOpen(context: AppLoadContext, id: number): Promise<Requestable> {
  const found = await requireUser(context, (owner, db) => {
    const isMine = sql`id = ${id} AND user_id = ${owner}`;
    const waiting = sql`(SELECT record_id FROM ${verificationItems} WHERE state = 'waiting'
      AND request_id = (SELECT id FROM ${verificationRequests} WHERE ${isMine}))`;
    return requestableQueries(context, { db, owner, ids: waiting, isOpen: isMine });
  });
  const request = requireRequest(found.open);
  if (request.endedAt || request.expiresAt <= context.now)
    throw new AppError("request_ended", "This request has ended. Make a new one for what is still unverified.");
  const supervisor = found.supervisors.find((one) => one.id === request.supervisorId);
  if (supervisor?.email === request.supervisorEmail)
    throw new AppError("already_sent", "This request went to that address already.");
  const records = found.records.map(({ kind, id: recordId }) => ({ type: kind, id: recordId }));
  return { ...found, selection: { choice: null, records, ownRecordId: request.ownRecordId, submission: null } };
}

/**
 * One of the technician's own records as `requestRecord` needs it, read once per HTTP request.
 * @throws {AppError} 404 for an unknown record or another user's
 */
export const findRequestable = perRequest((context: AppLoadContext, kind: Kind, id: number) =>
  findOwn(context, kind, id, null, null),
);

async function findOwn(
  context: AppLoadContext,
  kind: Kind,
  id: number,
  choice: Choice | null,
  submission: string | null,
) {
  const selection = { choice, records: [{ type: kind.name, id }], ownRecordId: id, submission };
  const found = await readRequestable(context, selection);
  const [one] = requestableRecords(found);
  if (!one) throw new AppError("not_found", kind.texts.missing);
  return { ...found, record: one.record };
}

/** The records to request, their technician and the requests that matter, as they were read. */
type Requestable = Awaited<ReturnType<typeof readRequestable>>;

async function readRequestable(context: AppLoadContext, selection: Selection) {
  const { choice, records, ownRecordId, submission } = selection;
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(records.map(({ id }) => id))}))`;
  const found = await requireUser(context, (owner, db) => ({
    ...requestableQueries(context, {
      ...{ db, owner, ids },
      isOpen: sql`own_record_id = ${ownRecordId} AND user_id = ${owner} AND ended_at IS NULL`,
    }),
    ...(choice &&
      "newSupervisor" in choice && {
        added: newSupervisorQueries(db, owner, choice.newSupervisor, choice.key ?? null),
      }),
    ...(submission !== null && { earlier: ownRequestsQueries(db, owner, sql`id = ${requestOf(owner, selection)}`) }),
    ...(submission !== null && {
      reused: db
        .select({ id: verificationRequests.id })
        .from(verificationRequests)
        .where(isUnderOtherContent(context, owner, selection))
        .limit(1),
    }),
  }));
  return { ...found, selection };
}

interface Which {
  db: Db;
  owner: Owner;
  /** A list of the ids of the records. */
  ids: SQL;
  /** The request that is renewed, if it is open. */
  isOpen: SQL;
}

function requestableQueries(context: AppLoadContext, { db, owner, ids, isOpen }: Which) {
  return {
    records: selectAnyRecords(db, sql`id IN ${ids} AND +user_id = ${owner}`), // by id, not by an index of all of the user's
    lastEvents: lastEvents(db, ids),
    ...choiceQueries(db, owner),
    addresses: ownAddressQueries(context, owner, db),
    full: rowAtQuota(db, REQUESTS_OF_A_DAY, owner, context.now),
    open: db.select().from(verificationRequests).where(isOpen),
  };
}

/**
 * The id of the request that a submission has made, or renewed with an email; NULL without one. A renewal that queues no email,
 * because of a limit or because the supervisor wants none, is noted nowhere: sent again, it renews the request again.
 */
function requestOf(owner: Owner, { ownRecordId, submission }: Selection): SQL {
  return sql`coalesce((SELECT id FROM ${verificationRequests} WHERE user_id = ${owner} AND submission = ${submission}),
    (SELECT request_id FROM ${outbox} WHERE kind = 'verification_requested' AND submission = ${submission}
      AND request_id IN (SELECT request_id FROM ${verificationItems} WHERE record_id = ${ownRecordId})))`;
}

/** The condition of requests that a call has made, or renewed with an email for this record, under the same key with other content. */
function isUnderOtherContent(context: AppLoadContext, owner: Owner, { ownRecordId, submission }: Selection): SQL {
  const isReused = isReusedKey(context, submission);
  const renewed = sql`SELECT request_id FROM ${outbox} WHERE kind = 'verification_requested' AND ${isReused}
    AND request_id IN (SELECT request_id FROM ${verificationItems} WHERE record_id = ${ownRecordId})`;
  return sql`user_id = ${owner} AND (${isReused} OR id IN (${renewed}))`;
}

interface RequestableRecord extends KindAndRecord {
  last: LastEvent | undefined;
}

/**
 * The records in the order in which they are requested.
 * @throws {AppError} 404 if one is missing, 400 if one is never sent to a supervisor
 */
function requestableRecords({
  records,
  lastEvents,
  selection,
}: Pick<Requestable, "records" | "lastEvents" | "selection">): RequestableRecord[] {
  const byId = recordsById(records);
  const last = new Map(lastEvents.map((event) => [event.recordId, event]));
  return selection.records.map(({ type, id }) => {
    const found = byId.get(id);
    if (found?.kind.name !== type) throw new AppError("not_found", kindNamed(type).texts.missing);
    if (!isAskable(found.kind, found.record)) throw new AppError("invalid", found.kind.unasked?.message ?? "");
    return { ...found, last: last.get(id) };
  });
}

/**
 * Makes or renews the request that `find` describes. The request, a new supervisor, the email and an event in the log of each
 * record are saved in one transaction, or nothing is. If the request was only renewed and no email is queued
 * (`queueRequestEmail`), there is no event, but it counts as one. `chosen` is null for the supervisor of the open request.
 */
async function requestVerification(
  context: AppLoadContext,
  find: () => Promise<Requestable>,
  chosen: Choice | null,
): Promise<Requested> {
  const { db, now, timeZone, client } = context;
  return changeOwn(context, "request", async () => {
    const found = await find();
    const { account, selection } = found;
    const { ownRecordId, submission } = selection;
    const [earlier] = found.earlier ? ownRequestsFromRows(found.earlier) : [];
    if (earlier) return { ...earlier, supervisor: null, limit: null };
    if (found.reused?.[0]) throw new KeyReusedError();
    const [open] = found.open;
    if (!open) requireBelowQuota(context, REQUESTS_OF_A_DAY, found.full);
    const list = requestableRecords(found);
    const choice = chosen ?? { supervisorId: open?.supervisorId ?? 0, key: null };
    const { supervisor, isReaddressed, ...decided } = decideRequest(context, { ...found, open, list }, choice);
    const isNew = decided.supervisorId === null && "newSupervisor" in choice;
    const supervisorId = decided.supervisorId ?? newestSupervisorId(account.id);

    const userId = account.id;
    const token = open?.token ?? crypto.randomUUID();
    const limits: [Limit, string][] = [
      ...(open ? [[renewalLimit(context, open.id), RENEWED] as [Limit, string]] : []),
      ...(isReaddressed ? [[readdressLimit(context, userId), READDRESSED] as [Limit, string]] : []),
    ];
    const records = list.map(({ record }) => record.id);
    const at = timeAfter(
      now,
      list.map(({ last }) => last),
    );
    const values = {
      userId,
      token,
      ownRecordId,
      supervisorId,
      supervisor,
      isReaddressed,
      submission,
      records,
      now,
      at,
    };
    // Whether the email is queued is known only when it is: limits of a mailbox are of all technicians.
    const hasEvents = open && !isReaddressed ? isEmailStored(context, token) : sql`true`;
    const rows = await commit(db, [account], {
      ...(limits.length > 0 && {
        renewals: countOrAbort(
          context,
          limits.map(([limit]) => limit),
        ),
      }),
      ...(isNew && { saved: addSupervisor(context, userId, choice.newSupervisor, choice.key ?? null) }),
      made: open ? renewRequest(db, values) : insertRequest(db, { ...values, timeZone }),
      email: queueRequestEmail(context, {
        userId,
        token,
        records,
        address: supervisor.email,
        submission,
        mayJoin: true,
      }),
      log: appendEvents(
        db,
        list.map(({ kind, record, last }) => ({
          position: { id: record.id, userId, last },
          event: { event: "requested", at, client, supervisor, recordHash: recordHash(kind, record) },
        })),
        sql`WHERE ${hasEvents}`,
      ),
      // Whom a request of several records went to is known from its own events, too (erase-supervisor.server.ts).
      ...(open && ownRecordId === null && { asked: appendRequestEvent(db, open.id, { event: "asked", at, client }) }),
      ...(open && { renewal: countOwnEvent(db, now, userId, sql`WHERE NOT (${hasEvents})`) }),
      stored: ownRequestsQueries(db, userId, sql`token = ${token}`),
    }).catch(async (error) => {
      throw await refusalOverLimit(context, error, limits);
    });
    const stored = requireRequest(ownRequestsFromRows(rows.stored));
    const outcome = emailOutcome(rows.email);
    securityEvent(context, "verification_requested", {
      ...requestFacts(stored.request.id, list),
      supervisor: stored.request.supervisorId,
      emailed: outcome.emailed,
    });
    return { ...stored, ...outcome, supervisor };
  });
}

/** The facts by which a request is decided. */
type RequestState = Pick<Requestable, "supervisors" | "addresses" | "added"> & {
  list: RequestableRecord[];
  /** The open request that is renewed. */
  open: Pick<Requestable["open"][number], "supervisorEmail"> | undefined;
};

interface DecidedRequest {
  supervisor: Omit<Supervisor, "id">;
  /** Null for a new one, who has to be saved. */
  supervisorId: number | null;
  /** Whether an open request goes to another address. */
  isReaddressed: boolean;
}

/**
 * Decides of whom verification is requested, or why not.
 * @throws {AppError} 404 for a supervisor who is not in the technician's list, 400 for one with a mailbox of the technician or
 *   without what the records need, 409 for a verified record; as `decideNewSupervisor`
 */
export function decideRequest(
  context: Pick<AppLoadContext, "secret">,
  { list, open, supervisors, addresses, added }: RequestState,
  choice: Choice,
): DecidedRequest {
  const isNew = "newSupervisor" in choice;
  const saved =
    isNew && added
      ? decideNewSupervisor(context, addresses, choice.newSupervisor, added)
      : supervisors.find((one) => "supervisorId" in choice && one.id === choice.supervisorId);
  const supervisor = isNew ? choice.newSupervisor : saved;
  if (!supervisor) throw new AppError("not_found", "That supervisor is not in your list.");
  if (!isNew) refuseOwnMailbox(context, addresses, supervisor);
  refuseVerified(list);
  refuseIncomplete(supervisor, list, isNew);
  const isReaddressed = open !== undefined && open.supervisorEmail !== supervisor.email;
  return { supervisor, supervisorId: saved?.id ?? null, isReaddressed };
}

/**
 * Refuses a supervisor who lacks what the records need: hours of work need a phone number, a level and a company.
 * @throws {AppError} 400 on each field of a new supervisor, or on `supervisorId`
 */
function refuseIncomplete(supervisor: Omit<Supervisor, "id">, list: RequestableRecord[], isNew: boolean): void {
  const needs = supervisorNeedsOf(list.map(({ kind }) => kind));
  const missing = needs.includes("role") ? [] : missingOf(supervisor, needs);
  const [first] = missing;
  if (!first) return;
  const errors = missing.map((path) => ({ path, message: NEEDED_MESSAGES[path] }));
  if (isNew) throw new AppError("invalid", NEEDED_MESSAGES[first], errors);
  const message = `${supervisor.name} cannot verify hours yet. Under Supervisors, add: ${missingText(supervisor, needs)}.`;
  throw new AppError("invalid", message, [{ path: "supervisorId", message }]);
}

function refuseVerified(list: RequestableRecord[]): void {
  const verified = list.find(({ record }) => record.verified);
  if (!verified) return;
  const { kind, record } = verified;
  const message =
    list.length === 1
      ? kind.texts.alreadyVerified
      : `Nothing was sent, because a record is already verified: ${recordText(verifiableRecord(kind, UNNAMED, record))}.`;
  throw new AppError("already_verified", message);
}
