import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { type MessageRow, outbox } from "#app/db/schema.ts";
import { cancelMessages, queueMessage } from "#app/mail/outbox.server.ts";
import type { Kind } from "#app/records/kinds.ts";
import { isRequestStored } from "#app/verification/requests/ask.server.ts";
import {
  countEmail,
  type EmailCause,
  findReachedLimits,
  mayEmail,
  recipientOf,
} from "#app/verification/requests/email-limits.server.ts";
import { type RequestRow, verificationRequests } from "./requests.table.ts";

interface RequestEmail extends EmailCause {
  /** The request's token. */
  token: string;
  /** Which submission of a form asked for it (`submissionOf`): sent again, it queues no second email. */
  submission: string | null;
  /** A further condition for queueing it. */
  onlyIf?: SQL;
}

/**
 * The statements that queue the email to the supervisor of a stored request, unless it is over a limit
 * (email-limits.server.ts), count it, and read whether it was queued or which limit is reached. They come after the
 * statements that store the request. Unsent emails to a former address of the request are cancelled.
 */
export function queueRequestEmail(
  context: AppLoadContext,
  { token, submission, onlyIf = sql`true`, ...cause }: RequestEmail,
) {
  const { db, now, mail } = context;
  const recipient = recipientOf(context, cause);
  const requestId = sql`(SELECT id FROM ${verificationRequests} WHERE token = ${token})`;
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
      from: sql`WHERE ${isRequestStored(token)} AND ${onlyIf} AND ${mayEmail(context, cause)}
        AND NOT EXISTS (SELECT 1 FROM ${outbox} WHERE ${isSameSubmission})`,
    }),
    counted: countEmail(context, cause, sql`${isEmailStored(context, token)} AND ${mail.isConfigured ? 1 : 0}`),
    queued: db
      .select({ dueAt: outbox.dueAt, reason: outbox.reason })
      .from(outbox)
      .where(sql`(lease = ${mail.lease} AND kind = 'verification_requested') OR (${isSameSubmission})`),
    held: findReachedLimits(context, cause),
  };
}

/** The condition that this HTTP request has queued an email to the supervisor of the request with this token. */
export function isEmailStored({ mail }: AppLoadContext, token: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${outbox} WHERE lease = ${mail.lease} AND kind = 'verification_requested'
    AND request_id = (SELECT id FROM ${verificationRequests} WHERE token = ${token}))`;
}

/** The last email of a request, and its supervisor. */
export type RequestMail = Pick<MessageRow, "state" | "reason" | "attempts" | "createdAt">;

/** The supervisor of a record's own request. */
export type OwnRequest = Pick<RequestRow, "supervisorName" | "supervisorEmail" | "endedAt">;

/** The queries for a record's own request, whose link is its `verificationToken`, and for its last email. */
export function ownRequestQueries(db: Db, owner: Owner, kind: Kind, id: number | SQL<number>) {
  const token = sql`(SELECT verification_token FROM ${kind.table} WHERE id = ${id} AND user_id = ${owner})`;
  const request = db
    .select({
      supervisorName: verificationRequests.supervisorName,
      supervisorEmail: verificationRequests.supervisorEmail,
      endedAt: verificationRequests.endedAt,
    })
    .from(verificationRequests)
    .where(sql`token = ${token}`);
  return {
    request,
    mails: db
      .select({ state: outbox.state, reason: outbox.reason, attempts: outbox.attempts, createdAt: outbox.createdAt })
      .from(outbox)
      .where(
        and(
          sql`request_id = (SELECT id FROM ${verificationRequests} WHERE token = ${token})`,
          eq(outbox.kind, "verification_requested"),
        ),
      )
      .orderBy(desc(outbox.id))
      .limit(1),
  };
}
