import { and, eq, gt, isNotNull, type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "#app/calendar-date.ts";
import { batch, type Db, insertSelect, type Queries, quoted } from "#app/db/client.server.ts";
import { MESSAGE_KINDS, MESSAGES, type MessageFailure, type MessageKind } from "#app/db/enumerations.ts";
import { attempts, type MessageRow, outbox, users } from "#app/db/schema.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { type Limit, recipientLimit } from "#app/server/attempt-limits.server.ts";
import type { Outcome, Step } from "./next-step.ts";

/*
 * The states of a message. It is stored in the batch of the change that causes it, so both are stored or neither:
 *
 *   waiting ──► claimed ──► sending ──► sent, failed, unknown; or waiting again
 *                  └──► cancelled: there is no longer a reason to send it; failed: its time is over; or waiting again
 *
 * A Worker may stop at any point. A message left in `claimed` was not sent, and is claimed again when its lease ends. A
 * message left in `sending` may have been sent: its outcome is unknown.
 */

/** How long a claimed message is not claimed again, in milliseconds: longer than an attempt to send can take, but for an SMTP server's answer. */
const LEASE_MS = 90_000;

declare module "@remix-run/cloudflare" {
  interface AppLoadContext {
    /** The messages of this request, sent after its response (entry.worker.ts). */
    readonly mail: RequestMail;
  }
}

/** The messages of one request: stored under its lease, and sent after its response. */
export interface RequestMail {
  readonly lease: string;
  /** Whether mail is configured. If not, messages are stored as failed, so that the technician sees it at once. */
  readonly isConfigured: boolean;
  hasMessages: boolean;
}

export function newRequestMail(isConfigured: boolean): RequestMail {
  return { lease: crypto.randomUUID(), isConfigured, hasMessages: false };
}

/** Returns the kinds of email for these readers, in SQL. */
function kindsFor(reader: (typeof MESSAGES)[MessageKind]["to"]): SQL {
  const kinds = MESSAGE_KINDS.filter((kind) => MESSAGES[kind].to === reader);
  return sql.raw(kinds.map(quoted).join(", "));
}

/** `FROM …`: the link to an account that a message is about. */
const OWN_LINK = sql.raw("account_links WHERE user_id = outbox.user_id AND nonce = outbox.submission");

/** The address of a message, as far as the database still has it: an expression for a query of the outbox. */
const RECIPIENT: SQL<string | null> = sql`CASE
  WHEN kind IN (${kindsFor("supervisor")}) THEN (SELECT supervisor_email FROM verification_requests WHERE id = outbox.request_id)
  WHEN kind = 'email_change_link' THEN (SELECT email FROM ${OWN_LINK})
  WHEN kind IN ('email_change_notice', 'email_changed') THEN (SELECT old_email FROM ${OWN_LINK})
  ELSE (SELECT email FROM users WHERE id = outbox.user_id) END`;

/** SQL condition: the message will not be tried again, and was not sent or may not have arrived. */
const HAS_FAILED = sql.raw("state IN ('failed', 'unknown') AND (state = 'failed' OR attempts > 0)");

/**
 * SQL condition: a message that has failed can still be sent. If not, what it is about has ended or its link has expired, or a later
 * message took its place; a reminder is of its day, which has 12 hours (app/supervisor-mail/reminder.server.ts).
 */
function canStillGo(now: Date): SQL {
  const at = now.getTime();
  const isNewest = sql`NOT EXISTS (SELECT 1 FROM ${outbox} AS later WHERE later.user_id = outbox.user_id
    AND later.kind = outbox.kind AND later.id > outbox.id AND later.request_id IS outbox.request_id)`;
  const isOpen = sql`EXISTS (SELECT 1 FROM verification_requests WHERE id = outbox.request_id AND ended_at IS NULL
    AND expires_at > ${at} AND supervisor_email IS NOT NULL)`;
  const isOpenLink = sql`EXISTS (SELECT 1 FROM ${OWN_LINK} AND used_at IS NULL AND expires_at > ${at})`;
  return sql`CASE kind WHEN 'verification_requested' THEN ${isOpen} AND ${isNewest}
    WHEN 'verification_reminder' THEN created_at > ${at - DAY_MS / 2}
    WHEN 'password_reset' THEN ${isNewest} AND EXISTS (SELECT 1 FROM ${users} WHERE id = outbox.user_id AND reset_token_expiry > ${at})
    WHEN 'email_change_link' THEN ${isOpenLink} WHEN 'email_confirmation' THEN ${isOpenLink}
    ELSE true END`;
}

/** The most failed emails that are listed. */
const FAILED_MAX = 100;

/** The query for the emails that have failed, the last one first. `isAllowed` is a condition. */
export function failedMessages(db: Db, isAllowed: SQL) {
  return db
    .select({
      id: outbox.id,
      kind: outbox.kind,
      to: RECIPIENT.as("to_address"),
      reason: sql<MessageFailure | "unknown">`coalesce(reason, 'unknown')`.as("why"),
      at: sql<Date>`coalesce(ended_at, created_at)`.mapWith((at: number) => new Date(at)).as("ended"),
    })
    .from(outbox)
    .where(sql`${HAS_FAILED} AND ${isAllowed}`)
    .orderBy(sql`ended_at DESC`)
    .limit(FAILED_MAX);
}

/** The query for messages by their ids: their state, and whom they are for. */
export function messagesOf(db: Db, ids: number[], isAllowed = sql`1`) {
  return db
    .select({ id: outbox.id, state: outbox.state, to: RECIPIENT.as("to_address") })
    .from(outbox)
    .where(sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${isAllowed}`);
}

/** The number of messages that are sent right after the response; the timer sends the others. */
const AT_ONCE = 4;

/**
 * The statements that send messages once more which have failed, and count those to an address that limits count. They are as
 * new: an email is given up a day after it was queued. An unknown outcome stays: it may have arrived.
 */
export function sendAgainStatements(
  { db, now, secret, mail }: { db: Db; now: Date; secret: string; mail: RequestMail },
  messages: { id: number; to: string | null }[],
) {
  mail.hasMessages = true;
  const at = now.getTime();
  const counted = messages.map(({ id, to }) => ({
    id,
    subject: to === null ? null : recipientLimit({ secret }, normalizeMailbox(to)).subject,
  }));
  const ids = JSON.stringify(messages.map(({ id }) => id));
  return {
    // First: the other statement does not return which messages it has changed.
    counted: db.insert(attempts).select(
      sql`SELECT NULL, value ->> 'subject', ${at} FROM json_each(${JSON.stringify(counted)})
        WHERE value ->> 'subject' IS NOT NULL AND EXISTS (
          SELECT 1 FROM ${outbox} WHERE id = value ->> 'id' AND ${HAS_FAILED} AND ${canStillGo(now)} AND kind NOT IN (${kindsFor("owner")}))`,
    ),
    again: db
      .update(outbox)
      .set({
        state: "waiting",
        reason: null,
        endedAt: null,
        dueAt: now,
        // By this instant a reminder finds its requests: it stays one of its own day.
        createdAt: sql`iif(kind = 'verification_reminder', created_at, ${at})`,
        attempts: 0,
        unknownOutcomes: sql`min(unknown_outcomes, 1)`,
        keyRefusedAt: null,
        lease: messages.length > AT_ONCE ? null : mail.lease,
      })
      .where(sql`id IN (SELECT value FROM json_each(${ids})) AND ${HAS_FAILED} AND ${canStillGo(now)}`)
      .returning({ id: outbox.id }),
  };
}

/** SQL condition: the address of this user's account is confirmed. A column in `userId` needs its table's name. */
export function hasConfirmedAddress(userId: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${users} AS account
    WHERE account.id = ${userId} AND account.email_confirmed_at IS NOT NULL)`;
}

/**
 * SQL condition: the user has not left. No email goes to who has, and none that asks or reminds a supervisor on their behalf. A
 * column in `userId` needs its table's name.
 */
export function hasNotLeft(userId: SQL): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${users} AS account WHERE account.id = ${userId} AND account.left_on IS NOT NULL)`;
}

interface NewMessage {
  kind: MessageKind;
  userId: SQL;
  /** The verification request that it is about. */
  requestId?: SQL;
  submission?: SQL | string | null;
  /** The hashed mailbox that email limits count the message for. Not stored if mail is not configured. */
  recipient?: SQL | string;
  /** Not before this time, if it is not NULL: an expression. */
  dueAt?: SQL<number | null>;
  /** `FROM … WHERE …`: selects the changed row; if it selects none, no message is stored. A further condition may follow. */
  from: SQL;
  /** `GROUP BY … LIMIT …` */
  grouping?: SQL;
}

/**
 * The statement that stores a message. It must follow the statement that causes it, in the same batch. A message for the
 * owner of an account whose address is not confirmed is not stored (`MESSAGES`); without mail there is nothing to confirm.
 */
export function queueMessage({ db, now, mail }: { db: Db; now: Date; mail: RequestMail }, message: NewMessage) {
  const { kind, userId, requestId, submission, recipient, grouping = sql`` } = message;
  const dueAt = sql`coalesce(${message.dueAt ?? sql`NULL`}, ${now.getTime()})`;
  const state = mail.isConfigured
    ? ({ state: "waiting", dueAt, recipient } as const)
    : ({ state: "failed", reason: "not_set_up", endedAt: now } as const);
  mail.hasMessages = true;
  const mayReach =
    mail.isConfigured && MESSAGES[kind].to === "owner"
      ? sql`AND ${hasConfirmedAddress(userId)} AND ${hasNotLeft(userId)}`
      : sql``;
  return insertSelect(
    db,
    outbox,
    { kind, userId, submission, ...state, lease: mail.lease, createdAt: now, requestId },
    sql`${message.from} ${mayReach} ${grouping}`,
  );
}

/** SQL condition: the mail service refused our key at the message's last attempt, and the message still waits. */
const HAS_KEY_REFUSED = sql.raw("key_refused_at IS NOT NULL AND due_at IS NOT NULL");

/** SQL condition: the message was sent, may have been sent, or may still be sent. */
export const MAY_HAVE_ARRIVED = "(state NOT IN ('failed', 'cancelled') OR unknown_outcomes > 0)";
export const mayHaveArrived: SQL = sql.raw(MAY_HAVE_ARRIVED);

/**
 * The statement that cancels the unsent verification requests that `which` selects. If one of them is being sent, its
 * sender loses the lease, and its outcome is unknown.
 */
export function cancelMessages(context: { db: Db; now: Date }, which: SQL) {
  return cancel(context, sql`kind = 'verification_requested' AND ${which}`);
}

/** The statement that cancels the unsent emails of a user who has left: those to them, and their requests to supervisors. */
export function cancelEmailsOf(context: { db: Db; now: Date }, userId: number) {
  const kinds = sql`${kindsFor("owner")}, ${kindsFor("address")}, 'verification_requested'`;
  return cancel(context, sql`user_id = ${userId} AND kind IN (${kinds})`);
}

function cancel({ db, now }: { db: Db; now: Date }, which: SQL) {
  return db
    .update(outbox)
    .set({
      state: "cancelled",
      reason: null,
      lease: null,
      dueAt: null,
      endedAt: now,
      unknownOutcomes: sql`unknown_outcomes + (state = 'sending')`,
    })
    .where(sql`due_at IS NOT NULL AND ${which}`);
}

/**
 * Returns since when messages wait because the mail service refuses the app's key, and how many; null if it does not.
 */
export async function findKeyRefusal(db: Db): Promise<KeyRefusal | null> {
  return keyRefusalOf(await waitingMessages(db));
}

interface KeyRefusal {
  since: Date;
  waiting: number;
}

/** The query for how many messages wait, and since when the mail service refuses our key; NULL if it does not. */
export function waitingMessages(db: Db) {
  const since = sql<number | null>`min(${outbox.keyRefusedAt})`;
  return db
    .select({
      since: sql<number | null>`(SELECT ${since} FROM ${outbox} WHERE ${HAS_KEY_REFUSED})`.as("since"),
      waiting: sql<number>`count(*)`.as("waiting"),
    })
    .from(outbox)
    .where(isNotNull(outbox.dueAt));
}

/** Returns the refusal of the key, from the rows of `waitingMessages`. */
export function keyRefusalOf([found]: { since: number | null; waiting: number }[]): KeyRefusal | null {
  return found?.since ? { since: new Date(found.since), waiting: found.waiting } : null;
}

/** Forgets that the key was refused: the service has accepted it. */
export async function forgetKeyRefusal(db: Db): Promise<void> {
  await db.update(outbox).set({ keyRefusedAt: null }).where(HAS_KEY_REFUSED);
}

/**
 * Claims the due messages that `which` selects, for `LEASE_MS`. One statement claims them, so no two sweeps get the same
 * message. While the key is refused, a request claims none and a sweep one: the others keep their attempts. A message left
 * in `sending` for the second time has been sent twice and ends as `unknown`.
 */
export async function claim(db: Db, which: { lease: string } | { limit: number }, now: Date): Promise<MessageRow[]> {
  const lease = crypto.randomUUID();
  const moment = now.getTime();
  const due = sql`SELECT id FROM ${outbox} WHERE due_at <= ${moment} ORDER BY due_at`;
  const isKeyRefused = sql`EXISTS (SELECT 1 FROM ${outbox} WHERE ${HAS_KEY_REFUSED})`;
  const chosen =
    "lease" in which
      ? sql`${outbox.lease} = ${which.lease} AND ${outbox.state} = 'waiting' AND ${outbox.dueAt} <= ${moment}
          AND NOT ${isKeyRefused}`
      : sql`${outbox.id} IN (${due} LIMIT iif(${isKeyRefused}, 1, ${which.limit}))`;
  const { claimed } = await batch(db, {
    ended: db
      .update(outbox)
      .set({ state: "unknown", unknownOutcomes: 2, dueAt: null, lease: null, endedAt: now })
      .where(and(sql`due_at <= ${moment}`, eq(outbox.state, "sending"), eq(outbox.unknownOutcomes, 1))),
    claimed: db
      .update(outbox)
      .set({
        state: "claimed",
        lease,
        dueAt: new Date(moment + LEASE_MS),
        unknownOutcomes: sql`unknown_outcomes + (state = 'sending')`,
      })
      .where(chosen)
      .returning(),
  });
  return claimed;
}

/** Emails with which something is wrong beside a refused key. */
export interface StuckMessages {
  /** Those that wait although they were tried more than once. */
  waiting: number;
  /** Those that ended within a day, and may have arrived or not. */
  unknown: number;
}

/** Counts the messages that wait after two attempts or more, and those that ended within a day with an unknown outcome. */
export async function findStuck(db: Db, now: Date): Promise<StuckMessages> {
  const [found] = await stuckMessages(db, now);
  return found ?? { waiting: 0, unknown: 0 };
}

/** The query for these counts. */
export function stuckMessages(db: Db, now: Date) {
  const dayAgo = now.getTime() - DAY_MS;
  return db
    .select({
      waiting: sql<number>`(SELECT count(*) FROM ${outbox} WHERE due_at IS NOT NULL AND attempts > 1)`.as("waiting"),
      unknown:
        sql<number>`(SELECT count(*) FROM ${outbox} WHERE ended_at > ${dayAgo} AND state = 'unknown' AND attempts > 0)`.as(
          "unknown",
        ),
    })
    .from(sql`(SELECT 1)`);
}

/** The id of the last message, or 0. */
export async function lastMessageId(db: Db): Promise<number> {
  const [row] = await db.select({ last: sql<number>`coalesce(max(id), 0)` }).from(outbox);
  return row?.last ?? 0;
}

/**
 * Ends the unsent messages up to this one, whose outcome is unknown: another program may have sent them, from which this
 * database was copied. Without an attempt they count as no failure of the mail service. Returns how many.
 */
export async function endUnsent(db: Db, lastId: number, now: Date): Promise<number> {
  const ended = await db
    .update(outbox)
    .set({
      state: "unknown",
      lease: null,
      dueAt: null,
      endedAt: now,
      attempts: 0,
      unknownOutcomes: sql`max(unknown_outcomes, 1)`,
    })
    .where(sql`due_at IS NOT NULL AND id <= ${lastId}`)
    .returning({ id: outbox.id });
  return ended.length;
}

/** Further ahead no message is ever due, in milliseconds: the longest pause between two attempts is an hour. */
const FURTHEST_DUE_MS = 2 * 60 * 60 * 1000;

/** Makes messages due that a clock which was ahead has put off: they would wait until the clock says so again. */
export async function makePutOffDue(db: Db, now: Date): Promise<void> {
  const furthest = new Date(now.getTime() + FURTHEST_DUE_MS);
  await db.update(outbox).set({ dueAt: now }).where(gt(outbox.dueAt, furthest));
}

/**
 * Marks a claimed message as `sending`, in one batch with `also`, and claims it for `longer` milliseconds more. Returns false if
 * another sweep has claimed it since; then `also` must have done nothing (`holdsLease`).
 */
export async function startSending(db: Db, { id, lease }: MessageRow, also: Queries, longer: number): Promise<boolean> {
  const { started } = await batch(db, {
    also,
    started: db
      .update(outbox)
      .set({ state: "sending", attempts: sql`attempts + 1`, dueAt: sql`due_at + ${longer}` })
      .where(and(eq(outbox.id, id), eq(outbox.lease, lease ?? ""), eq(outbox.state, "claimed")))
      .returning({ id: outbox.id }),
  });
  return started.length > 0;
}

/** The outcome of a claimed message. */
type End = (Step | { state: "cancelled"; reason: null; dueAt: null }) & { attempts?: number };

/** The statement that stores the outcome of a message, unless another sweep has claimed it since. */
export function finish(db: Db, { id, lease }: MessageRow, step: End, outcome: Outcome | null, now: Date) {
  return db
    .update(outbox)
    .set({
      ...step,
      lease: null,
      ...(outcome === "unknown" && { unknownOutcomes: sql`unknown_outcomes + 1` }),
      keyRefusedAt: outcome === "key_refused" ? sql`coalesce(key_refused_at, ${now.getTime()})` : null,
      endedAt: step.dueAt === null ? now : null,
    })
    .where(and(eq(outbox.id, id), eq(outbox.lease, lease ?? "")));
}

/** SQL condition: the message still has this lease. */
export function holdsLease({ id, lease }: MessageRow): SQL {
  return sql`EXISTS (SELECT 1 FROM ${outbox} WHERE id = ${id} AND lease = ${lease ?? ""})`;
}

const MINUTE_MS = 60 * 1000;

/**
 * The statements that let an email to an address (`recipientLimit`) count when it arrives: from now on and no longer from
 * when it was queued, for the batch that starts an attempt to send it (`onStart`); and not at all, for the batch that
 * stores that it failed (`onFailed`). It is not stored which count is of which email: the oldest possible one is taken, so
 * the limit is never exceeded. An email that is sent within a minute needs no write.
 */
export function counting(
  { db, now, secret }: { db: Db; now: Date; secret: string },
  message: MessageRow,
  address: string,
  limits: Limit[] = [recipientLimit({ secret }, normalizeMailbox(address))],
) {
  const subjects = JSON.stringify(limits.map(({ subject }) => subject));
  const own = sql`id = (SELECT id FROM ${attempts} WHERE subject IN (SELECT value FROM json_each(${subjects}))
    AND at >= ${message.createdAt.getTime()} ORDER BY at LIMIT 1) AND ${holdsLease(message)}`;
  return {
    onStart: db
      .update(attempts)
      .set({ at: now })
      .where(sql`${own} AND at < ${now.getTime() - MINUTE_MS}`),
    onFailed: db.delete(attempts).where(own),
  };
}

/** Whether an email has waited until no limit counts it: then it must not be sent. */
export function isTooLate({ now }: { now: Date }, { createdAt }: Pick<MessageRow, "createdAt">): boolean {
  return now.getTime() - createdAt.getTime() >= DAY_MS;
}
