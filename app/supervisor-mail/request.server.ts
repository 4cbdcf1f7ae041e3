import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { lastCheckpoint } from "#app/audit-log/grow-tree.server.ts";
import { DAY_MS, formatDate, formatDay, toCalendarDate } from "#app/calendar-date.ts";
import { batch, type Db, groupBy, insertSelect, type Rows } from "#app/db/client.server.ts";
import { commit, guardedColumns, raiseRevisions, retryOnConflict } from "#app/db/commit.server.ts";
import type { Withholding } from "#app/db/enumerations.ts";
import { type MessageRow, outbox, users } from "#app/db/schema.ts";
import type { ComposeContext, Composed, Mark } from "#app/mail/deliver.server.ts";
import { type Correspondent, type Email, formatGreeting } from "#app/mail/email.ts";
import { cancelMessages, counting, hasNotLeft, holdsLease, isTooLate, queueMessage } from "#app/mail/outbox.server.ts";
import { isNotSuppressed, unsubscribeUrl } from "#app/mail/suppression.server.ts";
import { plainName, withoutLinks } from "#app/mail/typed-text.ts";
import { countRecords } from "#app/records/kind.ts";
import { records } from "#app/records/records.table.ts";
import { forEachItem } from "#app/server/logger.server.ts";
import { linkFromRows, requestQueries } from "#app/verification/link.server.ts";
import { mailboxSecret } from "#app/verification/link-secrets.server.ts";
import { itemRecord } from "#app/verification/link-view.server.ts";
import { amountOf, askedText, datesOf, type VerifiableRecord } from "#app/verification/record.ts";
import { requestEvents, verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { addSums, sumsByGroup, sumsTable } from "#app/verification/sums.tsx";
import { isKnownTechnician } from "#app/verification/unknown-technicians.server.ts";
import type { WaitingRequest } from "#app/verification/waiting.server.ts";
import { recordFacts, type SupervisorEmail } from "./facts.ts";
import { askedWith, jointToken, recipientAndWaiting } from "./inbox.server.ts";
import {
  countEmail,
  type EmailCause,
  findReachedLimits,
  mayEmail,
  nextTry,
  type ReachedLimit,
  reachedLimit,
  recipientOf,
  waitsForConfirmation,
} from "./limits.server.ts";
import { reminderAt, timeZoneOf } from "./reminder.server.ts";

/*
 * The request: asks a supervisor to verify records, in the batch that stores or renews their request. An email that a limit
 * holds back, or that waits for the confirmation of the technician's address, is queued by the timer as soon as it may.
 */

export const email: SupervisorEmail = { kind: "verification_requested", compose, sweep: sweepWithheld };

/** Why no email about a request was queued, in JSON. */
export type EmailedReason = Exclude<Withholding, "released">;

/** What an email waits for: a limit, or others to the same supervisor; and until when. */
export type Wait = ReachedLimit | { limit: "joined"; until: Date };

interface RequestEmail extends EmailCause {
  /** The request's token. */
  token: string;
  /** Which submission of a form asked for it (`submissionOf`), by which it is found when the form is sent again. */
  submission: string | null;
  /** Whether it waits for others, if the supervisor had an email about requests within the last hour. */
  mayJoin: boolean;
}

/** The part of a request's or the timer's context that the statements need. */
type QueueContext = Pick<AppLoadContext, "db" | "now" | "secret" | "mail">;

/** How long requests wait for one another after an email to their supervisor. */
const JOIN_MS = 60 * 60 * 1000;

/**
 * When the email about a request goes out together with others, in milliseconds: an hour after the last email about an open
 * request to this address, with all requests that wait for that. NULL if it goes out at once.
 */
function joinedAt({ now }: Pick<QueueContext, "now">, { token, address, mayJoin }: RequestEmail): SQL<Date | null> {
  if (!mayJoin) return sql`NULL`;
  const since = now.getTime() - JOIN_MS;
  const others = sql`FROM ${verificationRequests} WHERE supervisor_email = ${address} AND ended_at IS NULL AND token <> ${token}`;
  return sql`coalesce((SELECT min(mail_at) ${others} AND email_withheld = 'joined'),
    (SELECT max(requested_at) + ${JOIN_MS} ${others} AND email_withheld IS NULL AND requested_at > ${since}))`;
}

/**
 * The statements that queue the email to the supervisor of a stored request, unless it is over a limit, waits for others
 * (`joinedAt`) or for the confirmation of the technician's address (limits.server.ts), count it, and note and read whether it was queued, or
 * why it was not and when the timer tries again (`sweepWithheld`). They come after the statements that store the request. Unsent emails to a former address of the request are
 * cancelled.
 */
export function queueRequestEmail(context: QueueContext, email: RequestEmail) {
  const { db, now, mail } = context;
  const { token, submission, ...cause } = email;
  const recipient = recipientOf(context, cause);
  const requestId = sql`(SELECT id FROM ${verificationRequests} WHERE token = ${token})`;
  const waits = waitsForConfirmation(context, cause);
  const joined = joinedAt(context, email);
  const isFree = sql`(${mayEmail(context, cause)} AND NOT (${waits}))`;
  return {
    readdressed: cancelMessages({ db, now }, sql`request_id = ${requestId} AND recipient <> ${recipient}`),
    mail: queueMessage(context, {
      kind: "verification_requested",
      userId: sql`${cause.userId}`,
      requestId,
      submission,
      recipient,
      from: sql`WHERE ${isFree} AND ${joined} IS NULL`,
    }),
    counted: countEmail(context, cause, sql`${isEmailStored(context, token)} AND ${mail.isConfigured ? 1 : 0}`),
    queued: db
      .select({ dueAt: outbox.dueAt, reason: outbox.reason })
      .from(outbox)
      .where(sql`lease = ${mail.lease} AND kind = 'verification_requested'`),
    held: findReachedLimits(context, cause),
    withheld: db
      .update(verificationRequests)
      .set({
        emailWithheld: sql`CASE WHEN NOT ${mail.isConfigured ? 1 : 0} THEN 'off'
          WHEN ${isEmailStored(context, token)} THEN NULL
          WHEN NOT (${isNotSuppressed(context.secret, cause.address)}) THEN 'suppressed'
          WHEN NOT (${isKnownTechnician(context.secret, cause.userId, cause.address)}) THEN 'unknown_technician'
          WHEN ${waits} THEN 'unconfirmed' WHEN ${isFree} THEN 'joined' ELSE 'limit' END`,
        mailAt: null,
        mailedWith: null,
      })
      .where(sql`token = ${token}`)
      .returning({ reason: verificationRequests.emailWithheld }),
    waiting: db
      .update(verificationRequests)
      .set({ mailAt: sql`iif(email_withheld = 'joined', ${joined}, ${nextTry(context, cause)})` })
      .where(sql`token = ${token} AND email_withheld IN ('joined', 'limit', 'suppressed')`)
      .returning({ mailAt: verificationRequests.mailAt }),
  };
}

/**
 * Returns the outcome of the email, from the rows of `queueRequestEmail`: whether it was queued, else why not, and for which
 * limit or which others it waits.
 */
export function emailOutcome({ queued, held, withheld, waiting }: Rows<ReturnType<typeof queueRequestEmail>>): {
  emailed: boolean;
  emailedReason: EmailedReason | null;
  limit: Wait | null;
} {
  const emailed = queued.some(({ reason }) => reason !== "not_set_up");
  const emailedReason = emailed ? null : shownReason(withheld[0]?.reason ?? null);
  const until = waiting[0]?.mailAt;
  const joined: Wait | null = emailedReason === "joined" && until ? { limit: "joined", until } : null;
  const limit = queued.length === 0 && emailedReason === "limit" ? reachedLimit(held) : joined;
  return { emailed, emailedReason, limit };
}

/** A reason in JSON: a released email is on its way. */
export function shownReason(reason: Withholding | null): EmailedReason | null {
  return reason === "released" ? null : reason;
}

/** How many emails one run of the timer queues or puts off; the next run continues. */
const AT_ONCE = 20;

/**
 * Queues the emails that were withheld and may be queued now: their technician has confirmed their address, a limit allows them,
 * or the supervisor wants emails again.
 */
async function sweepWithheld(context: QueueContext): Promise<void> {
  const { db, now } = context;
  const due = await dueEmails(db, now);
  await forEachItem(
    groupBy(due, ({ address }) => address ?? ""),
    async ([address, { length }]) => {
      for (let n = 0; n < length; n++) {
        if (!(await retryOnConflict(context, "release", () => releaseNext(context, address)))) return;
      }
    },
  );
}

/** The query for the addresses of the emails that are due, the longest due first. */
export function dueEmails(db: Db, now: Date) {
  return db
    .select({ address: verificationRequests.supervisorEmail })
    .from(verificationRequests)
    .where(isDue(now))
    .orderBy(verificationRequests.mailAt)
    .limit(AT_ONCE);
}

function isDue(now: Date): SQL {
  return sql`mail_at <= ${now.getTime()} AND ended_at IS NULL AND ${hasNotLeft(sql`${verificationRequests}.user_id`)}`;
}

/**
 * Queues the next email that waits for an address, and returns whether another one may follow. Requests that were to go out
 * together (`joinedAt`) have one email. If several technicians have one, the technician whose last email to it is the oldest comes first, so that none of them uses up the address's
 * emails of a day. The request is renewed, because its reminders follow its email. Where the email still has to wait,
 * all that wait for the same reason are put off with it: the timer tries one of thousands.
 */
async function releaseNext(context: QueueContext, address: string): Promise<boolean> {
  const { db, now } = context;
  const next = sql`(SELECT next FROM (SELECT min(iif(${isDue(now)}, id, NULL)) AS next,
      max(iif(email_withheld IS NULL, requested_at, 0)) AS mailed
    FROM ${verificationRequests} WHERE supervisor_email = ${address} AND ended_at IS NULL GROUP BY user_id)
    WHERE next IS NOT NULL ORDER BY mailed, next LIMIT 1)`;
  const { request, owner, items } = await batch(db, {
    request: db.select().from(verificationRequests).where(sql`id = ${next}`),
    owner: db
      .select(guardedColumns)
      .from(users)
      .where(sql`id = (SELECT user_id FROM ${verificationRequests} WHERE id = ${next})`),
    items: db
      .select({ id: verificationItems.recordId })
      .from(verificationItems)
      .where(sql`request_id = ${next} AND state = 'waiting'`),
  });
  const [found] = request;
  if (!found) return false;
  const { id, userId, token } = found;
  const isThis = sql`id = ${id}`;
  if (found.expiresAt <= now) {
    const dropped = db.update(verificationRequests).set({ emailWithheld: null, mailAt: null }).where(isThis);
    await commit(db, owner, { dropped });
    return true;
  }
  const records = items.map((item) => item.id);
  const isStored = isEmailStored(context, token);
  const isJoined = sql`supervisor_email = ${address} AND email_withheld = 'joined' AND ${isDue(now)} AND id <> ${id}
    AND expires_at > ${now.getTime()} AND ${isKnownTechnician(context.secret, sql`${verificationRequests}.user_id`, address)}`;
  const { email } = await commit(db, owner, {
    email: queueRequestEmail(context, { userId, token, records, address, submission: null, mayJoin: false }),
    joined: db
      .update(verificationRequests)
      .set({ emailWithheld: null, mailAt: null, mailedWith: id })
      .where(sql`${isJoined} AND ${isStored}`),
    guards: raiseRevisions(
      db,
      sql`SELECT user_id FROM ${verificationRequests} WHERE mailed_with = ${id} AND ended_at IS NULL AND ${isStored}`,
    ),
    renewed: db
      .update(verificationRequests)
      .set(renewal(now))
      .where(sql`${isAskedWith(id)} AND ended_at IS NULL AND ${isStored}`),
    records: renewRecords(db, sql`${isAskedWith(id)} AND ${isStored}`, now),
  });
  const [mailAt, emailWithheld] = [email.waiting[0]?.mailAt, email.withheld[0]?.reason];
  const limit = emailWithheld === "limit" ? reachedLimit(email.held)?.limit : null;
  if (!mailAt || limit === "record") return true;
  const isOwn = limit === "newAddresses";
  const others = sql`${isOwn ? sql`user_id = ${userId}` : sql`supervisor_email = ${address}`} AND ${isDue(now)}`;
  await batch(db, {
    guard: raiseRevisions(db, sql`SELECT user_id FROM ${verificationRequests} WHERE ${others}`),
    others: db.update(verificationRequests).set({ emailWithheld, mailAt }).where(others),
  });
  return isOwn;
}

/** The condition that this HTTP request has queued an email to the supervisor of the request with this token. */
export function isEmailStored({ mail }: Pick<AppLoadContext, "mail">, token: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${outbox} WHERE lease = ${mail.lease} AND kind = 'verification_requested'
    AND request_id = (SELECT id FROM ${verificationRequests} WHERE token = ${token}))`;
}

/** The last email of a request. */
export type LastEmail = Pick<MessageRow, "state" | "reason" | "attempts" | "createdAt">;

/** How long a request can be answered after it was made or renewed. */
export const EXPIRY_MS = 90 * DAY_MS;

/**
 * The columns of a request that is renewed: when it was, when it expires and when its next reminder is due, after `reminded`
 * earlier ones.
 */
export function renewal(now: Date, reminded = sql`reminded`) {
  return {
    requestedAt: now,
    remindAt: reminderAt(reminded, sql`${now.getTime()}`),
    expiresAt: new Date(now.getTime() + EXPIRY_MS),
  };
}

/** The statement that renews the records that wait in the request that `which` selects. */
export function renewRecords(db: Db, which: SQL, now: Date) {
  return db
    .update(records)
    .set({ requestedAt: now })
    .where(
      sql`id IN (SELECT record_id FROM ${verificationItems} WHERE state = 'waiting'
        AND request_id IN (SELECT id FROM ${verificationRequests} WHERE ${which}))`,
    );
}

/** SQL condition: the request is asked for by the email of the request with this id. */
const isAskedWith = (id: number | null) => sql`id IN (${askedWith(id)})`;

/**
 * Returns null if nothing in the request waits, or if the supervisor wants none. (An email to a former supervisor is
 * cancelled when the request gets another.) The link is made by the secret of today, so after a change of
 * SESSION_SECRET waiting emails are sent with a link that works.
 */
async function compose(context: ComposeContext, message: MessageRow): Promise<Composed> {
  const { link, owner, earlier, checkpoint, isJoint } = await findRequestData(context, message);
  if (isJoint) return composeJoint(context, message);
  if (!owner || link.state !== "open") return null;
  const { requestedName: name, supervisorEmail: email, token } = link.request;
  const m = mailboxSecret(context.secret, link.request);
  if (name === null || email === null || m === null) return null;
  const known = await context.db
    .select({ yes: sql<number>`1` })
    .from(sql`(SELECT 1)`)
    .where(
      sql`${isKnownTechnician(context.secret, message.userId, email)} AND ${isNotSuppressed(context.secret, email)}`,
    );
  if (known.length === 0) return null;
  if (isTooLate(context, message)) return { late: true, onFailed: counting(context, message, email).onFailed };
  const records = link.items.filter(({ state }) => state === "waiting").map((item) => itemRecord(item, link.owner));
  const url = `${context.origin}/verify/${token}?m=${m}`;
  const answerBy = toCalendarDate(timeZoneOf(link.request), link.request.expiresAt);
  return {
    ...requestEmail({ owner, records, supervisor: { name, email }, url, answerBy, isReminder: earlier > 0 }),
    checkpoint: checkpoint[0],
    unsubscribeUrl: unsubscribeUrl(context, email),
    ...counting(context, message, email),
    onSent: (mark, at) => markSent(context.db, message, mark, at),
  };
}

/** Composes the email for all requests that waited for one another: one link leads to the page of the whole crew. */
async function composeJoint(context: ComposeContext, message: MessageRow): Promise<Composed> {
  const found = await recipientAndWaiting(context, message, isAskedWith(message.requestId));
  if (!found) return null;
  const { request, supervisor, waiting, checkpoint } = found;
  const counts = counting(context, message, supervisor.email);
  if (isTooLate(context, message)) return { late: true, onFailed: counts.onFailed };
  return {
    ...jointEmail({
      supervisor,
      waiting,
      timeZone: timeZoneOf(request),
      url: `${context.origin}/inbox/${jointToken(context.secret, request)}`,
    }),
    checkpoint,
    unsubscribeUrl: unsubscribeUrl(context, supervisor.email),
    ...counts,
    onSent: (mark, at) => markSent(context.db, message, mark, at),
  };
}

/** Marks a message as sent, and notes it among the events of each request that it asks for. */
function markSent(db: Db, message: MessageRow, mark: Mark, at: Date): Promise<unknown> {
  const asked = sql`FROM ${verificationRequests} WHERE ${isAskedWith(message.requestId)} AND ended_at IS NULL AND ${holdsLease(message)}`;
  return batch(db, {
    events: insertSelect(db, requestEvents, { requestId: sql`id`, event: "mailed", at }, asked),
    mark,
  });
}

/** Reads the rows that a message refers to, in one round trip. */
async function findRequestData({ db, now, secret }: ComposeContext, { id, userId, requestId, recipient }: MessageRow) {
  const which = sql`id = ${requestId} AND user_id = ${userId}`;
  const { person, earlier, joined, checkpoint, ...rows } = await batch(db, {
    ...requestQueries(db, which),
    joined: db
      .select({ id: verificationRequests.id })
      .from(verificationRequests)
      .where(sql`mailed_with = ${requestId} AND ended_at IS NULL`)
      .limit(1),
    checkpoint: lastCheckpoint(db, now.getTime()),
    person: db
      .select({ name: users.name, email: users.email, employeeNumber: users.employeeNumber })
      .from(users)
      .where(sql`id = ${userId}`),
    earlier: db
      .select({ n: sql<number>`count(*)` })
      .from(outbox)
      .where(
        sql`request_id = ${requestId} AND kind = 'verification_requested' AND recipient = ${recipient}
          AND state IN ('sent', 'unknown') AND id < ${id}`,
      ),
  });
  const link = linkFromRows({ secret, now }, rows, null);
  return { owner: person[0], link, earlier: earlier[0]?.n ?? 0, isJoint: joined.length > 0, checkpoint };
}

interface Owner {
  name: string | null;
  email: string;
  employeeNumber: string | null;
}

interface RequestFacts {
  owner: Owner;
  records: VerifiableRecord[];
  supervisor: Correspondent & { name: string };
  url: string;
  /** The day on which the link ends. */
  answerBy: string;
  /** Whether they had an email about this request before. */
  isReminder: boolean;
}

/**
 * Asks a supervisor to verify records. Typed text cannot become a link in it, and its subject contains none but a plain
 * name (mail/typed-text.ts). Its reader may not know the product and has half a minute. It has no Reply-To: a quoted reply
 * would carry the link's second secret to the technician (link-secrets.server.ts).
 */
export function requestEmail({ owner, records, supervisor, url, answerBy, isReminder }: RequestFacts): Email {
  const technician = plainName(owner.name) ?? "A technician";
  const [record] = records;
  const isSingle = record !== undefined && records.length === 1;
  const again = isReminder ? " once more" : "";
  return {
    to: supervisor,
    subject: `${isReminder ? "Reminder: " : ""}${technician} asks you to verify ${amountOf(records)}`,
    greeting: formatGreeting(supervisor),
    lead: `${technician} asks you${again} to confirm ${askedText(records)}.`,
    facts: [
      ...technicianFacts(owner),
      ...(isSingle ? recordFacts(record) : [datesFact(records)]),
      ["Answer by", formatDay(answerBy)],
    ],
    ...(!isSingle && { sums: sumsTable(sumsByGroup(records)) }),
    button: { label: "Check and verify", url },
    notes: [
      `It takes half a minute and no account. Your name will appear on ${isSingle ? "this record" : "these records"} as the verifier, so confirm only what you know to be true.`,
      `Is something wrong, or do you not know ${plainName(owner.name) ?? "this technician"}? Then do not verify: the page lets you say so. You can also write to them at ${owner.email}, or leave this message unanswered.`,
    ],
  };
}

/** Returns the fact with the first and the last date of the records. */
function datesFact(records: VerifiableRecord[]): [string, string] {
  const [first, last] = datesOf(records);
  return ["Dates", first === last ? formatDate(first) : `${formatDate(first)} to ${formatDate(last)}`];
}

function technicianFacts({ name, email, employeeNumber }: Owner): Email["facts"] {
  const number: Email["facts"] = employeeNumber ? [["Employee Number", withoutLinks(employeeNumber)]] : [];
  return [["Technician", name ? `${withoutLinks(name)} (${email})` : email], ...number];
}

interface JointFacts {
  supervisor: Correspondent;
  /** The requests, of one technician or several. */
  waiting: WaitingRequest[];
  /** The supervisor's time zone, for the day on which each link ends. */
  timeZone: string;
  url: string;
}

/** Asks a supervisor to verify the records of several requests, as `requestEmail` does for one. */
export function jointEmail({ supervisor, waiting, timeZone, url }: JointFacts): Email {
  const names = [...new Set(waiting.map(({ technician }) => plainName(technician) ?? "A technician"))];
  const [first = "", ...others] = names;
  const [second = ""] = others;
  const more = others.length === 1 ? ` and ${second}` : others.length > 1 ? ` and ${others.length} others` : "";
  const records = countRecords(waiting.reduce((sum, one) => sum + one.records, 0));
  const ask = others.length > 0 ? "ask" : "asks";
  return {
    to: supervisor,
    subject: `${first}${more} ${ask} you to verify ${records}`,
    greeting: formatGreeting(supervisor),
    lead: `${first}${more} ${ask} you to confirm ${records}. One page has them all, grouped by technician.`,
    facts: waiting.map(({ technician, records, expiresAt }): [string, string] => [
      plainName(technician) ?? "A technician",
      `${countRecords(records)}\nAnswer by ${formatDay(toCalendarDate(timeZone, expiresAt))}`,
    ]),
    sums: sumsTable(addSums(waiting.flatMap(({ sums }) => sums))),
    button: { label: "Check and verify", url },
    notes: [
      "It takes a minute and no account. Your name will appear on these records as the verifier, so confirm only what you know to be true.",
      "Is something wrong, or do you not know one of these technicians? Then do not verify their records: the page lets you say so.",
    ],
  };
}
