import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { areAddressesUnchanged, type OwnAddresses, ownAddressQueries } from "#app/accounts/own-addresses.server.ts";
import type { User } from "#app/accounts/user.ts";
import { appendEvent, changeOwn, type LastEvent, lastEvent, timeAfter } from "#app/audit-log/log.server.ts";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import type { AnyRecord, Kind, RecordWithToken } from "#app/records/kinds.ts";
import { existsRecord, findRecord, isUnchanged, requireRecord, selectRecords } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { records } from "#app/records/records.table.ts";
import { countAttempt, isBelowLimits, readdressLimit, requireBelowLimit } from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { requireBelowQuota, rowAtQuota } from "#app/server/quotas.server.ts";
import {
  addedSupervisorId,
  addSupervisor,
  listSupervisors,
  refuseFull,
  refuseOwnMailbox,
  type Supervisor,
} from "#app/supervisors/supervisors.server.ts";
import {
  type EmailedReason,
  emailOutcome,
  isEmailStored,
  type OwnRequest,
  ownRequestQueries,
  queueRequestEmail,
} from "#app/verification/queue-email.server.ts";
import type { Choice } from "#app/verification/verification.schema.ts";
import { insertRequest, REQUESTS_OF_A_DAY, renewRequest } from "./ask.server.ts";
import type { ReachedLimit } from "./email-limits.server.ts";

/** A record with its technician, their addresses and supervisors, its own request and the last event of its log. */
export interface Requestable {
  user: User;
  addresses: OwnAddresses;
  record: RecordWithToken;
  supervisors: Supervisor[];
  request: OwnRequest | undefined;
  last: LastEvent | undefined;
  /** The result of `rowAtQuota`: whether another request may be made. */
  full: { at: number }[];
}

/** The queries for the dialog: the record, the owner's supervisors, its request and the last email. */
export function requestableQueries(db: Db, owner: Owner, kind: Kind, id: number) {
  return {
    found: findRecord(db, owner, kind, id),
    supervisors: listSupervisors(db, owner),
    ...ownRequestQueries(db, owner, id),
  };
}

/**
 * One of the technician's own records, with their supervisors, read once per HTTP request.
 * @throws {AppError} 404 for an unknown record or another user's
 */
export const findRequestable = perRequest(
  async (context: AppLoadContext, kind: Kind, id: number): Promise<Requestable> => {
    const { user, supervisors, last, full, found, request, addresses } = await requireUser(context, (owner, db) => ({
      ...requestableQueries(db, owner, kind, id),
      full: rowAtQuota(db, REQUESTS_OF_A_DAY, owner, context.now),
      last: lastEvent(db, id),
      addresses: ownAddressQueries(context, owner, db),
    }));
    return {
      user,
      addresses,
      record: requireRecord(kind, found),
      supervisors,
      request: request[0],
      last: last[0],
      full,
    };
  },
);

export interface Requested {
  record: AnyRecord;
  token: string;
  supervisor: Supervisor;
  /** Whether an email was queued: not if mail is not configured, nor over a limit. */
  emailed: boolean;
  /** Why none was queued. */
  emailedReason: EmailedReason | null;
  limit: ReachedLimit | null;
}

/**
 * Asks a supervisor to verify a record: makes the record's own request, whose link stays the same until it is used or
 * ended, or renews it, for the same supervisor or another. A new supervisor, the email and the event of the record's log
 * are saved in the same transaction. If the request was only renewed and no email is queued (`queueRequestEmail`), there is
 * no event. `choose` parses the chosen supervisor; it runs after the 404 and before the 409, and may throw a 400.
 * @throws {AppError} 404 for a record or supervisor that is not the technician's; 429 for more new requests than a day has,
 *   or more open ones that are sent to another supervisor; 409 for a verified record
 */
