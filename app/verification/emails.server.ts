import { and, eq, lt, sql } from "drizzle-orm";
import { appendEvent, lastEvent, retryOnConflict } from "#app/audit-log/log.server.ts";
import { batch, type Db } from "#app/db/client.server.ts";
import { entries, type MessageRow, outbox, ropeHours, supervisors, users } from "#app/db/schema.ts";
import type { ComposeContext, Composers, Mark } from "#app/mail/deliver.server.ts";
import { holdsLease } from "#app/mail/outbox.server.ts";
import { entryColumns } from "#app/records/entry/entries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { ropeHoursColumns } from "#app/records/rope-hours/rope-hours.server.ts";
import { type Supervisor, supervisorColumns } from "#app/supervisors/supervisors.server.ts";
import { recipientOf, updateRecipient } from "#app/verification/requests/email-limits.server.ts";
import { requestEmail, verifiedEmail } from "./emails.ts";
import type { VerifiableRecord } from "./record.ts";

/** The letters of this room. What they say is in letters.ts; here is what they are made from, as it stands now. */
export const verificationEmails: Pick<Composers, "verification_requested" | "hours_verified"> = {
  /**
   * Nothing, where the record, its link or the supervisor is gone, the record is verified, or the supervisor has
   * another address now to which no email may go.
   */
  async verification_requested(desk, message) {
    const { owner, record, token, supervisor, earlier } = await factsOf(desk, message);
    if (!owner || !record || !token || !supervisor || isVerified(record)) return null;
    const { id: recordId } = record.type === "entry" ? record.entry : record.ropeHour;
    const caused = { userId: message.userId, kind: record.type, recordId, address: supervisor.email };
    if (message.recipient !== recipientOf(desk, caused) && !(await updateRecipient(desk, message, caused))) return null;
    const url = `${desk.origin}/verify/${token}`;
    return {
      ...requestEmail({ owner, record, supervisor, url, isReminder: earlier > 0 }),
      onSent: (mark, at) => noteMailed(desk.db, message, record, supervisor, mark, at),
    };
  },

  async hours_verified(desk, message) {
    const { owner, record, token } = await factsOf(desk, message);
    if (!owner || !record || !token || !isVerified(record)) return null;
    return verifiedEmail({ owner, record, token, origin: desk.origin });
  },
};

/** Marks a request as sent, and adds the line to the record's log that says to whom. */
function noteMailed(
  db: Db,
  message: MessageRow,
  record: VerifiableRecord,
  supervisor: Omit<Supervisor, "id">,
  mark: Mark,
  at: Date,
): Promise<boolean> {
  const stored = record.type === "entry" ? record.entry : record.ropeHour;
  return retryOnConflict(async () => {
    const [last] = await lastEvent(db, record.type, stored.id);
    const facts = { event: "mailed", at, supervisor, recordHash: recordHash(stored) } as const;
    const line = appendEvent(db, { kind: record.type, id: stored.id, last }, facts, sql`WHERE ${holdsLease(message)}`);
    await batch(db, { line, mark });
    return true;
  });
}

function isVerified(record: VerifiableRecord): boolean {
  return record.type === "entry" ? record.entry.verified : record.ropeHour.verified;
}

/** What the message's ids lead to, in one round trip. */
async function factsOf({ db }: ComposeContext, { id, userId, recordKind, recordId, supervisorId }: MessageRow) {
  const found = await batch(db, {
    owner: db
      .select({ name: users.name, email: users.email, employeeNumber: users.employeeNumber })
      .from(users)
      .where(eq(users.id, userId)),
    supervisor: db
      .select(supervisorColumns)
      .from(supervisors)
      .where(and(eq(supervisors.id, supervisorId ?? 0), eq(supervisors.userId, userId))),
    entry: db
      .select({ ...entryColumns, token: entries.verificationToken })
      .from(entries)
      .where(and(eq(entries.id, recordKind === "entry" ? (recordId ?? 0) : 0), eq(entries.userId, userId))),
    ropeHour: db
      .select({ ...ropeHoursColumns, token: ropeHours.verificationToken })
      .from(ropeHours)
      .where(and(eq(ropeHours.id, recordKind === "rope_hour" ? (recordId ?? 0) : 0), eq(ropeHours.userId, userId))),
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
  return {
    owner,
    record: owner && recordOf(owner, found.entry[0], found.ropeHour[0]),
    token: found.entry[0]?.token ?? found.ropeHour[0]?.token,
    supervisor: found.supervisor[0],
    earlier: found.earlier[0]?.n ?? 0,
  };
}

type EntryFacts = Extract<VerifiableRecord, { type: "entry" }>["entry"];
type RopeFacts = Extract<VerifiableRecord, { type: "rope_hour" }>["ropeHour"];

function recordOf(
  user: VerifiableRecord["user"],
  entry: EntryFacts | undefined,
  ropeHour: RopeFacts | undefined,
): VerifiableRecord | undefined {
  if (entry) return { type: "entry", user, entry };
  return ropeHour && { type: "rope_hour", user, ropeHour };
}
