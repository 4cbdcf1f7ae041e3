import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { appendEvent, type LastEvent, lastEvent, retryOnConflict } from "#app/audit-log/log.server.ts";
import { batch, type Db, type Owner, type Rows } from "#app/db/client.server.ts";
import { AppError } from "#app/errors.ts";
import type { AnyRecord, Kind, RecordWithToken } from "#app/records/kinds.ts";
import { existsRecord, findRecord, isUnchanged, requireRecord, withoutToken } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { addSupervisor, listSupervisors, type Supervisor } from "#app/supervisors/supervisors.server.ts";
import { findRequestMail, isStored, queueRequestEmail } from "#app/verification/queue-email.server.ts";
import type { Choice } from "#app/verification/verification.schema.ts";
import { type ReachedLimit, reachedLimit } from "./email-limits.server.ts";

/** A record with its technician, their supervisors and the last event of its log. */
export interface Requestable {
  user: User;
  record: RecordWithToken;
  supervisors: Supervisor[];
  last: LastEvent | undefined;
}

/** The queries for the dialog: the record, the owner's supervisors, and the last email. */
export function requestableQueries(db: Db, owner: Owner, kind: Kind, id: number) {
  return {
    found: findRecord(db, owner, kind, id),
    supervisors: listSupervisors(db, owner),
    mails: findRequestMail(db, owner, kind, id),
  };
}

/**
 * One of the technician's own records, with their supervisors, read once per HTTP request.
 * @throws {AppError} 404 for an unknown record or another user's
 */
export const findRequestable = perRequest(
  async (context: AppLoadContext, kind: Kind, id: number): Promise<Requestable> => {
    const { user, supervisors, last, found } = await requireUser(context, (owner, db) => ({
      ...requestableQueries(db, owner, kind, id),
      last: lastEvent(db, kind.name, id),
    }));
    return { user, record: requireRecord(kind, found), supervisors, last: last[0] };
  },
);

export interface Requested {
  record: AnyRecord;
  token: string;
  supervisor: Supervisor;
  /** Whether an email was queued: not if mail is not configured, nor over a limit. */
  emailed: boolean;
  limit: ReachedLimit | null;
}

/**
 * Asks a supervisor to verify a record. The first request makes the link, which stays the same until it is used or
 * ended. A new supervisor, the email and the event of the record's log are saved in the same transaction. If the link
 * exists already and no email is queued (`queueRequestEmail`), there is no event either.
 * `choose` parses the chosen supervisor; it runs after the 404 and before the 409, and may throw a 400.
 * @throws {AppError} 404 for a record or supervisor that is not the technician's; 409 for a verified record
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
  return retryOnConflict(async () => {
    const { user, record, supervisors, last } = await find(context, kind, id);
    find = findRequestable.refresh;
    chosen ??= choose();
    const sent = await chosen;
    // With a key a new supervisor is saved once, even if this is retried.
    const choice = "newSupervisor" in sent ? { ...sent, key: sent.key ?? key } : sent;
    const saved = "supervisorId" in choice ? supervisors.find(({ id }) => id === choice.supervisorId) : null;
    if (saved === undefined) throw new AppError(404, "That supervisor is not in your list.");
    if (record.verified) throw new AppError(409, kind.texts.alreadyVerified);

    const token = record.verificationToken ?? crypto.randomUUID();
    const requested = { ...record, verificationToken: token };
    const setToken = db
      .update(kind.table)
      .set({ verificationToken: token })
      .where(isUnchanged(kind, record))
      .returning({ id: kind.table.id });
    const supervisor = "newSupervisor" in choice ? choice.newSupervisor : saved;
    if (!supervisor) throw new Error("no supervisor was chosen"); // one of the two is set
    const mail = queueRequestEmail(context, kind, requested, choice, supervisor.email);
    const isNewLink = record.verificationToken === null;
    const event = appendEvent(
      db,
      { kind: kind.name, id, userId: record.userId, last },
      {
        event: "requested",
        at: now,
        client: context.client,
        supervisor,
        recordHash: recordHash(kind, record),
      },
      isNewLink
        ? sql`WHERE ${existsRecord(kind, sql`id = ${id} AND verification_token = ${token}`)}`
        : sql`WHERE ${isStored(context, kind, id)}`,
    );
    const resultFrom = (supervisor: Supervisor, { queued, held }: RequestRows): Requested => {
      const emailed = queued.some(({ reason }) => reason !== "not_set_up");
      securityEvent(context, "verification_requested", {
        kind: kind.name,
        record: id,
        supervisor: supervisor.id,
        emailed,
      });
      return {
        record: withoutToken(record),
        token,
        supervisor,
        emailed,
        limit: queued.length > 0 ? null : reachedLimit(held),
      };
    };
    if ("newSupervisor" in choice) {
      const save = addSupervisor(db, user, choice.newSupervisor, choice.key ?? null, now);
      const { updated, inserted, stored, ...rows } = await batch(db, { updated: setToken, ...save, ...mail, event });
      const added = inserted[0] ?? stored[0];
      if (!added) throw new Error("the new supervisor was not saved");
      return updated.length > 0 ? resultFrom(added, rows) : null;
    }
    const { updated, ...rows } = await batch(db, { updated: setToken, ...mail, event });
    return updated.length > 0 && saved ? resultFrom(saved, rows) : null;
  });
}

type RequestRows = Pick<Rows<ReturnType<typeof queueRequestEmail>>, "queued" | "held">;

/** The URL where a supervisor verifies the record with this token. */
export function verificationUrl({ origin }: Pick<AppLoadContext, "origin">, token: string): string {
  return `${origin}/verify/${token}`;
}
