import { type SQL, sql } from "drizzle-orm";
import { DAY_MS, formatDate, formatDay, toCalendarDate } from "#app/calendar-date.ts";
import { batch, type Db, insertSelect } from "#app/db/client.server.ts";
import { type MessageRow, outbox } from "#app/db/schema.ts";
import type { ComposeContext, Composed } from "#app/mail/deliver.server.ts";
import { formatGreeting } from "#app/mail/email.ts";
import { counting, hasNotLeft, queueMessage } from "#app/mail/outbox.server.ts";
import { isNotSuppressed, unsubscribeUrl } from "#app/mail/suppression.server.ts";
import { plainName } from "#app/mail/typed-text.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { countRecords } from "#app/records/kind.ts";
import { countAttempt, isBelowLimits, recipientLimit, reminderLimit } from "#app/server/attempt-limits.server.ts";
import { forEachItem } from "#app/server/logger.server.ts";
import { type RequestRow, requestEvents, verificationRequests } from "#app/verification/requests.table.ts";
import { addSums, sumsTable } from "#app/verification/sums.tsx";
import { isKnownTechnician } from "#app/verification/unknown-technicians.server.ts";
import type { WaitingRequest } from "#app/verification/waiting.server.ts";
import { LISTED, type SupervisorEmail, type SweepContext } from "./facts.ts";
import { recipientAndWaiting } from "./inbox.server.ts";
import { mayReach, recipientOf } from "./limits.server.ts";

/*
 * The reminder: on some days after a request, at work, in the supervisor's own time zone, with all that waits for their address
 * from all technicians. The timer queues it before the requests that were held back (emails.server.ts).
 */

export const email: SupervisorEmail = { kind: "verification_reminder", compose, sweep: sweepReminders };

/** On which days after a request its reminders are due. */
export const REMINDER_DAYS = [5, 12, 19] as const;

/** The hours of a supervisor's day in which a reminder may be sent: from the first until before the second. */
const [MORNING, EVENING] = [7, 19];
export const HOUR_MS = 60 * 60 * 1000;

/** How many days it is until Monday, on the days on which no reminder is sent. */
const WEEKEND: Record<string, number> = { Sat: 2, Sun: 1 };

/**
 * Returns in SQL when the reminder after `reminded` earlier ones is due, of a request that was sent at `asked`, in
 * milliseconds; NULL after the last.
 */
export function reminderAt(reminded: SQL, asked: SQL): SQL {
  const cases = REMINDER_DAYS.map((day, earlier) => sql`WHEN ${earlier} THEN ${asked} + ${day * DAY_MS}`);
  return sql`CASE ${reminded} ${sql.join(cases, sql` `)} END`;
}

/** The time zone of a request's supervisor: their last known one, else the technician's. */
export function timeZoneOf({
  supervisorTimeZone,
  timeZone,
}: Pick<RequestRow, "supervisorTimeZone" | "timeZone">): string {
  return supervisorTimeZone ?? timeZone ?? "UTC";
}

/**
 * The number of hours until a reminder may be sent in a time zone: from 7 to 19 h of a day from Monday to Friday; 0 if it may be
 * sent now. Where the clocks change meanwhile it is an hour too few or too many.
 */
