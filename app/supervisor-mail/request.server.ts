import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { batch, type Db, groupBy, type Rows } from "#app/db/client.server.ts";
import { commit, guardedColumns, raiseRevisions, retryOnConflict } from "#app/db/commit.server.ts";
import type { Withholding } from "#app/db/enumerations.ts";
import { type MessageRow, outbox, users } from "#app/db/schema.ts";
import { cancelMessages, queueMessage } from "#app/mail/outbox.server.ts";
import { isNotSuppressed } from "#app/mail/suppression.server.ts";
import { forEachItem } from "#app/server/logger.server.ts";
import { renewal, renewRecords } from "#app/verification/requests/request-statements.server.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { isKnownTechnician } from "#app/verification/unknown-technicians.server.ts";
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

/** Why no email about a request was queued, in JSON. */
export type EmailedReason = Exclude<Withholding, "released">;

interface RequestEmail extends EmailCause {
  /** The request's token. */
  token: string;
  /** Which submission of a form asked for it (`submissionOf`), by which it is found when the form is sent again. */
  submission: string | null;
}

/** What the statements need of a request's or the timer's context. */
type QueueContext = Pick<AppLoadContext, "db" | "now" | "secret" | "mail">;

/**
 * The statements that queue the email to the supervisor of a stored request, unless it is over a limit or waits for the
 * confirmation of the technician's address (email-limits.server.ts), count it, and note and read whether it was queued, or
 * why it was not and when the timer tries again (`sweepWithheld`). They come after the statements that store the request. Unsent emails to a former address of the request are
 * cancelled.
 */
export function queueRequestEmail(context: QueueContext, { token, submission, ...cause }: RequestEmail) {
  const { db, now, mail } = context;
  const recipient = recipientOf(context, cause);
  const requestId = sql`(SELECT id FROM ${verificationRequests} WHERE token = ${token})`;
  const waits = waitsForConfirmation(context, cause);
  return {
    readdressed: cancelMessages({ db, now }, sql`request_id = ${requestId} AND recipient <> ${recipient}`),
    mail: queueMessage(context, {
      kind: "verification_requested",
      userId: sql`${cause.userId}`,
      requestId,
      submission,
      recipient,
      from: sql`WHERE ${mayEmail(context, cause)} AND NOT (${waits})`,
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
          WHEN ${waits} THEN 'unconfirmed' ELSE 'limit' END`,
        mailAt: null,
      })
      .where(sql`token = ${token}`)
      .returning({ reason: verificationRequests.emailWithheld }),
    waiting: db
      .update(verificationRequests)
      .set({ mailAt: nextTry(context, cause) })
      .where(sql`token = ${token} AND email_withheld IN ('limit', 'suppressed')`)
      .returning({ mailAt: verificationRequests.mailAt }),
  };
}

/** What became of the email, from the rows of `queueRequestEmail`: whether it was queued, else why not and which limit is reached. */
export function emailOutcome({ queued, held, withheld }: Rows<ReturnType<typeof queueRequestEmail>>): {
  emailed: boolean;
  emailedReason: EmailedReason | null;
  limit: ReachedLimit | null;
} {
  const emailed = queued.some(({ reason }) => reason !== "not_set_up");
  const emailedReason = emailed ? null : shownReason(withheld[0]?.reason ?? null);
  const limit = queued.length === 0 && emailedReason === "limit" ? reachedLimit(held) : null;
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
export async function sweepWithheld(context: QueueContext): Promise<void> {
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
  return sql`mail_at <= ${now.getTime()} AND ended_at IS NULL`;
}

/**
 * Queues the next email that waits for an address, and returns whether another one may follow. Of several technicians the one
 * whose last email to it is the oldest comes first, so that none of them takes all that the address gets in a day. The
 * request is renewed, because its reminders follow its email. Where the email still has to wait, all that wait for the same reason
 * are put off with it: of thousands the timer tries one.
 */
async function releaseNext(context: QueueContext, address: string): Promise<boolean> {
  const { db, now } = context;
  const next = sql`(SELECT next FROM (SELECT min(iif(mail_at <= ${now.getTime()}, id, NULL)) AS next,
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
  const isMailed = sql`${isThis} AND ${isEmailStored(context, token)}`;
  const { email } = await commit(db, owner, {
    email: queueRequestEmail(context, { userId, token, records, address, submission: null }),
    renewed: db.update(verificationRequests).set(renewal(now)).where(isMailed),
    records: renewRecords(db, isMailed, now),
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
