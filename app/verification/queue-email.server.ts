import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { type MessageRow, outbox } from "#app/db/schema.ts";
import { submissionOf } from "#app/db/submission.server.ts";
import { queueMessage } from "#app/mail/outbox.server.ts";
import type { Kind, RecordWithToken } from "#app/records/kinds.ts";
import { isUnchanged } from "#app/records/queries.server.ts";
import { addedSupervisorId } from "#app/supervisors/supervisors.server.ts";
import {
  countEmail,
  findReachedLimits,
  mayEmail,
  recipientOf,
} from "#app/verification/requests/email-limits.server.ts";
import type { Choice } from "./verification.schema.ts";

/**
 * The statements that queue the email to the supervisor at `address`, if the record is unchanged, count it, and read
 * whether it was queued or which limit is reached. They come after the statements that make the link and save a new
 * supervisor. A repeated submission of the same form (see `submissionOf`) and a request over a limit
 * (email-limits.server.ts) queue no email.
 */
export function queueRequestEmail(
  context: AppLoadContext,
  kind: Kind,
  record: RecordWithToken,
  choice: Choice,
  address: string,
) {
  const { id, userId } = record;
  const cause = { userId, kind: kind.name, recordId: id, address };
  const key = choice.key ?? null;
  const supervisorId =
    "supervisorId" in choice
      ? sql`${choice.supervisorId}`
      : sql`${addedSupervisorId(userId, choice.newSupervisor, key)}`;
  const submission = submissionOf(key, { type: kind.name, id, ...choice });
  const isSameSubmission = sql`user_id = ${userId} AND record_kind = ${kind.name} AND record_id = ${id}
    AND kind = 'verification_requested' AND submission = ${submission}`;
  return {
    mail: queueMessage(context, {
      kind: "verification_requested",
      userId: sql`${userId}`,
      recordKind: kind.name,
      recordId: sql`${id}`,
      supervisorId,
      submission,
      recipient: recipientOf(context, cause),
      from: sql`FROM ${kind.table} WHERE ${isUnchanged(kind, record)} AND ${mayEmail(context, cause)}
        AND NOT EXISTS (SELECT 1 FROM ${outbox} WHERE ${isSameSubmission})`,
    }),
    counted: countEmail(context, cause, sql`${isStored(context, kind, id)} AND ${context.mail.isConfigured ? 1 : 0}`),
    queued: context.db
      .select({ dueAt: outbox.dueAt, reason: outbox.reason })
      .from(outbox)
      .where(sql`(lease = ${context.mail.lease} AND kind = 'verification_requested') OR (${isSameSubmission})`),
    held: findReachedLimits(context, cause),
  };
}

/** The condition that this HTTP request has queued an email to a supervisor about the record. */
export function isStored({ mail }: AppLoadContext, kind: Kind, id: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${outbox} WHERE lease = ${mail.lease} AND kind = 'verification_requested'
    AND record_kind = ${kind.name} AND record_id = ${id})`;
}

/** The statement that queues the email to the technician, once: it comes after the one that verifies the record. */
export function queueVerifiedEmail(context: AppLoadContext, kind: Kind, token: string) {
  return queueMessage(context, {
    kind: "hours_verified",
    userId: sql`record.user_id`,
    recordKind: kind.name,
    recordId: sql`record.id`,
    from: sql`FROM ${kind.table} AS record
      WHERE verification_token = ${token} AND verified = 1 AND verified_at = ${context.now.getTime()} AND NOT EXISTS (
        SELECT 1 FROM ${outbox} WHERE user_id = record.user_id AND record_kind = ${kind.name} AND record_id = record.id
        AND kind = 'hours_verified')`,
  });
}

export type RequestMail = Pick<MessageRow, "state" | "reason" | "attempts" | "supervisorId" | "createdAt">;

export function findRequestMail(db: Db, owner: Owner, kind: Kind, id: number | SQL<number>) {
  return db
    .select({
      state: outbox.state,
      reason: outbox.reason,
      attempts: outbox.attempts,
      supervisorId: outbox.supervisorId,
      createdAt: outbox.createdAt,
    })
    .from(outbox)
    .where(
      and(
        eq(outbox.userId, owner),
        eq(outbox.recordKind, kind.name),
        eq(outbox.recordId, id),
        eq(outbox.kind, "verification_requested"),
        isNull(outbox.linkEnded),
      ),
    )
    .orderBy(desc(outbox.id))
    .limit(1);
}
