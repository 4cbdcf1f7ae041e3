import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, asc, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { requireUser, secretFor } from "#app/accounts/access.server.ts";
import { type OwnAddresses, ownAddressQueries } from "#app/accounts/own-addresses.server.ts";
import type { User } from "#app/accounts/user.ts";
import { type Db, groupBy, type Owner, type Rows } from "#app/db/client.server.ts";
import { idsInPart } from "#app/db/parts.server.ts";
import { outbox } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import type { KindAndRecord } from "#app/records/any-record.server.ts";
import { type EmailedReason, shownReason } from "#app/supervisor-mail/request.server.ts";
import { missingText, type SupervisorNeed } from "#app/supervisors/supervisor.schema.ts";
import type { SupervisorToAsk } from "#app/supervisors/supervisor-choice.tsx";
import { listSupervisors, type Supervisor } from "#app/supervisors/supervisors.server.ts";
import {
  ITEM_KIND,
  type ItemRow,
  type RequestRow,
  requestEvents,
  verificationAnswers,
  verificationItems,
  verificationRequests,
} from "#app/verification/requests.table.ts";
import { type ClosedMailbox, closedMailboxes, isClosed } from "#app/verification/unknown-technicians.server.ts";

/** An item with the kind of its record. */
type OwnItem = ItemRow & { kind: string };

/** A request as its technician sees it. */
export interface OwnRequest {
  request: RequestRow;
  /** In the order in which the records were requested. */
  items: OwnItem[];
  /** Whether an email to the supervisor was queued; after 30 days, whether it was sent. */
  emailed: boolean;
  /** Why not, if it is known. */
  emailedReason: EmailedReason | null;
  /** The mailboxes that are closed to the technician. */
  closed: readonly ClosedMailbox[];
}

/** Why no email about a request goes out, and no reminder; null if they do. */
export type NoEmails = Extract<EmailedReason, "unknown_technician" | "suppressed">;

/** `NoEmails` of a request: its supervisor wants none, or has said since that they do not know the technician. */
export function noEmailsTo(
  { secret }: Pick<AppLoadContext, "secret">,
  { emailWithheld, supervisorEmail }: Pick<RequestRow, "emailWithheld" | "supervisorEmail">,
  closed: readonly ClosedMailbox[],
): NoEmails | null {
  if (emailWithheld === "suppressed") return emailWithheld;
  return isClosed(secret, closed, supervisorEmail) ? "unknown_technician" : null;
}

/** The queries for the owner's requests that `which` selects, newest first. */
export function ownRequestsQueries(db: Db, owner: Owner, which: SQL = sql`true`) {
  const isMine = sql`user_id = ${owner} AND ${which}`;
  const ids = sql`(SELECT id FROM ${verificationRequests} WHERE ${isMine})`;
  const mailed = sql`(SELECT coalesce(mailed_with, id) FROM ${verificationRequests} WHERE ${isMine})`;
  return {
    requests: db
      .select()
      .from(verificationRequests)
      .where(isMine)
      .orderBy(desc(verificationRequests.createdAt), desc(verificationRequests.id)),
    items: db
      .select({ ...getTableColumns(verificationItems), kind: ITEM_KIND })
      .from(verificationItems)
      .where(sql`request_id IN ${ids}`)
      .orderBy(asc(verificationItems.position)),
    // Not where mail is not configured: nothing was queued then. Nor one that was cancelled before it was sent.
    emailed: db
      .select({ id: outbox.requestId })
      .from(outbox)
      .where(sql`request_id IN ${mailed} AND kind = 'verification_requested' AND reason IS NOT 'not_set_up'
        AND (state <> 'cancelled' OR unknown_outcomes > 0)`),
    // The message is swept 30 days after it was sent.
    sent: db
      .select({ id: requestEvents.requestId })
      .from(requestEvents)
      .where(sql`request_id IN ${ids} AND event IN ('mailed', 'reminded')`),
    closed: closedMailboxes(db, owner),
  };
}

/** The requests from the rows of `ownRequestsQueries`. */
export function ownRequestsFromRows(rows: Rows<ReturnType<typeof ownRequestsQueries>>): OwnRequest[] {
  const emailed = new Set([...rows.emailed, ...rows.sent].map(({ id }) => id));
  const itemsOf = groupBy(rows.items, ({ requestId }) => requestId);
  return rows.requests.map((request) => {
    const isMailed =
      emailed.has(request.mailedWith ?? request.id) || emailed.has(request.id) || request.emailWithheld === "released";
    return {
      request,
      items: itemsOf.get(request.id) ?? [],
      emailed: isMailed,
      emailedReason: isMailed ? null : shownReason(request.emailWithheld),
      closed: rows.closed,
    };
  });
}