export async function requestVerification(
  context: AppLoadContext,
  kind: Kind,
  id: number,
  choose: () => Promise<Choice>,
): Promise<Requested> {
  const { db, now } = context;
  let find: typeof findRequestable.refresh = findRequestable;
  let chosen: Promise<Choice> | undefined;
  const key = crypto.randomUUID();
  return changeOwn(context, async () => {
    const { user, addresses, record, supervisors, request, last, full } = await find(context, kind, id);
    find = findRequestable.refresh;
    // After a decline the request has ended: asking again makes a new one.
    const own = request?.endedAt ? null : record.verificationToken;
    const isNew = own === null;
    if (isNew) requireBelowQuota(context, REQUESTS_OF_A_DAY, full);
    chosen ??= choose();
    const sent = await chosen;
    // With a key a new supervisor is saved once, even if this is retried.
    const choice = "newSupervisor" in sent ? { ...sent, key: sent.key ?? key } : sent;
    const isAllowed = isNew ? sql`NOT EXISTS ${rowAtQuota(db, REQUESTS_OF_A_DAY, sql`${user.id}`, now)}` : sql`1`;
    const {
      supervisor,
      saved: chosenSupervisor,
      supervisorId,
      save,
    } = supervisorOf(context, { userId: user.id, addresses }, supervisors, choice, isAllowed);
    if (record.verified) throw new AppError(409, kind.texts.alreadyVerified);

    const token = own ?? crypto.randomUUID();
    const isReaddressed = !isNew && request !== undefined && request.supervisorEmail !== supervisor.email;
    const limit = readdressLimit(context, user.id);
    const isBelowLimit = isReaddressed ? isBelowLimits(context, [limit]) : sql`1`;
    // Without an id a new supervisor was not saved.
    const isPermitted = sql`${isBelowLimit} AND ${areAddressesUnchanged(context, addresses)} AND ${supervisorId} IS NOT NULL`;
    const isCurrent = sql`${isUnchanged(kind, record)} AND verification_token IS ${record.verificationToken}
      AND ${isAllowed} AND ${isPermitted}`;
    const at = timeAfter(now, [last]);
    const { timeZone } = context;
    const asked = { userId: user.id, token, supervisorId, supervisor, records: [id], now, at, timeZone };
    const hasToken = sql`WHERE ${existsRecord(sql`id = ${id} AND verification_token = ${token}`)}`;
    const { full: readdressed, counted } = countAttempt(context, limit, isReaddressed ? sql`1` : sql`0`);
    const { updated, ...rows } = await batch(db, {
      readdressed,
      save,
      updated: db
        .update(records)
        .set({ verificationToken: token, ...(!isNew && { requestedAt: now }) })
        .where(isCurrent)
        .returning({ id: records.id }),
      request: isNew
        ? insertRequest(db, { ...asked, submission: null, where: hasToken })
        : { renewed: renewRequest(db, asked, isPermitted) },
      email: queueRequestEmail(context, {
        ...{ userId: user.id, token, records: [id], address: supervisor.email },
        submission: submissionOf(choice.key ?? null, { type: kind.name, id, ...choice }),
        onlyIf: isPermitted,
      }),
      event: appendEvent(
        db,
        { id, userId: user.id, last },
        { event: "requested", at, client: context.client, supervisor, recordHash: recordHash(kind, record) },
        isNew || isReaddressed ? sql`${hasToken} AND ${isPermitted}` : sql`WHERE ${isEmailStored(context, token)}`,
      ),
      counted, // last: until then the limit is as the statements before have seen it
      stored: selectRecords(db, kind, { where: sql`id = ${id} AND user_id = ${user.id}` }),
    });
    if (isReaddressed) requireBelowLimit(context, limit, rows.readdressed, READDRESSED);
    refuseFull(rows.save);
    const [stored] = rows.stored;
    if (updated.length === 0 || !stored) return null;
    const saved = rows.save.inserted?.[0] ?? rows.save.stored?.[0] ?? chosenSupervisor;
    if (!saved) throw new Error("the new supervisor was not saved");
    const outcome = emailOutcome(rows.email);
    const facts = { kind: kind.name, record: id, supervisor: saved.id, emailed: outcome.emailed };
    securityEvent(context, "verification_requested", facts);
    return { record: stored, token, supervisor: saved, ...outcome };
  });
}

const READDRESSED = "You sent 100 open requests to another supervisor in 24 hours, which is the most.";

type Save = Partial<ReturnType<typeof addSupervisor>>;

/**
 * The chosen supervisor, an expression for their id, and the statements that save a new one if `onlyIf` is true.
 * @throws {AppError} 404 for one who is not in the technician's list, 400 for one with a mailbox of the technician
 */
export function supervisorOf(
  context: Pick<AppLoadContext, "db" | "now" | "secret">,
  asker: { userId: number; addresses: OwnAddresses },
  supervisors: Supervisor[],
  choice: Choice,
  onlyIf?: SQL,
): { supervisor: Omit<Supervisor, "id">; saved: Supervisor | null; supervisorId: SQL; save: Save } {
  if ("newSupervisor" in choice) {
    const key = choice.key ?? null;
    const save = addSupervisor(context, asker, choice.newSupervisor, key, onlyIf);
    const supervisorId = sql`${addedSupervisorId(asker.userId, choice.newSupervisor, key)}`;
    return { supervisor: choice.newSupervisor, saved: null, supervisorId, save };
  }
  const supervisor = supervisors.find(({ id }) => id === choice.supervisorId);
  if (!supervisor) throw new AppError(404, "That supervisor is not in your list.");
  refuseOwnMailbox(context, asker.addresses, supervisor);
  return { supervisor, saved: supervisor, supervisorId: sql`${supervisor.id}`, save: {} };
}

/** The URL where a supervisor verifies the records of the request with this token. */
export function verificationUrl({ origin }: Pick<AppLoadContext, "origin">, token: string): string {
  return `${origin}/verify/${token}`;
}
