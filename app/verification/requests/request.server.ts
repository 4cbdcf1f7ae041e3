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

/** What the dialog is about, and who can be asked; and the last line of the record's log. */
export interface Requestable {
  user: User;
  record: RecordWithToken;
  supervisors: Supervisor[];
  last: LastEvent | undefined;
}

/** The statements that find what the dialog needs: one of the owner's records of a kind, and whom they can ask. */
export function requestableQueries(db: Db, owner: Owner, kind: Kind, id: number) {
  return {
    found: findRecord(db, owner, kind, id),
    supervisors: listSupervisors(db, owner),
    mails: findRequestMail(db, owner, kind, id),
  };
}

/**
 * One of the technician's own records, with their supervisors, read once for a request: after an action the page's
 * loader shows what the action has seen.
 * @throws {AppError} 404 where there is no such record, or it is somebody else's
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

/** What a request came to. */
export interface Requested {
  record: AnyRecord;
  token: string;
  supervisor: Supervisor;
  /** Whether it queued an email: not where mail is off, nor over a limit. */
  emailed: boolean;
  /** The limit that held the email back. */
  held: ReachedLimit | null;
}

/**
 * Asks a supervisor to verify a record. The link is made at the first request and stays the same until it is used or
 * ended. A new supervisor is saved in the same transaction, and so are the message to whoever is asked and the line of
 * the record's log. Where no message is due (`queueRequestEmail`) and the link is there already, nobody is asked anew and
 * there is no line.
 * `choose` reads who is asked; it runs after the 404 and before the 409, and may refuse with 400.
 * @throws {AppError} 404 for a record or a supervisor that is not theirs; 409 for a record that is verified
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
    // With a key a new supervisor is saved once, also where all of this is done again.
    const choice = "newSupervisor" in sent ? { ...sent, key: sent.key ?? key } : sent;
    const saved = "supervisorId" in choice ? supervisors.find(({ id }) => id === choice.supervisorId) : null;
    if (saved === undefined) throw new AppError(404, "That supervisor is not in your list.");
    if (record.verified) throw new AppError(409, kind.texts.alreadyVerified);

    const token = record.verificationToken ?? crypto.randomUUID();
    const asked = { ...record, verificationToken: token };
    const ask = db
      .update(kind.table)
      .set({ verificationToken: token })
      .where(isUnchanged(kind, record))
      .returning({ id: kind.table.id });
    const supervisor = "newSupervisor" in choice ? choice.newSupervisor : saved;
    if (!supervisor) throw new Error("nobody is asked"); // one of the two is there
    const mail = queueRequestEmail(context, kind, asked, choice, supervisor.email);
    const isNewLink = record.verificationToken === null;
    const line = appendEvent(
      db,
      { kind: kind.name, id, last },
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
    const answered = (supervisor: Supervisor, { queued, held }: RequestAnswers): Requested => {
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
        held: queued.length > 0 ? null : reachedLimit(held),
      };
    };
    if ("newSupervisor" in choice) {
      const save = addSupervisor(db, user, choice.newSupervisor, choice.key ?? null, now);
      const { done, inserted, stored, ...rows } = await batch(db, { done: ask, ...save, ...mail, line });
      const added = inserted[0] ?? stored[0];
      if (!added) throw new Error("the new supervisor was not saved");
      return done.length > 0 ? answered(added, rows) : null;
    }
    const { done, ...rows } = await batch(db, { done: ask, ...mail, line });
    return done.length > 0 && saved ? answered(saved, rows) : null;
  });
}

type RequestAnswers = Pick<Rows<ReturnType<typeof queueRequestEmail>>, "queued" | "held">;

/** Where a supervisor verifies the record with this token. */
export function verificationUrl({ origin }: Pick<AppLoadContext, "origin">, token: string): string {
  return `${origin}/verify/${token}`;
}
