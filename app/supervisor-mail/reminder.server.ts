import { sql } from "drizzle-orm";
import { DAY_MS } from "#app/calendar-date.ts";
import { batch, type Db, insertSelect } from "#app/db/client.server.ts";
import { outbox } from "#app/db/schema.ts";
import { queueMessage, type RequestMail } from "#app/mail/outbox.server.ts";
import { isNotSuppressed } from "#app/mail/suppression.server.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { countAttempt, isBelowLimits, recipientLimit, reminderLimit } from "#app/server/attempt-limits.server.ts";
import { forEachItem } from "#app/server/logger.server.ts";
import { type RequestRow, requestEvents, verificationRequests } from "#app/verification/requests.table.ts";
import { isKnownTechnician } from "#app/verification/unknown-technicians.server.ts";
import { mayReach, recipientOf } from "./limits.server.ts";
import { HOUR_MS, hoursUntilWork, REMINDER_DAYS, reminderAt, timeZoneOf } from "./reminder-times.ts";

/** What the timer's parts work with: `mail` holds the messages that they queue, `secret` hashes their recipients. */
export interface SweepContext {
  db: Db;
  now: Date;
  secret: string;
  mail: RequestMail;
}

/** A request whose first email waits for the confirmation of its technician's address has no reminders. */
const isMailed = sql`(email_withheld IS NULL OR email_withheld NOT IN ('unconfirmed', 'released'))`;

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
    // The email has exactly these requests (composers.server.ts), so it counts as a reminder of each, and for the email that a
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