/** The fields of its own request that a record's page and dialog need. */
export type RecordRequest = Pick<
  RequestRow,
  "token" | "supervisorId" | "requestedName" | "supervisorEmail" | "endedAt" | "emailWithheld"
>;

/**
 * The queries for a record's own request and for its last email. A record has one from the first request in its dialog until
 * it ends; a verified one keeps the one that was open then.
 */
export function recordRequestQueries(db: Db, owner: Owner, id: number | SQL<number>) {
  const isOwn = sql`own_record_id = ${id} AND user_id = ${owner}`;
  const { token, supervisorId, requestedName, supervisorEmail, endedAt, emailWithheld } = verificationRequests;
  return {
    request: db
      .select({ token, supervisorId, requestedName, supervisorEmail, endedAt, emailWithheld })
      .from(verificationRequests)
      .where(isOwn),
    mails: db
      .select({ state: outbox.state, reason: outbox.reason, attempts: outbox.attempts, createdAt: outbox.createdAt })
      .from(outbox)
      .where(
        and(
          sql`request_id = (SELECT coalesce(mailed_with, id) FROM ${verificationRequests} WHERE ${isOwn})`,
          eq(outbox.kind, "verification_requested"),
        ),
      )
      .orderBy(desc(outbox.id))
      .limit(1),
  };
}

/** The number of requests that show which supervisor had the last one, and which do not know the technician. */
const RECENT = 30;

/** Whom a request asks: a supervisor of the list, or one at an address that they had. */
type Asked = Pick<RequestRow, "supervisorId" | "supervisorEmail">;

const isAskedBy = ({ supervisorId, supervisorEmail }: Asked, { id, email }: Supervisor) =>
  supervisorId === id || supervisorEmail === email;

/**
 * The query for whom the owner's last requests asked, the last one first, with when they said in one of them that they do not know
 * the technician (0: never), and when they answered one (0: never). (`unknown_technicians` has only those who said it from their
 * mailbox.)
 */
function lastAskedBy(db: Db, owner: Owner) {
  return db
    .select({
      supervisorId: sql<number | null>`supervisor_id`.as("supervisor_id"),
      supervisorEmail: sql<string | null>`supervisor_email`.as("supervisor_email"),
      unknownAt: sql<number>`max(iif(EXISTS (SELECT 1 FROM ${verificationItems} WHERE request_id = recent.id
        AND cause = 'unknown_technician'), ended_at, 0))`.as("unknown_at"),
      answeredAt: sql<number>`coalesce(max((SELECT max(at) FROM ${verificationAnswers}
        WHERE request_id = recent.id)), 0)`.as("answered_at"),
    })
    .from(
      sql`(SELECT id, supervisor_id, supervisor_email, requested_at, ended_at FROM ${verificationRequests} WHERE user_id = ${owner}
        ORDER BY created_at DESC LIMIT ${RECENT}) AS recent`,
    )
    .groupBy(sql`supervisor_id, supervisor_email`)
    .orderBy(sql`max(requested_at) DESC`);
}

/** The queries for the supervisors to choose from, and for the last requests to them. */
export function choiceQueries(db: Db, owner: Owner) {
  return {
    supervisors: listSupervisors(db, owner, { on: "page" }),
    lastAsked: lastAskedBy(db, owner),
    closed: closedMailboxes(db, owner),
  };
}

/**
 * Returns the supervisors from the rows of `choiceQueries`: first the one who has the request `asked` of the record,
 * then those with the latest requests, then the newest. Each says whether the supervisor does not know the technician,
 * gets no emails, or lacks something that `needs` names.
 */
export function supervisorsToAsk(
  { secret }: Pick<AppLoadContext, "secret">,
  { supervisors, lastAsked, closed }: Rows<ReturnType<typeof choiceQueries>>,
  { needs, asked }: { needs: readonly SupervisorNeed[]; asked?: Asked | undefined },
): SupervisorToAsk[] {
  const order = [...(asked ? [asked] : []), ...lastAsked];
  const place = (supervisor: Supervisor) => {
    const found = order.findIndex((one) => isAskedBy(one, supervisor));
    return found < 0 ? order.length : found;
  };
  // The last time for an address, whichever supervisor of the list had it.
  const lastOf = (at: "unknownAt" | "answeredAt", email: string) =>
    Math.max(0, ...lastAsked.filter(({ supervisorEmail }) => supervisorEmail === email).map((one) => one[at]));
  const isStranger = ({ email }: Supervisor) => lastOf("unknownAt", email) > lastOf("answeredAt", email);
  return supervisors
    .map((supervisor) => ({ supervisor, place: place(supervisor) }))
    .sort((one, other) => one.place - other.place)
    .map(({ supervisor }) => ({
      ...supervisor,
      lacks: missingText(supervisor, needs),
      ...(isClosed(secret, closed, supervisor.email)
        ? { stranger: "closed" }
        : isStranger(supervisor) && { stranger: "said" }),
    }));
}

