import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import type { Changes } from "#app/audit-log/event-facts.ts";
import {
  appendEvent,
  changeOwn,
  countOwnEvent,
  type LastEvent,
  lastEvent,
  type NewEvent,
  timeAfter,
} from "#app/audit-log/log.server.ts";
import { commit, type Guarded, retryOnConflict, withoutLimit } from "#app/db/commit.server.ts";
import { verificationLog } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { revocationOf } from "#app/records/certificates/certificate.kind.ts";
import { updateContent, updateLater } from "#app/records/content.server.ts";
import { ENTRIES_MAX } from "#app/records/entry/entry.kind.ts";
import { type AnyRecord, flagsOf, type Kind, type RecordWithOwner, valuesOf } from "#app/records/kind.ts";
import {
  findDeleted,
  findRecord,
  isSavedWith,
  requireRecord,
  savedTogether,
  selectRecords,
  withoutOwner,
} from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { records } from "#app/records/records.table.ts";
import { applyPartialUpdate, parse } from "#app/server/api.server.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { type Decision, decisionFromRows, lastDecision } from "#app/verification/decision.server.ts";
import { endWaiting } from "#app/verification/requests/end-request.server.ts";

/** One of the technician's own records, with the last event of its log, which a new event must follow. */
interface Correctable {
  user: User;
  account: Guarded;
  record: RecordWithOwner;
  last: LastEvent | undefined;
  /** The last decision about it. */
  decision: Decision | null;
}

/**
 * One of the technician's own records, verified or not, read once per request.
 * @throws {AppError} 404 for an unknown record or another user's
 */
export const findCorrectable = perRequest(
  async (context: AppLoadContext, kind: Kind, id: number): Promise<Correctable> => {
    const { user, account, last, found, deleted, decisions } = await requireUser(context, (owner, db) => ({
      found: findRecord(db, owner, kind, id),
      deleted: findDeleted(db, owner, kind, id, context.now),
      last: lastEvent(db, id),
      decisions: lastDecision(db, id),
    }));
    const record = requireRecord(kind, found, deleted);
    return { user, account, record, last: last[0], decision: decisionFromRows(decisions) };
  },
);

/**
 * Changes a record: runs `work` with the account, the record and its last event. If another request changed them first, it is
 * run again with all of them read again (`changeOwn`).
 * @throws {AppError} 404 as `findCorrectable`, and what `work` throws
 */
function changeRecord<Result>(
  context: AppLoadContext,
  kind: Kind,
  id: number,
  act: string,
  work: (correctable: Correctable) => Promise<Result>,
): Promise<Result> {
  return changeOwn(context, act, async (attempt) =>
    work(await (attempt === 1 ? findCorrectable : findCorrectable.refresh)(context, kind, id)),
  );
}

/** Thrown if the record has changed since it was shown to the technician. */
export class EditConflictError extends AppError {
  constructor() {
    super("record_changed", "This record was changed in another window or on another device. Nothing was saved.");
  }
}

/** Throws if the record, as its owner reads it, is another version than the caller has. */
type Check = (record: AnyRecord) => void;

interface Edited {
  record: AnyRecord;
  isChanged: boolean;
  hasEndedRequest: boolean;
}

type Values = { [field: string]: unknown };

/** The fields and details that an edit changes, with their values before and after it. */
function changesOf(kind: Kind, record: AnyRecord, edited: object): Changes {
  const [before, after]: Values[] = [record, edited as Values].map((values) => ({
    ...values,
    ...(values.details as object),
  }));
  const textOf = (value: unknown) => (value ?? null) as Changes[string][0]; // what a kind's fields hold, no dates but text
  return Object.fromEntries(
    [...valuesOf(kind), ...flagsOf(kind), ...kind.details.map(({ name }) => name)].flatMap((field) => {
      const change: Changes[string] = [textOf(before?.[field]), textOf(after?.[field])];
      return change[0] === change[1] ? [] : [[field, change]];
    }),
  );
}

/** Whether an edit changes what may change after a verification. */
function changesLater(kind: Kind, record: AnyRecord, edited: object): boolean {
  const values: Values = { ...edited };
  return kind.fields.some(({ name, isLater }) => isLater && (record[name] ?? null) !== (values[name] ?? null));
}

/**
 * Edits one of the technician's own unverified records, and what may be noted of a verified one (`Field.isLater`), which ends no
 * request, because nothing of it is verified, and is an event of its own in the log. `sent` holds some or all fields; the result must be as valid as a
 * new record. An edit that changes the record ends its open verification request, because the supervisor was sent other values.
 * `shown` is the hash of the record as the technician saw it; `check` throws if a caller of the API has read another version.
 * @throws {AppError} 404 for a record that is not the technician's, then 400 with a message for each invalid field, then
 *   409 for a verified record or (`EditConflictError`) one that has changed since it was shown
 */