function hoursUntilWork(timeZone: string, now: Date): number {
  const hour = Number(new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" }).format(now));
  const dayOf = (at: Date) => new Intl.DateTimeFormat("en", { timeZone, weekday: "short" }).format(at);
  const wait = hour >= MORNING && hour < EVENING ? 0 : (MORNING - hour + 24) % 24;
  const weekend = WEEKEND[dayOf(new Date(now.getTime() + wait * HOUR_MS))] ?? 0;
  // From a Saturday or Sunday until the morning of the Monday.
  return weekend === 0 ? wait : wait + weekend * 24 - (wait === 0 ? hour - MORNING : 0);
}

/** Returns when a reminder that is due at a time is sent at the earliest. */
export function reminderSentAt(request: Parameters<typeof timeZoneOf>[0], due: Date): Date {
  return new Date(due.getTime() + hoursUntilWork(timeZoneOf(request), due) * HOUR_MS);
}

/** A request whose first email waits for the confirmation of its technician's address has no reminders, nor has that of a user who has left. */
const isMailed = sql`(email_withheld IS NULL OR email_withheld NOT IN ('unconfirmed', 'released'))
  AND ${hasNotLeft(sql`${verificationRequests}.user_id`)}`;

/** How many supervisors one sweep reminds; the next sweep reminds the others. */
const AT_ONCE = 20;

/**
 * Reminds supervisors of what waits for them: on the days of `REMINDER_DAYS`, or on the Monday after them, one email a day for
 * all requests to an address, in the day of their last known time zone, else of the technician's.
 */
export async function sweepReminders(context: SweepContext): Promise<void> {
  const { db, now } = context;
  const due = await db
    .select()
    .from(verificationRequests)
    .where(sql`remind_at <= ${now.getTime()} AND ended_at IS NULL AND reminders = 1 AND supervisor_email IS NOT NULL
      AND ${isMailed}`)
    .orderBy(verificationRequests.remindAt)
    .limit(AT_ONCE);
  const firstOf = new Map(due.toReversed().map((request) => [request.supervisorEmail ?? "", request]));
  await forEachItem(firstOf, ([address, request]) => remind(context, request, address));
}

async function remind(context: SweepContext, first: RequestRow, address: string): Promise<void> {
  const { db, now, secret } = context;
  const wait = hoursUntilWork(timeZoneOf(first), now);
  if (wait > 0) return putOff(db, first, new Date(now.getTime() + wait * HOUR_MS));
  const mailbox = normalizeMailbox(address);
  const isKnown = isKnownTechnician(secret, sql`${verificationRequests}.user_id`, address);
  const recipient = recipientOf({ secret }, { userId: first.userId, address });
  const isDue = sql`${mayReach(context, { userId: first.userId, recipient })} AND EXISTS (SELECT 1 FROM ${verificationRequests} WHERE id = ${first.id} AND ended_at IS NULL
    AND remind_at = ${first.remindAt?.getTime() ?? 0} AND ${isMailed} AND ${isKnown})`;
  const limits = [reminderLimit(context, mailbox), recipientLimit(context, mailbox)];
  const isStored = sql`EXISTS (SELECT 1 FROM ${outbox} WHERE lease = ${context.mail.lease}
    AND kind = 'verification_reminder' AND request_id = ${first.id})`;
  const isIncluded = sql`supervisor_email = ${address} AND ended_at IS NULL AND expires_at > ${now.getTime()}
    AND reminders = 1 AND reminded < ${REMINDER_DAYS.length} AND ${isMailed} AND ${isKnown} AND ${isStored}`;
  const rows = await batch(db, {
    // Before it is counted: of two emails of the same moment, as to two spellings of a mailbox, the count is that of one.
    queued: queueMessage(context, {
      kind: "verification_reminder",
      userId: sql`${first.userId}`,
      requestId: sql`${first.id}`,
      recipient,
      from: sql`WHERE ${isDue} AND ${isNotSuppressed(secret, address)} AND ${isBelowLimits(context, limits)}`,
    }),
    counted: countAttempt(context, limits, isStored).counted,
    // The email has exactly these requests (`compose`), so it counts as a reminder of each, and for the email that a
    // limit held back.
    events: insertSelect(
      db,
      requestEvents,
      { requestId: sql`id`, event: "reminded", at: now },
      sql`FROM ${verificationRequests} WHERE ${isIncluded}`,
    ),
    next: db
      .update(verificationRequests)
      .set({
        reminded: sql`reminded + 1`,
        emailWithheld: null,
        mailAt: null,
        remindAt: reminderAt(sql`reminded + 1`, sql`requested_at`),
      })
      .where(isIncluded),
  });
  if (rows.counted.length > 0) return;
  // Over a limit, or the address wants no emails: tomorrow again. It does not know the technician: never. All requests of the
  // technician to this address, because a sweep looks at few.
  await db
    .update(verificationRequests)
    .set({ remindAt: sql`iif(${isKnown}, ${now.getTime() + DAY_MS}, NULL)` })
    .where(
      sql`user_id = ${first.userId} AND supervisor_email = ${address} AND ended_at IS NULL AND remind_at <= ${now.getTime()}`,
    );
}

async function putOff(db: Db, { id, remindAt }: RequestRow, until: Date): Promise<void> {
  await db
    .update(verificationRequests)
    .set({ remindAt: until })
    .where(sql`id = ${id} AND remind_at = ${remindAt?.getTime() ?? 0}`);
}

/**
 * Returns null if nothing waits, or the request has another supervisor, whose reminders have not begun. Late once the
 * supervisor's day is over, in which a mail service that failed did not take it: a reminder neither arrives at night
 * nor on one day with the next.
 */
async function compose(context: ComposeContext, message: MessageRow): Promise<Composed> {
  const { origin, now } = context;
  const isReminded = sql`reminded > 0 AND EXISTS (SELECT 1 FROM ${requestEvents} WHERE request_id = ${verificationRequests.id}
    AND event = 'reminded' AND at = ${message.createdAt.getTime()})`;
  const found = await recipientAndWaiting(context, message, isReminded);
  if (!found) return null;
  const { request, supervisor, waiting, checkpoint } = found;
  const counts = counting(context, message, supervisor.email);
  const timeZone = timeZoneOf(request);
  const isOver = toCalendarDate(timeZone, message.createdAt) !== toCalendarDate(timeZone, now);
  if (isOver || hoursUntilWork(timeZone, now) > 0) return { late: true, onFailed: counts.onFailed };
  const all = waiting.reduce((sum, { records }) => sum + records, 0);
  const wait = `${countRecords(all)} ${all === 1 ? "waits" : "wait"}`;
  const urlOf = ({ path }: WaitingRequest) => `${origin}${path}`;
  const [first, ...others] = waiting.slice(0, LISTED);
  if (!first) return null;
  return {
    to: supervisor,
    subject: `Reminder: ${wait} for your answer`,
    greeting: formatGreeting(supervisor),
    lead: `${wait} for you to check and verify.`,
    facts: [first, ...others].map(({ technician, records, requestedAt, expiresAt }): [string, string] => [
      plainName(technician) ?? "A technician",
      `${countRecords(records)} since ${formatDate(requestedAt.toISOString().slice(0, 10))}\nAnswer by ${formatDay(toCalendarDate(timeZone, expiresAt))}`,
    ]),
    sums: sumsTable(addSums(waiting.flatMap(({ sums }) => sums))),
    // Among several links, each says whose records it leads to.
    button: { label: others.length > 0 ? labelOf(first) : "Check and verify", url: urlOf(first) },
    links: others.map((one) => ({ label: labelOf(one), url: urlOf(one) })),
    notes: ["You can also say that a record is not right. It takes half a minute and no account."],
    unsubscribeUrl: unsubscribeUrl(context, supervisor.email),
    checkpoint,
    ...counts,
  };
}

function labelOf({ technician, records }: WaitingRequest): string {
  return `Check and verify ${countRecords(records)} of ${plainName(technician) ?? "a technician"}`;
}
