import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { batch, type Rows } from "#app/db/client.server.ts";
import { commit, guardedColumns, retryOnConflict } from "#app/db/commit.server.ts";
import type { Withholding } from "#app/db/enumerations.ts";
import { type MessageRow, outbox, users } from "#app/db/schema.ts";
import { cancelMessages, queueMessage } from "#app/mail/outbox.server.ts";
import { forEachItem } from "#app/server/logger.server.ts";
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
import { renewal, renewRecords } from "./request-statements.server.ts";

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
 * confirmation of the technician's address (email-limits.server.ts), count it, and note and read whether it was queued or
 * why it was not. They come after the statements that store the request. Unsent emails to a former address of the request are
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
      })
      .where(sql`token = ${token}`)
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
  const { db } = context;
  const released = await db
    .select({ id: verificationRequests.id })
    .from(verificationRequests)
    .where(sql`email_withheld = 'released'`)
    .orderBy(verificationRequests.requestedAt)
    .limit(AT_ONCE);
  await forEachItem(released, ({ id }) => retryOnConflict(context, "release", () => release(context, id)));
}

async function release(context: QueueContext, id: number): Promise<true> {
  const { db, now } = context;
  const isThis = sql`id = ${id}`;
  const { request, owner, items } = await batch(db, {
    request: db.select().from(verificationRequests).where(sql`${isThis} AND email_withheld = 'released'`),
    owner: db
      .select(guardedColumns)
      .from(users)
      .where(sql`id = (SELECT user_id FROM ${verificationRequests} WHERE ${isThis})`),
    items: db
      .select({ id: verificationItems.recordId })
      .from(verificationItems)
      .where(sql`request_id = ${id} AND state = 'waiting'`),
  });
  const [found] = request;
  if (!found) return true;
  const { userId, token, supervisorEmail: address } = found;
  const isOpen = !found.endedAt && found.expiresAt > now;
  const records = items.map((item) => item.id);
  await commit(
    db,
    owner,
    isOpen && address !== null
      ? {
          renewed: db.update(verificationRequests).set(renewal(now)).where(isThis),
          records: renewRecords(db, isThis, now),
          email: queueRequestEmail(context, { userId, token, records, address, submission: null }),
        }
      : { dropped: db.update(verificationRequests).set({ emailWithheld: null }).where(isThis) },
  );
  return true;
}

/** The condition that this HTTP request has queued an email to the supervisor of the request with this token. */
export function isEmailStored({ mail }: Pick<AppLoadContext, "mail">, token: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${outbox} WHERE lease = ${mail.lease} AND kind = 'verification_requested'
    AND request_id = (SELECT id FROM ${verificationRequests} WHERE token = ${token}))`;
}

/** The last email of a request. */
export type LastEmail = Pick<MessageRow, "state" | "reason" | "attempts" | "createdAt">;
