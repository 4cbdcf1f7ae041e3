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
 * The statements that store the message to the supervisor at `address` who is asked, if the record is as it says, that
 * count it, and that find whether it is there and else what holds it back. They belong behind the ones that make the
 * link and save a new supervisor. The same form sent again (see `submissionOf`) brings no second message, nor does a
 * request over a limit (email-limits.server.ts).
 */
export function queueRequestEmail(
  context: AppLoadContext,
  kind: Kind,
  record: RecordWithToken,
  choice: Choice,
  address: string,
) {
  const { id, userId } = record;
  const caused = { userId, kind: kind.name, recordId: id, address };
  const key = choice.key ?? null;
  const supervisorId =
    "supervisorId" in choice
      ? sql`${choice.supervisorId}`
      : sql`${addedSupervisorId(userId, choice.newSupervisor, key)}`;
  const submission = submissionOf(key, { type: kind.name, id, ...choice });
  const ofThisSending = sql`user_id = ${userId} AND record_kind = ${kind.name} AND record_id = ${id}
    AND kind = 'verification_requested' AND submission = ${submission}`;
  return {
    mail: queueMessage(context, {
      kind: "verification_requested",
      userId: sql`${userId}`,
      recordKind: kind.name,
      recordId: sql`${id}`,
      supervisorId,
      submission,
      recipient: recipientOf(context, caused),
      from: sql`FROM ${kind.table} WHERE ${isUnchanged(kind, record)} AND ${mayEmail(context, caused)}
        AND NOT EXISTS (SELECT 1 FROM ${outbox} WHERE ${ofThisSending})`,
    }),
    counted: countEmail(context, caused, sql`${isStored(context, kind, id)} AND ${context.mail.isConfigured ? 1 : 0}`),
    queued: context.db
      .select({ dueAt: outbox.dueAt, reason: outbox.reason })
      .from(outbox)
      .where(sql`(lease = ${context.mail.lease} AND kind = 'verification_requested') OR (${ofThisSending})`),
    held: findReachedLimits(context, caused),
  };
}

/** The condition under which this very request has stored a message to a supervisor about the record. */
export function isStored({ mail }: AppLoadContext, kind: Kind, id: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${outbox} WHERE lease = ${mail.lease} AND kind = 'verification_requested'
    AND record_kind = ${kind.name} AND record_id = ${id})`;
}

/** The statement that tells the technician that their hours are verified: behind the one that verifies them, and once. */
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

/** What became of the last message with the link of a request, as the dialog tells it. */
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
