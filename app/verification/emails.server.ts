import { and, eq, lt, sql } from "drizzle-orm";
import { appendEvent, lastEvent, retryOnConflict } from "#app/audit-log/log.server.ts";
import { batch, type Db } from "#app/db/client.server.ts";
import { type MessageRow, outbox, supervisors, users } from "#app/db/schema.ts";
import type { ComposeContext, Composers, Mark } from "#app/mail/deliver.server.ts";
import { holdsLease } from "#app/mail/outbox.server.ts";
import { kindNamed } from "#app/records/kinds.ts";
import { findRecord } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { type Supervisor, supervisorColumns } from "#app/supervisors/supervisors.server.ts";
import { recipientOf, updateRecipient } from "#app/verification/requests/email-limits.server.ts";
import { requestEmail, verifiedEmail } from "./emails.ts";
import { type VerifiableRecord, verifiableRecord } from "./record.ts";

/** Composes the verification emails from the current data. Their texts are in emails.ts. */
export const verificationEmails: Pick<Composers, "verification_requested" | "hours_verified"> = {
  /**
   * Null if the record, its link or the supervisor does not exist any more, the record is verified, or the supervisor's
   * address has changed and a limit holds back emails to the new one.
   */
  async verification_requested(context, message) {
    const { owner, record, token, supervisor, earlier } = await findData(context, message);
    if (!owner || !record || !token || !supervisor || record.record.verified) return null;
    const { kind, record: stored } = record;
    const cause = { userId: message.userId, kind, recordId: stored.id, address: supervisor.email };
    const isReaddressed = message.recipient !== recipientOf(context, cause);
    if (isReaddressed && !(await updateRecipient(context, message, cause))) return null;
    const url = `${context.origin}/verify/${token}`;
    return {
      ...requestEmail({ owner, record, supervisor, url, isReminder: earlier > 0 }),
      onSent: (mark, at) => markSent(context.db, message, record, supervisor, mark, at),
    };
  },

  async hours_verified(context, message) {
    const { owner, record, token } = await findData(context, message);
    if (!owner || !record || !token || !record.record.verified) return null;
    return verifiedEmail({ owner, record, token, origin: context.origin });
  },
};

/** Marks a request's message as sent, and appends an event with its supervisor to the record's log. */
function markSent(
  db: Db,
  message: MessageRow,
  { kind: name, record }: VerifiableRecord,
  supervisor: Omit<Supervisor, "id">,
  mark: Mark,
  at: Date,
): Promise<boolean> {
  const kind = kindNamed(name);
  return retryOnConflict(async () => {
    const [last] = await lastEvent(db, name, record.id);
    const facts = { event: "mailed", at, supervisor, recordHash: recordHash(kind, record) } as const;
    const position = { kind: name, id: record.id, userId: message.userId, last };
    const event = appendEvent(db, position, facts, sql`WHERE ${holdsLease(message)}`);
    await batch(db, { event, mark });
    return true;
  });
}

/** Reads the rows that a message refers to, in one round trip. */
async function findData({ db }: ComposeContext, { id, userId, recordKind, recordId, supervisorId }: MessageRow) {
  const kind = kindNamed(recordKind);
  const found = await batch(db, {
    owner: db
      .select({ name: users.name, email: users.email, employeeNumber: users.employeeNumber })
      .from(users)
      .where(eq(users.id, userId)),
    supervisor: db
      .select(supervisorColumns)
      .from(supervisors)
      .where(and(eq(supervisors.id, supervisorId ?? 0), eq(supervisors.userId, userId))),
    record: findRecord(db, userId, kind, recordId ?? 0),
    earlier: db
      .select({ n: sql<number>`count(*)` })
      .from(outbox)
      .where(
        and(
          sql`user_id = ${userId} AND record_kind = ${recordKind} AND record_id = ${recordId}`,
          sql`kind = 'verification_requested' AND supervisor_id = ${supervisorId} AND state IN ('sent', 'unknown')`,
          lt(outbox.id, id),
        ),
      ),
  });
  const [owner] = found.owner;
  const [record] = found.record;
  return {
    owner,
    record: owner && record && verifiableRecord(kind, owner, record),
    token: record?.verificationToken,
    supervisor: found.supervisor[0],
    earlier: found.earlier[0]?.n ?? 0,
  };
}
