import { sql } from "drizzle-orm";
import { DAY_MS, formatInstant } from "#app/calendar-date.ts";
import { batch, type Db } from "#app/db/client.server.ts";
import { type MessageRow, outbox, users } from "#app/db/schema.ts";
import type { ComposeContext, Composed } from "#app/mail/deliver.server.ts";
import { formatGreeting } from "#app/mail/email.ts";
import { mayHaveArrived, queueMessage } from "#app/mail/outbox.server.ts";
import { plainName } from "#app/mail/typed-text.ts";
import { countRecords } from "#app/records/kind.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { LISTED, type SupervisorEmail, type SweepContext } from "./facts.ts";

/* The warning to a technician, a week before, that requests end unanswered: one email a day at most. */

export const email: SupervisorEmail = { kind: "request_expiring", compose, sweep: sweepExpiring };

/** How long before the end the technician is notified. */
const WARNING_MS = 7 * DAY_MS;

/** How many technicians one sweep notifies; the next sweep notifies the others. */
const AT_ONCE = 50;

/**
 * Queues the emails about requests that end within a week: each request once for each renewal, and one email a day to each
 * technician at most, with all since the last one.
 */
async function sweepExpiring(context: SweepContext): Promise<void> {
  const { db, now } = context;
  const own = sql`FROM ${outbox} AS earlier WHERE earlier.user_id = request.user_id AND earlier.kind = 'request_expiring'`;
  await batch(db, {
    queued: queueMessage(context, {
      kind: "request_expiring",
      userId: sql`request.user_id`,
      requestId: sql`min(request.id)`,
      from: sql`FROM ${verificationRequests} AS request
          WHERE ended_at IS NULL AND expires_at > ${now.getTime()} AND expires_at <= ${now.getTime() + WARNING_MS}
          AND expires_at > coalesce((SELECT max(earlier.created_at) ${own} AND ${mayHaveArrived}), 0) + ${WARNING_MS}
          AND NOT EXISTS (SELECT 1 ${own} AND earlier.created_at > ${now.getTime() - DAY_MS})`,
      grouping: sql`GROUP BY request.user_id LIMIT ${AT_ONCE}`,
    }),
  });
}

/** The query for the requests that a message of `sweepExpiring` is about, those that end first first. */
function listExpiring(db: Db, { id, userId, createdAt }: MessageRow, now: Date) {
  return db
    .select({
      id: verificationRequests.id,
      supervisor: verificationRequests.requestedName,
      expiresAt: verificationRequests.expiresAt,
      records: sql<number>`(SELECT count(*) FROM ${verificationItems} AS item
        WHERE item.request_id = ${verificationRequests}.id AND item.state = 'waiting')`.as("records"),
    })
    .from(verificationRequests)
    .where(
      sql`user_id = ${userId} AND ended_at IS NULL AND expires_at > ${now.getTime()}
        AND expires_at <= ${createdAt.getTime() + WARNING_MS} AND expires_at > coalesce((SELECT max(created_at)
          FROM ${outbox} WHERE user_id = ${userId} AND kind = 'request_expiring' AND id < ${id} AND ${mayHaveArrived}),
          0) + ${WARNING_MS}`,
    )
    .orderBy(verificationRequests.expiresAt);
}

/** Returns null if nothing waits, or if all were renewed. */
async function compose({ db, now, origin }: ComposeContext, message: MessageRow): Promise<Composed> {
  const { people, requests } = await batch(db, {
    people: db.select({ name: users.name, email: users.email }).from(users).where(sql`id = ${message.userId}`),
    requests: listExpiring(db, message, now),
  });
  const [owner] = people;
  const waiting = requests.filter(({ records }) => records > 0);
  const [first, ...others] = waiting;
  if (!owner || !first) return null;
  const nameOf = (supervisor: string | null) => plainName(supervisor) ?? "Your supervisor";
  const end = (at: Date) => formatInstant("UTC", at);
  const name = nameOf(first.supervisor);
  const isOne = others.length === 0;
  return {
    to: owner,
    subject: isOne
      ? "One of your verification requests ends in a week"
      : `${waiting.length} of your verification requests end in a week`,
    greeting: formatGreeting(owner),
    lead: isOne
      ? `${name} has not answered about ${countRecords(first.records)}. The link ends on ${end(first.expiresAt)}.`
      : `${waiting.length} of your requests have not been answered. The first link ends on ${end(first.expiresAt)}.`,
    facts: isOne
      ? [
          ["Asked", name],
          ["Waiting", countRecords(first.records)],
        ]
      : waiting
          .slice(0, LISTED)
          .map((one): [string, string] => [
            nameOf(one.supervisor),
            `${countRecords(one.records)}, until ${end(one.expiresAt)}`,
          ]),
    button: isOne
      ? { label: "Open the request", url: `${origin}/requests/${first.id}` }
      : { label: "Open your requests", url: `${origin}/requests` },
    notes: ["Asking again before that keeps the link. After that, a new request makes a new link."],
  };
}
