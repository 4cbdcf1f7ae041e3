import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { batch, type Rows } from "#app/db/client.server.ts";
import { raiseRevisions } from "#app/db/commit.server.ts";
import type { Withholding } from "#app/db/enumerations.ts";
import { type MessageRow, outbox } from "#app/db/schema.ts";
import { cancelMessages, queueMessage } from "#app/mail/outbox.server.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { isKnownTechnician, isNotSuppressed } from "#app/verification/suppression.server.ts";
import {
  countEmail,
  type EmailCause,
  findReachedLimits,
  mayEmail,
  type ReachedLimit,
  reachedLimit,
  recipientOf,
  waitsForConfirmation,
} from "./email-limits.server.ts";
import { isRequestStored, renewal } from "./request-statements.server.ts";

/** Why no email about a request was queued, in JSON. */
export type EmailedReason = Exclude<Withholding, "released">;

interface RequestEmail extends EmailCause {
  /** The request's token. */
  token: string;
  /** Which submission of a form asked for it (`submissionOf`): sent again, it queues no second email. */
  submission: string | null;
  /** A further condition for queueing it. */
  onlyIf?: SQL;
}

/** What the statements need of a request's or the timer's context. */
type QueueContext = Pick<AppLoadContext, "db" | "now" | "secret" | "mail">;

/**
 * The statements that queue the email to the supervisor of a stored request, unless it is over a limit or waits for the
 * confirmation of the technician's address (email-limits.server.ts), count it, and note and read whether it was queued or
 * why it was not. They come after the statements that store the request. Unsent emails to a former address of the request are
 * cancelled.
 */
export function queueRequestEmail(
  context: QueueContext,
  { token, submission, onlyIf = sql`true`, ...cause }: RequestEmail,
) {
  const { db, now, mail } = context;
  const recipient = recipientOf(context, cause);
  const requestId = sql`(SELECT id FROM ${verificationRequests} WHERE token = ${token})`;
  const waits = waitsForConfirmation(context, cause);
  const isSameSubmission = sql`kind = 'verification_requested' AND request_id = ${requestId}
    AND submission = ${submission}`;
  return {
    readdressed: cancelMessages({ db, now }, sql`request_id = ${requestId} AND recipient <> ${recipient}`),
    mail: queueMessage(context, {
      kind: "verification_requested",
      userId: sql`${cause.userId}`,
      requestId,
      submission,
      recipient,
      from: sql`WHERE ${isRequestStored(token)} AND ${onlyIf} AND ${mayEmail(context, cause)} AND NOT (${waits})
        AND NOT EXISTS (SELECT 1 FROM ${outbox} WHERE ${isSameSubmission})`,
    }),
    counted: countEmail(context, cause, sql`${isEmailStored(context, token)} AND ${mail.isConfigured ? 1 : 0}`),
    queued: db
      .select({ dueAt: outbox.dueAt, reason: outbox.reason })
      .from(outbox)
      .where(sql`(lease = ${mail.lease} AND kind = 'verification_requested') OR (${isSameSubmission})`),
    held: findReachedLimits(context, cause),
    withheld: db
      .update(verificationRequests)
      .set({
        emailWithheld: sql`CASE WHEN NOT ${mail.isConfigured ? 1 : 0} THEN 'off'
          WHEN EXISTS (SELECT 1 FROM ${outbox} WHERE ${isSameSubmission}) OR ${isEmailStored(context, token)} THEN NULL
          WHEN NOT (${isNotSuppressed(context.secret, cause.address)}) THEN 'suppressed'
          WHEN NOT (${isKnownTechnician(context.secret, cause.userId, cause.address)}) THEN 'unknown_technician'
          WHEN ${waits} THEN 'unconfirmed' ELSE 'limit' END`,
      })
      .where(sql`token = ${token} AND ended_at IS NULL AND ${onlyIf}`)
      .returning({ reason: verificationRequests.emailWithheld }),
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

/** How many requests one run of the timer releases; the next run releases the others. */
const AT_ONCE = 20;

/**
 * Queues the emails that waited until their technician had confirmed their address. The request is renewed, because its
 * reminders follow its email. An email that is over a limit now is not queued; its records are in the next reminder.
 */
export async function sweepReleased(context: QueueContext): Promise<void> {
  const { db, now } = context;
  const isReleased = sql`email_withheld = 'released'`;
  const released = await db
    .select()
    .from(verificationRequests)
    .where(isReleased)
    .orderBy(verificationRequests.requestedAt)
    .limit(AT_ONCE);
  for (const { id, userId, token, supervisorEmail } of released) {
    const items = await db
      .select({ id: verificationItems.recordId })
      .from(verificationItems)
      .where(sql`request_id = ${id} AND state = 'waiting'`);
    const isOpen = sql`EXISTS (SELECT 1 FROM ${verificationRequests} WHERE id = ${id} AND ${isReleased}
      AND ended_at IS NULL AND expires_at > ${now.getTime()} AND supervisor_email = ${supervisorEmail})`;
    await batch(db, {
      guard: raiseRevisions(db, sql`${userId}`),
      renewed: db.update(verificationRequests).set(renewal(now)).where(sql`id = ${id} AND ${isOpen}`),
      email: queueRequestEmail(context, {
        userId,
        token,
        records: items.map((item) => item.id),
        address: supervisorEmail ?? "",
        submission: null,
        onlyIf: isOpen,
      }),
      // It has ended, or asks another supervisor.
      dropped: db.update(verificationRequests).set({ emailWithheld: null }).where(sql`id = ${id} AND ${isReleased}`),
    });
  }
}

/** The condition that this HTTP request has queued an email to the supervisor of the request with this token. */
export function isEmailStored({ mail }: Pick<AppLoadContext, "mail">, token: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${outbox} WHERE lease = ${mail.lease} AND kind = 'verification_requested'
    AND request_id = (SELECT id FROM ${verificationRequests} WHERE token = ${token}))`;
}

/** The last email of a request. */
export type LastEmail = Pick<MessageRow, "state" | "reason" | "attempts" | "createdAt">;
