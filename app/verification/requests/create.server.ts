import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { areAddressesUnchanged, ownAddressQueries } from "#app/accounts/own-addresses.server.ts";
import { appendEvents, changeOwn, type LastEvent, lastEvents, timeAfter } from "#app/audit-log/log.server.ts";
import { batch, type Db, type Owner, type Rows } from "#app/db/client.server.ts";
import { submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { kindNamed } from "#app/records/kinds.ts";
import { areUnchanged, type KindAndRecord, recordsById, selectAnyRecords } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { requireBelowQuota, rowAtQuota } from "#app/server/quotas.server.ts";
import { listSupervisors, refuseFull } from "#app/supervisors/supervisors.server.ts";
import { recordLine } from "#app/verification/emails.ts";
import { emailOutcome, queueRequestEmail } from "#app/verification/queue-email.server.ts";
import { verifiableRecord } from "#app/verification/record.ts";
import { verificationRequests } from "#app/verification/requests.table.ts";
import { type AskedSupervisor, insertRequest, isRequestStored, REQUESTS_OF_A_DAY } from "./ask.server.ts";
import type { ReachedLimit } from "./email-limits.server.ts";
import type { NewRequest } from "./new-request.schema.ts";
import { type OwnRequest, ownRequestsFromRows, ownRequestsQueries } from "./own-requests.server.ts";
import { supervisorOf } from "./request.server.ts";

/** A request that was made, or was made before by the same submission. */
export interface Created extends OwnRequest {
  supervisor: AskedSupervisor | null;
  /** Why no email was queued, if a limit is the reason. */
  limit: ReachedLimit | null;
}

interface AskedRecord extends KindAndRecord {
  last: LastEvent | undefined;
}

/**
 * Asks a supervisor to verify 1 to 100 records through one link: always a new request. The request, a new supervisor, the
 * email and an event in the log of each record are saved in one transaction, or nothing is. The same submission sent again
 * returns the first request. `choose` parses what was sent; a signed-out user is refused before its error is thrown.
 * @throws {AppError} 404 for a record or supervisor that is not the technician's, 400 for a mailbox of the technician,
 *   429 for more new requests than a day has, 409 if one of the records is verified
 */
export async function createRequest(context: AppLoadContext, choose: () => Promise<NewRequest>): Promise<Created> {
  const { db, now } = context;
  const asked = await choose().catch(async (error) => {
    await requireUser(context);
    throw error;
  });
  const token = crypto.randomUUID();
  const submission = submissionOf(asked.key ?? null, asked);
  // With a key a new supervisor is saved once, even if this is retried.
  const choice = "newSupervisor" in asked ? { ...asked, key: asked.key ?? token } : asked;
  return changeOwn(context, async () => {
    const { user, supervisors, sent, full, addresses, ...found } = await requireUser(context, (owner, db) => ({
      full: rowAtQuota(db, REQUESTS_OF_A_DAY, owner, now),
      supervisors: listSupervisors(db, owner),
      sent: ownRequestsQueries(db, owner, sql`submission = ${submission}`),
      addresses: ownAddressQueries(context, owner, db),
      ...askedQueries(db, owner, asked),
    }));
    const [first] = ownRequestsFromRows(sent);
    if (first) return { ...first, supervisor: null, limit: null };
    requireBelowQuota(context, REQUESTS_OF_A_DAY, full);
    const list = askedFromRows(found, asked);
    const isAllowed = sql`NOT EXISTS ${rowAtQuota(db, REQUESTS_OF_A_DAY, sql`${user.id}`, now)}`;
    const { supervisor, supervisorId, save } = supervisorOf(
      context,
      { userId: user.id, addresses },
      supervisors,
      choice,
      isAllowed,
    );
    refuseVerified(list);

    const records = list.map(({ record }) => record.id);
    const at = timeAfter(
      now,
      list.map(({ last }) => last),
    );
    const isFirst = sql`NOT EXISTS (SELECT 1 FROM ${verificationRequests}
      WHERE user_id = ${user.id} AND submission = ${submission})`;
    const guard = sql.join(
      [
        isFirst,
        isAllowed,
        areAddressesUnchanged(context, addresses),
        sql`${supervisorId} IS NOT NULL`,
        areUnchanged(list),
      ],
      sql` AND `,
    );
    const { timeZone } = context;
    const values = { userId: user.id, token, supervisorId, supervisor, submission, records, now, at, timeZone };
    const rows = await batch(db, {
      save,
      made: insertRequest(db, { ...values, where: sql`WHERE ${guard}` }),
      log: appendEvents(
        db,
        list.map(({ kind, record, last }) => ({
          position: { id: record.id, userId: user.id, last },
          event: {
            ...{ event: "requested", at, client: context.client, supervisor },
            recordHash: recordHash(kind, record),
          },
        })),
        sql`WHERE ${isRequestStored(token)}`,
      ),
      email: queueRequestEmail(context, {
        ...{ userId: user.id, token, records, address: supervisor.email, submission: null },
      }),
      stored: ownRequestsQueries(db, user.id, sql`(token = ${token} OR submission = ${submission})`),
    });
    const [created] = ownRequestsFromRows(rows.stored);
    if (!created) {
      refuseFull(rows.save);
      return null; // a record or the address of the account has changed since it was read
    }
    const isNew = created.request.token === token;
    if (isNew) {
      const facts = { request: created.request.id, records: records.length, emailed: created.emailed };
      securityEvent(context, "verification_requested", facts);
    }
    return { ...created, supervisor, limit: isNew ? emailOutcome(rows.email).limit : null };
  });
}

/** The queries for the records that are asked for, and for the last events of their logs. */
function askedQueries(db: Db, owner: Owner, { records }: NewRequest) {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(records.map(({ id }) => id))}))`;
  return {
    records: selectAnyRecords(db, sql`user_id = ${owner} AND id IN ${ids}`),
    lastEvents: lastEvents(db, ids),
  };
}

/** The records from the rows of `askedQueries`, in the order in which they were asked for. */
function askedFromRows(rows: Rows<ReturnType<typeof askedQueries>>, { records }: NewRequest): AskedRecord[] {
  const byId = recordsById(rows.records);
  return records.map(({ type, id }) => {
    const found = byId.get(id);
    if (found?.kind.name !== type) throw new AppError(404, kindNamed(type).texts.missing);
    return { ...found, last: rows.lastEvents.find(({ recordId }) => recordId === id) };
  });
}

/** A message to the owner does not name them. */
const NOBODY = { name: null, employeeNumber: null };

function refuseVerified(list: AskedRecord[]): void {
  const verified = list.find(({ record }) => record.verified);
  if (!verified) return;
  const { kind, record } = verified;
  const message =
    list.length === 1
      ? kind.texts.alreadyVerified
      : `Nothing was sent, because a record is already verified: ${recordLine(verifiableRecord(kind, NOBODY, record))}.`;
  throw new AppError(409, message);
}
