import { sql } from "drizzle-orm";
import { lastCheckpoint } from "#app/audit-log/last-checkpoint.server.ts";
import { batch, type Db } from "#app/db/client.server.ts";
import { type MessageRow, outbox, users } from "#app/db/schema.ts";
import type { ComposeContext, Composers, Mark } from "#app/mail/deliver.server.ts";
import { countFromNow, holdsLease, isTooLate } from "#app/mail/outbox.server.ts";
import { recipientOf } from "#app/verification/requests/email-limits.server.ts";
import { answeredEmail, requestEmail, verifiedEmail } from "./emails.ts";
import { linkFromRows, requestQueries } from "./link.server.ts";
import { itemRecord } from "./link-view.server.ts";
import { mailboxSecret } from "./mailbox-secret.server.ts";
import { appendRequestEvent } from "./request-events.server.ts";
import { verificationAnswers, verificationItems, verificationRequests } from "./requests.table.ts";
import { unsubscribeUrl } from "./telling/suppression.server.ts";

/** Composes the verification emails from the current data. Their texts are in emails.ts. */
export const verificationEmails: Pick<Composers, "verification_requested" | "hours_verified"> = {
  /** Null if nothing in the request waits any more, if its supervisor has changed, or if it comes a day late. */
  async verification_requested(context, message) {
    if (isTooLate(context, message)) return null;
    const { link, owner, earlier, checkpoint } = await findRequestData(context, message);
    if (!owner || link.state !== "open") return null;
    const { supervisorName: name, supervisorEmail: email, token } = link.request;
    const m = mailboxSecret(context.secret, link.request);
    if (name === null || email === null || m === null) return null;
    const recipient = recipientOf(context, { userId: message.userId, address: email });
    // A message from before migration 0004 has none.
    if (message.recipient !== null && message.recipient !== recipient) return null;
    const records = link.items.filter(({ state }) => state === "waiting").map((item) => itemRecord(item, link.owner));
    const url = `${context.origin}/verify/${token}?m=${m}`;
    return {
      ...requestEmail({ owner, records, supervisor: { name, email }, url, isReminder: earlier > 0 }),
      checkpoint: checkpoint[0],
      unsubscribeUrl: unsubscribeUrl(context, email),
      onStart: countFromNow(context, message, email),
      onSent: (mark, at) => markSent(context.db, message, mark, at),
    };
  },

  /** Null if the records that the answer decided do not exist any more, or are not decided any more. */
  async hours_verified(context, message) {
    const { link, owner, answered } = await findRequestData(context, message);
    if (!owner || link.state === "unknown") return null;
    const keys = new Set(answered.map(({ recordKind, recordId }) => `${recordKind}:${recordId}`));
    const items = link.items.filter(({ kind, record }) => keys.has(`${kind.name}:${record.id}`));
    const verified = items.filter(({ record }) => record.verified).map((item) => itemRecord(item, link.owner));
    const declined = items
      .filter(({ state }) => state === "declined")
      .map((item) => ({ record: itemRecord(item, link.owner), reason: item.reason ?? "" }));
    const [first] = verified;
    const { token } = link.request;
    if (first && items.length === 1) return verifiedEmail({ owner, record: first, token, origin: context.origin });
    if (verified.length + declined.length === 0) return null;
    const by = answered[0]?.name ?? "Your supervisor";
    return answeredEmail({ owner, by, verified, declined, token, origin: context.origin });
  },
};

/** Marks a request's message as sent, and notes it among the request's events. */
function markSent(db: Db, message: MessageRow, mark: Mark, at: Date): Promise<unknown> {
  const where = sql`WHERE ${holdsLease(message)}`;
  return batch(db, { event: appendRequestEvent(db, message.requestId ?? 0, { event: "mailed", at }, where), mark });
}

/** Reads the rows that a message refers to, in one round trip. */
async function findRequestData(
  { db, now }: ComposeContext,
  { id, userId, requestId, recipient, submission }: MessageRow,
) {
  const which = sql`id = ${requestId} AND user_id = ${userId}`;
  const { person, earlier, answered, checkpoint, ...rows } = await batch(db, {
    ...requestQueries(db, which),
    checkpoint: lastCheckpoint(db, now.getTime()),
    person: db
      .select({ name: users.name, email: users.email, employeeNumber: users.employeeNumber })
      .from(users)
      .where(sql`id = ${userId}`),
    earlier: db
      .select({ n: sql<number>`count(*)` })
      .from(outbox)
      .where(
        sql`request_id = ${requestId} AND kind = 'verification_requested' AND recipient = ${recipient}
          AND state IN ('sent', 'unknown') AND id < ${id}`,
      ),
    // A message from before answers were stored has none: then all that is verified.
    answered: db
      .select({
        recordKind: verificationItems.recordKind,
        recordId: verificationItems.recordId,
        name: sql<string | null>`(SELECT name FROM ${verificationAnswers} WHERE key = ${submission})`.as("name"),
      })
      .from(verificationItems)
      .where(
        sql`request_id = (SELECT id FROM ${verificationRequests} WHERE ${which}) AND (${submission} IS NULL
          OR answer_id = (SELECT id FROM ${verificationAnswers} WHERE key = ${submission}))`,
      ),
  });
  return { owner: person[0], link: linkFromRows(rows, null, now), earlier: earlier[0]?.n ?? 0, answered, checkpoint };
}
