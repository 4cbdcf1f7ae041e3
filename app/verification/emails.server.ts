import { sql } from "drizzle-orm";
import { lastCheckpoint } from "#app/audit-log/grow-tree.server.ts";
import { batch, type Db } from "#app/db/client.server.ts";
import { type MessageRow, outbox, users } from "#app/db/schema.ts";
import type { ComposeContext, Composers, Mark } from "#app/mail/deliver.server.ts";
import { counting, holdsLease, isTooLate } from "#app/mail/outbox.server.ts";
import { toCalendarDate } from "#app/ui/calendar-date.ts";
import { recipientOf } from "#app/verification/requests/email-limits.server.ts";
import { digests } from "./digest.server.ts";
import { requestEmail } from "./emails.ts";
import { linkFromRows, requestQueries } from "./link.server.ts";
import { itemRecord } from "./link-view.server.ts";
import { mailboxSecret } from "./mailbox-secret.server.ts";
import { appendRequestEvent } from "./request-events.server.ts";
import { timeZoneOf } from "./telling/reminders.server.ts";
import { isKnownTechnician, unsubscribeUrl } from "./telling/suppression.server.ts";

/** Composes the verification emails from the current data. Their texts are in emails.ts. */
export const verificationEmails: Pick<Composers, "verification_requested" | keyof typeof digests> = {
  ...digests,

  /** Null if nothing in the request waits any more, or if its supervisor has changed. */
  async verification_requested(context, message) {
    const { link, owner, earlier, checkpoint } = await findRequestData(context, message);
    if (!owner || link.state !== "open") return null;
    const { supervisorName: name, supervisorEmail: email, token } = link.request;
    const m = mailboxSecret(context.secret, link.request);
    if (name === null || email === null || m === null) return null;
    const known = await context.db
      .select({ yes: sql<number>`1` })
      .from(sql`(SELECT 1)`)
      .where(isKnownTechnician(context.secret, message.userId, email));
    if (known.length === 0) return null;
    const recipient = recipientOf(context, { userId: message.userId, address: email });
    if (message.recipient !== recipient) return null;
    if (isTooLate(context, message)) return { late: true, onFailed: counting(context, message, email).onFailed };
    const records = link.items.filter(({ state }) => state === "waiting").map((item) => itemRecord(item, link.owner));
    const url = `${context.origin}/verify/${token}?m=${m}`;
    const answerBy = toCalendarDate(timeZoneOf(link.request), link.request.expiresAt);
    return {
      ...requestEmail({ owner, records, supervisor: { name, email }, url, answerBy, isReminder: earlier > 0 }),
      checkpoint: checkpoint[0],
      unsubscribeUrl: unsubscribeUrl(context, email),
      ...counting(context, message, email),
      onSent: (mark, at) => markSent(context.db, message, mark, at),
    };
  },
};

/** Marks a request's message as sent, and notes it among the request's events. */
function markSent(db: Db, message: MessageRow, mark: Mark, at: Date): Promise<unknown> {
  const where = sql`WHERE ${holdsLease(message)}`;
  return batch(db, { event: appendRequestEvent(db, message.requestId ?? 0, { event: "mailed", at }, where), mark });
}

/** Reads the rows that a message refers to, in one round trip. */
async function findRequestData({ db, now, secret }: ComposeContext, { id, userId, requestId, recipient }: MessageRow) {
  const which = sql`id = ${requestId} AND user_id = ${userId}`;
  const { person, earlier, checkpoint, ...rows } = await batch(db, {
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
  });
  return { owner: person[0], link: linkFromRows({ secret, now }, rows, null), earlier: earlier[0]?.n ?? 0, checkpoint };
}