/** The query for the open request that contains a record and is not its own one: it was made at `/requests/new`, or for several records by the API. */
export function openSharedRequest(db: Db, owner: Owner, id: number | SQL<number>) {
  const { id: requestId, supervisorId, requestedName, supervisorEmail } = verificationRequests;
  return db
    .select({ id: requestId, supervisorId, requestedName, supervisorEmail })
    .from(verificationRequests)
    .where(
      sql`id IN (SELECT request_id FROM ${verificationItems} WHERE record_id = ${id} AND state = 'waiting')
        AND user_id = ${owner} AND ended_at IS NULL AND own_record_id IS NULL`,
    );
}

/** The bytes of a request in a list: the reasons of its items, and what each has besides. */
export const BYTES_OF_REQUEST = sql`(200 + (SELECT coalesce(sum(40 + coalesce(octet_length(item.reason), 0)), 0)
  FROM ${verificationItems} AS item WHERE item.request_id = verification_requests.id))`;

/** The signed-in user's requests, newest first: a part of at most `limit`, before the one with the id `before`. */
export async function listOwnRequests(
  context: AppLoadContext,
  { before, status, limit }: { before?: number | undefined; status?: "open" | "ended" | undefined; limit: number },
): Promise<OwnRequest[]> {
  const isOpen = sql`(ended_at IS NULL AND expires_at > ${context.now.getTime()})`;
  const ofStatus = status ? sql`AND ${status === "open" ? isOpen : sql`NOT ${isOpen}`}` : sql``;
  const rows = await requireUser(context, (owner, db) => {
    const older = sql`AND (created_at, id) < (SELECT last.created_at, last.id FROM ${verificationRequests} AS last
      WHERE last.id = ${before ?? null} AND last.user_id = ${owner})`;
    const page = idsInPart({
      from: verificationRequests,
      where: sql`user_id = ${owner} ${ofStatus} ${before ? older : sql``}`,
      order: sql`created_at DESC, id DESC`,
      bytes: BYTES_OF_REQUEST,
      limit,
    });
    return ownRequestsQueries(db, owner, sql`id IN ${page}`);
  });
  return ownRequestsFromRows(rows);
}

/**
 * Finds one of the signed-in user's requests, and the addresses of their account.
 * @throws {AppError} 404 for an unknown request or another user's
 */
export async function findOwnRequest(
  context: AppLoadContext,
  id: number,
): Promise<OwnRequest & { user: User; addresses: OwnAddresses }> {
  const { user, addresses, ...rows } = await requireUser(context, (owner, db) => ({
    ...ownRequestsQueries(db, owner, sql`id = ${id}`),
    addresses: ownAddressQueries(context, owner, db),
  }));
  return { user, addresses, ...requireRequest(ownRequestsFromRows(rows)) };
}

/**
 * The first of some requests.
 * @throws {AppError} 404 if there is none
 */
export function requireRequest<Found>([found]: Found[]): Found {
  if (!found) throw new AppError("not_found", "There is no such request.");
  return found;
}

/** The facts of an event of the operator's log about a request; for one record also which. */
export function requestFacts(request: number, records: readonly KindAndRecord[]) {
  const [one, ...more] = records;
  const only = one && more.length === 0 && { kind: one.kind.name, record: one.record.id };
  return { request, records: records.length, ...only };
}

/** The URL where a supervisor verifies the records of the request with this token. */
export function verificationUrl({ origin }: Pick<AppLoadContext, "origin">, token: string): string {
  return `${origin}/verify/${token}`;
}

/** A request in JSON, for a read token without its link. */
export function ownRequestJson(
  context: Pick<AppLoadContext, "origin" | "isReadOnly" | "secret">,
  { request, items, emailed, emailedReason, closed }: OwnRequest,
): Record<string, unknown> {
  const { id, token, reminders, createdAt, expiresAt, endedAt, openedAt } = request;
  return {
    id,
    supervisor: { id: request.supervisorId, name: request.requestedName, email: request.supervisorEmail },
    verificationToken: secretFor(context, token),
    verificationUrl: secretFor(context, verificationUrl(context, token)),
    emailed,
    emailedReason,
    reminders: reminders && noEmailsTo(context, request, closed) === null,
    createdAt,
    expiresAt,
    endedAt,
    openedAt,
    items: items.map(({ kind, recordId, state, reason }) => ({
      type: kind,
      id: recordId,
      state,
      reason,
    })),
  };
}
