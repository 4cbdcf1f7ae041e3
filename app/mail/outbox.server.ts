import { and, eq, type SQL, sql } from "drizzle-orm";
import { batch, type Db } from "#app/db/client.server.ts";
import type { MessageKind, RecordKind } from "#app/db/enumerations.ts";
import { type MessageRow, outbox } from "#app/db/schema.ts";
import type { Step } from "./next-step.ts";

/*
 * A message's life. It is stored in the batch of the change that causes it, so there is never one without the other:
 *
 *   waiting ──► claimed ──► sending ──► sent, failed, unknown; or waiting again
 *                  └──► moot: there is nothing to say any more
 *
 * A Worker may stop at any point. `claimed` tells that the message had not been handed over, and it is simply taken
 * again when the lease is over; `sending` tells that nobody knows, which is an unknown outcome like any other.
 */

/** For so long nobody else takes a message that somebody has; longer than any sending lasts. */
const LEASE_MS = 90_000;

declare module "@remix-run/cloudflare" {
  interface AppLoadContext {
    /** What this request has to mail; it is sent when the answer is on its way (entry.worker.ts). */
    readonly mail: RequestMail;
  }
}

/** The messages of one request: stored under its lease, and mailed when its answer is on its way. */
export interface RequestMail {
  readonly lease: string;
  /** Without settings a message is stored as failed, so that the technician is told at once. */
  readonly isConfigured: boolean;
  hasMessages: boolean;
}

export function newRequestMail(isConfigured: boolean): RequestMail {
  return { lease: crypto.randomUUID(), isConfigured, hasMessages: false };
}

interface NewMessage {
  kind: MessageKind;
  userId: SQL;
  recordKind?: RecordKind;
  recordId?: SQL;
  supervisorId?: SQL;
  submission?: string | null;
  /** Whom the limits count it for; nobody where it is not queued. */
  recipient?: string;
  /** `FROM … WHERE …`: the rows that have changed; where it finds none there is no message. */
  from: SQL;
}

/** The statement that stores a message. It belongs behind the change that causes it, in the same batch. */
export function queueMessage({ db, now, mail }: { db: Db; now: Date; mail: RequestMail }, message: NewMessage) {
  const { kind, userId, recordKind = null, recordId = sql`NULL`, supervisorId = sql`NULL` } = message;
  const [state, dueAt, reason, endedAt, recipient] = mail.isConfigured
    ? ["waiting", now.getTime(), null, null, message.recipient ?? null]
    : ["failed", null, "not_set_up", now.getTime(), null];
  mail.hasMessages = true;
  return db.insert(outbox).select(
    sql`SELECT NULL, ${kind}, ${userId}, ${recordKind}, ${recordId}, ${supervisorId}, ${message.submission ?? null},
      ${state}, 0, 0, ${mail.lease}, ${dueAt}, ${reason}, ${now.getTime()}, ${endedAt}, ${recipient}, NULL
      ${message.from}`,
  );
}

/** The condition under which a message counts: it has gone out, may have, or still may. */
export const mayHaveArrived: SQL = sql`(state NOT IN ('failed', 'moot') OR doubts > 0)`;

/**
 * The statement that calls off messages that have not ended: those that `which` selects. Whoever is just handing one of
 * them over finds that it is theirs no more; whether that one arrives stays in doubt.
 */
export function cancelMessages({ db, now }: { db: Db; now: Date }, which: SQL) {
  return db
    .update(outbox)
    .set({
      ...{ state: "moot", reason: null, lease: null, dueAt: null, endedAt: now },
      doubts: sql`doubts + (state = 'sending')`,
    })
    .where(sql`kind = 'verification_requested' AND due_at IS NOT NULL AND ${which}`);
}

/**
 * Takes messages that are due, for a while: those that `which` selects, all in one statement, so that of two who ask
 * at once only one gets a message. One that was left in `sending` for the second time has been sent twice and ends.
 */
export async function claim(db: Db, which: { lease: string } | { limit: number }, now: Date): Promise<MessageRow[]> {
  const lease = crypto.randomUUID();
  const moment = now.getTime();
  const due = sql`SELECT id FROM ${outbox} WHERE due_at <= ${moment} ORDER BY due_at`;
  const chosen =
    "lease" in which
      ? sql`${outbox.lease} = ${which.lease} AND ${outbox.state} = 'waiting' AND ${outbox.dueAt} <= ${moment}`
      : sql`${outbox.id} IN (${due} LIMIT ${which.limit})`;
  const { claimed } = await batch(db, {
    ended: db
      .update(outbox)
      .set({ state: "unknown", doubts: 2, dueAt: null, lease: null, endedAt: now })
      .where(and(sql`due_at <= ${moment}`, eq(outbox.state, "sending"), eq(outbox.doubts, 1))),
    claimed: db
      .update(outbox)
      .set({
        state: "claimed",
        lease,
        dueAt: new Date(moment + LEASE_MS),
        doubts: sql`doubts + (state = 'sending')`,
      })
      .where(chosen)
      .returning(),
  });
  return claimed;
}

/** The last thing before a message is handed over. Returns false where somebody else has it by now. */
export async function startSending(db: Db, { id, lease }: MessageRow): Promise<boolean> {
  const started = await db
    .update(outbox)
    .set({ state: "sending", attempts: sql`attempts + 1` })
    .where(and(eq(outbox.id, id), eq(outbox.lease, lease ?? ""), eq(outbox.state, "claimed")))
    .returning({ id: outbox.id });
  return started.length > 0;
}

/** The statement that writes down what became of a message, unless somebody else has taken it over. */
export function finish(
  db: Db,
  { id, lease }: MessageRow,
  step: Step | { state: "moot"; reason: null; dueAt: null },
  isDoubtful: boolean,
  now: Date,
) {
  return db
    .update(outbox)
    .set({
      ...step,
      lease: null,
      ...(isDoubtful && { doubts: sql`doubts + 1` }),
      endedAt: step.dueAt === null ? now : null,
    })
    .where(and(eq(outbox.id, id), eq(outbox.lease, lease ?? "")));
}

/** The condition under which a message is still one's own to finish. */
export function holdsLease({ id, lease }: MessageRow): SQL {
  return sql`EXISTS (SELECT 1 FROM ${outbox} WHERE id = ${id} AND lease = ${lease ?? ""})`;
}