export async function edit(
  context: AppLoadContext,
  kind: Kind,
  id: number,
  sent: unknown,
  { shown, check }: { shown?: string; check?: Check } = {},
): Promise<Edited> {
  const { db } = context;
  return changeRecord(context, kind, id, "edit", async ({ account, record, last }): Promise<Edited> => {
    const values = parse(kind.schema, applyPartialUpdate(record, sent));
    check?.(withoutOwner(record));
    const isNoted = changesLater(kind, record, values);
    if (record.verified && !isNoted) throw new AppError("already_verified", kind.texts.alreadyVerified);
    const before = recordHash(kind, record);
    const { owner, createdAt } = record;
    const hash = recordHash(kind, { id, owner, createdAt, ...values });
    const append = (event: Omit<NewEvent, "at" | "client">) =>
      appendEvent(
        db,
        { id, userId: record.userId, last },
        { ...event, at: timeAfter(context.now, [last]), client: context.client },
      );
    if (hash === before) {
      if (!isNoted) return { record: withoutOwner(record), isChanged: false, hasEndedRequest: false };
      const revocation = revocationOf({ ...values });
      const { noted } = await commit(db, [account], {
        revoked: append({ event: "revoked", ...(revocation && { revocation }), recordHash: hash }),
        noted: updateLater(db, kind, record, values),
      });
      return { record: noted[0] ?? withoutOwner(record), isChanged: true, hasEndedRequest: false };
    }
    if (record.verified) throw new AppError("already_verified", kind.texts.alreadyVerified);
    if (shown !== undefined && shown !== before) throw new EditConflictError();
    const changes = changesOf(kind, record, values);
    const isRequested = record.status === "requested";
    const { stored } = await commit(db, [account], {
      ended: endWaiting(context, { recordId: id }, isRequested ? [{ kind, record, last, changes }] : [], "edited"),
      // One event: the end of the request says what was changed, or else the edit.
      ...(!isRequested && {
        edited: append({ event: "edited", changes, recordHash: hash }),
      }),
      stored: updateContent(db, kind, record, values),
    });
    const [edited] = stored;
    if (!edited) throw new Error("the edited record was not returned");
    return { record: edited, isChanged: true, hasEndedRequest: isRequested };
  });
}

/**
 * Deletes one of the technician's own unverified records and ends its link. Its row stays for as long as the deletion can
 * be undone.
 * @throws {AppError} 404 for a record that is not the technician's, 409 for a verified one
 */
export async function deleteRecord(context: AppLoadContext, kind: Kind, id: number, check?: Check): Promise<void> {
  const { db, now } = context;
  await changeRecord(context, kind, id, "delete", async ({ account, record, last }) => {
    check?.(withoutOwner(record));
    if (record.verified) throw new AppError("already_verified", kind.texts.alreadyVerified);
    const waiting = record.status === "requested" ? [{ kind, record, last }] : [];
    await commit(db, [withoutLimit(account)], {
      ended: endWaiting(context, { recordId: id }, waiting, "deleted"),
      deleted: db.update(records).set({ deletedAt: now, requestedAt: null, declinedAt: null }).where(sql`id = ${id}`),
    });
    return true;
  });
}

/**
 * Deletes the technician's records that were saved together with this one, so far as nothing has happened to them since: a
 * record that was edited or asked for has an event in its log, and stays. Returns how many were deleted, and how many stay.
 */
export async function undoSaving(context: AppLoadContext, kind: Kind, id: number) {
  const { db, now } = context;
  return retryOnConflict(context, "undo_saving", async () => {
    const { account, saved, logged } = await requireUser(context, (owner, db) => ({
      saved: savedTogether(db, owner, kind, id, ENTRIES_MAX),
      logged: db
        .selectDistinct({ id: verificationLog.recordId })
        .from(verificationLog)
        .where(sql`record_id IN (SELECT id FROM ${records} WHERE user_id = ${owner} AND ${isSavedWith(owner, id)})`),
    }));
    const changed = new Set(logged.map(({ id }) => id));
    const ids = saved.flatMap(({ id }) => (changed.has(id) ? [] : [id]));
    const isOne = sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
    if (ids.length > 0)
      await commit(db, [withoutLimit(account)], { deleted: db.update(records).set({ deletedAt: now }).where(isOne) });
    return { deleted: ids.length, kept: saved.length - ids.length };
  });
}

export const NOTHING_TO_RESTORE = "There is nothing to restore: a deletion can be undone for 24 hours.";

/**
 * Restores a deleted record, unverified and without a link. A record that exists already is returned as it is, so that
 * the same request can be sent twice.
 * @throws {AppError} 404 if no record of the user was deleted under this id, or too long ago; 429 as `changeOwn`
 */
export async function restoreRecord(context: AppLoadContext, kind: Kind, id: number): Promise<AnyRecord> {
  const { db, now } = context;
  return changeOwn(context, "restore", async () => {
    const { account, live, deleted } = await requireUser(context, (owner, db) => ({
      live: findRecord(db, owner, kind, id),
      deleted: findDeleted(db, owner, kind, id, now),
    }));
    if (live[0]) return withoutOwner(live[0]);
    if (!deleted[0]) {
      throw new AppError("not_found", NOTHING_TO_RESTORE);
    }
    const { found } = await commit(db, [withoutLimit(account)], {
      counted: countOwnEvent(db, now, account.id),
      restored: db.update(records).set({ deletedAt: null }).where(sql`id = ${id}`),
      found: selectRecords(db, kind, { where: sql`id = ${id}` }),
    });
    return found[0] ?? null;
  });
}
