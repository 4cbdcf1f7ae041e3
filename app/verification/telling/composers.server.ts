import { type SQL, sql } from "drizzle-orm";
import { lastCheckpoint } from "#app/audit-log/last-checkpoint.server.ts";
import { batch } from "#app/db/client.server.ts";
import { type MessageRow, users } from "#app/db/schema.ts";
import type { ComposeContext, Composers } from "#app/mail/deliver.server.ts";
import { counting, isTooLate } from "#app/mail/outbox.server.ts";
import { toCalendarDate } from "#app/ui/calendar-date.ts";
import { verifiableRecord } from "#app/verification/record.ts";
import { listExpiring } from "#app/verification/requests/expiry.server.ts";
import {
  requestEvents,
  supervisorNotices,
  verificationAnswers,
  verificationRequests,
} from "#app/verification/requests.table.ts";
import { noticeQueries, verifiedOf } from "./disown.server.ts";
import { expiringEmail, inboxEmail, noticeEmail, reminderEmail } from "./emails.ts";
import { inboxToken, isRecipientOf, waitingFromRows, waitingQueries } from "./inbox.server.ts";
import { extendNotice, type NoticeUse, noticeToken, TELL_MS } from "./notices.server.ts";
import { hoursUntilDay, timeZoneOf } from "./reminders.server.ts";
import { isNotSuppressed, unsubscribeUrl } from "./suppression.server.ts";

type Kinds = "request_expiring" | "verification_reminder" | "supervisor_notice" | "supervisor_inbox";

/** Composes the emails of this folder from the current data. Their texts are in emails.ts. */
export const tellingEmails: Pick<Composers, Kinds> = {
  /**
   * Null if nothing waits any more, or the request has another supervisor; and once the supervisor's day is over, in which a
   * mail service that failed did not take it: a reminder neither arrives at night nor on one day with the next.
   */
  async verification_reminder(context, message) {
    const { secret, origin, now } = context;
    const isReminded = sql`EXISTS (SELECT 1 FROM ${requestEvents} WHERE request_id = ${verificationRequests.id}
      AND event = 'reminded' AND at = ${message.createdAt.getTime()})`;
    const { request, waiting, checkpoint } = await findWaiting(context, message, isReminded);
    if (!request || !isRecipientOf(secret, request, message.recipient)) return null;
    const timeZone = timeZoneOf(request);
    if (hoursUntilDay(timeZone, now) > 0) return null;
    if (toCalendarDate(timeZone, message.createdAt) !== toCalendarDate(timeZone, now)) return null;
    const supervisor = await supervisorOf(context, request);
    if (!supervisor || waiting.length === 0) return null;
    const list = waiting.map(({ path, expiresAt, ...one }) => ({
      ...{ ...one, url: `${origin}${path}` },
      answerBy: toCalendarDate(timeZone, expiresAt),
    }));
    const email = reminderEmail({
      supervisor,
      waiting: list,
      unsubscribeUrl: unsubscribeUrl(context, supervisor.email),
    });
    return { ...email, checkpoint, ...counting(context, message, supervisor.email) };
  },

  /** Null if nothing waits any more. */
  async supervisor_inbox(context, message) {
    const { secret, origin, now } = context;
    const { request, waiting, checkpoint } = await findWaiting(context, message);
    const supervisor = request && (await supervisorOf(context, request));
    if (!supervisor || waiting.length === 0) return null;
    const counts = counting(context, message, supervisor.email);
    if (isTooLate(context, message)) return { late: true, onFailed: counts.onFailed };
    const url = `${origin}/inbox/${inboxToken(secret, request, now)}`;
    const email = inboxEmail({ supervisor, url, unsubscribeUrl: unsubscribeUrl(context, supervisor.email) });
    return { ...email, checkpoint, ...counts };
  },

  /** Null if none of its records is verified by it any more. Until then it is tried: nothing else tells of them. */
  async supervisor_notice(context, message) {
    const { db, secret, origin, now } = context;
    const which = sql`(SELECT id FROM ${supervisorNotices} WHERE nonce = ${message.submission})`;
    const { notice, answers, request, checkpoint, ...rows } = await batch(db, {
      notice: db.select().from(supervisorNotices).where(sql`nonce = ${message.submission}`),
      answers: db.select().from(verificationAnswers).where(sql`notice_id = ${which}`),
      request: db.select().from(verificationRequests).where(sql`id = ${message.requestId}`),
      checkpoint: lastCheckpoint(db, now.getTime()),
      ...noticeQueries(db, which),
    });
    const supervisor = request[0] && (await supervisorOf(context, request[0]));
    const [row] = notice;
    const records = verifiedOf(rows).map(({ kind, record, owner }) => ({
      record: verifiableRecord(kind, owner, record),
      isOpen: record.verifiedVia === "link" && record.confirmedAt === null,
    }));
    if (!supervisor || !row || records.length === 0) return null;
    const urlTo = (use: NoticeUse) => `${origin}/${use}/${noticeToken(secret, use, row)}`;
    const by = answers.at(-1)?.name ?? null;
    const stop = unsubscribeUrl(context, supervisor.email);
    return {
      ...noticeEmail({ supervisor, by, records, urlTo, unsubscribeUrl: stop }),
      checkpoint: checkpoint[0],
      onStart: extendNotice(db, message, now),
      giveUpAfter: TELL_MS,
    };
  },

  /** Null if nothing waits any more, or if all were renewed. */
  async request_expiring({ db, now, origin }, message) {
    const { people, requests } = await batch(db, {
      people: db.select({ name: users.name, email: users.email }).from(users).where(sql`id = ${message.userId}`),
      requests: listExpiring(db, message, now),
    });
    const [owner] = people;
    const waiting = requests.filter(({ records }) => records > 0);
    return owner && waiting.length > 0 ? expiringEmail({ owner, requests: waiting, origin }) : null;
  },
};

/** The request of a message, all that waits for its address, or what `which` selects of it, and the last checkpoint. */
async function findWaiting({ db, secret, now }: ComposeContext, { requestId }: MessageRow, which?: SQL) {
  const address = sql`(SELECT supervisor_email FROM ${verificationRequests} WHERE id = ${requestId})`;
  const { of, checkpoint, ...rows } = await batch(db, {
    of: db.select().from(verificationRequests).where(sql`id = ${requestId}`),
    checkpoint: lastCheckpoint(db, now.getTime()),
    ...waitingQueries(db, address, now, which),
  });
  return { request: of[0], waiting: waitingFromRows(secret, rows), checkpoint: checkpoint[0] };
}

/** A request's supervisor as a recipient; null if they are not known, or want no emails. */
async function supervisorOf(
  { db, secret }: ComposeContext,
  { supervisorName: name, supervisorEmail: email }: typeof verificationRequests.$inferSelect,
): Promise<{ name: string | null; email: string } | null> {
  if (email === null) return null;
  const [free] = await db.select({ yes: sql<number>`1` }).from(sql`(SELECT 1)`).where(isNotSuppressed(secret, email));
  return free ? { name, email } : null;
}
