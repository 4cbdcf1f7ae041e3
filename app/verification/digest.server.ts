import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, type SQL, sql } from "drizzle-orm";
import { batch, type Db, type Rows } from "#app/db/client.server.ts";
import { DAY_MS } from "#app/db/enumerations.ts";
import { eventFacts, IS_FACT_OF_EVENT, outbox, users, verificationLog } from "#app/db/schema.ts";
import type { Composers } from "#app/mail/deliver.server.ts";
import { mayHaveArrived, queueMessage } from "#app/mail/outbox.server.ts";
import {
  IS_LIVE,
  recordFromRow,
  STATUS_CONDITIONS,
  SUM_OF_HOURS,
  selectAnyRecords,
} from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { latest } from "#app/server/attempt-limits.server.ts";
import { digestEmail, LISTED, verifiedEmail } from "./emails.ts";
import { verifiableRecord } from "./record.ts";
import { verificationAnswers, verificationItems, verificationRequests } from "./requests.table.ts";

/*
 * The digest tells a technician what supervisors answered: what they verified, declined and disowned, and that they do not
 * know the technician. The first is sent at
 * once, then one an hour at most, with all since. Anyone who has a link can cause any number of answers, and an account can
 * answer its own requests, so one email for each answer would be as many as anyone wants.
 *
 * A digest covers the events of the audit log from the one that caused it (`submission`, an id of the log) to the one that
 * caused the next digest. As long as a digest waits, what happens joins it; once it is being sent, what happens causes the
 * next one, which is due an hour later. So each event is in exactly one digest, whenever the Worker stops.
 */

const HOUR_MS = 60 * 60 * 1000;

/** How long a digest is tried, in milliseconds: nothing else tells the technician by email. */
const TELL_MS = 30 * DAY_MS;

const KIND = "hours_verified";

interface Answered {
  userId: number;
  requestId: number;
  /** How many events were appended to the audit log in this batch. */
  events: number;
  /** The condition that they were. */
  onlyIf?: SQL;
}

/**
 * The statement that queues the digest for the owner of records, unless one waits. It must follow the statement that appends
 * the events, in the same batch.
 */
export function queueDigest(context: AppLoadContext, { userId, requestId, events, onlyIf = sql`true` }: Answered) {
  const { now } = context;
  return queueMessage(context, {
    kind: KIND,
    userId: sql`${userId}`,
    requestId: sql`${requestId}`,
    // D1 binds every number as REAL.
    submission: sql`(SELECT CAST(CAST(max(id) - ${events - 1} AS INTEGER) AS TEXT) FROM ${verificationLog})`,
    dueAt: nextDigest(userId, now),
    from: sql`FROM ${users} WHERE id = ${userId} AND ${onlyIf} AND NOT EXISTS (SELECT 1 FROM ${outbox}
      WHERE user_id = ${userId} AND kind = ${KIND} AND state = 'waiting' AND unknown_outcomes = 0)`,
  });
}

/** When the next digest may be sent: an hour after the last one, which may be on its way; NULL if at once. */
function nextDigest(userId: number, now: Date, which: SQL = sql`true`): SQL<number | null> {
  const at = now.getTime();
  return sql<number | null>`(SELECT max(iif(due_at IS NULL, ended_at, ${at})) + ${HOUR_MS} FROM ${outbox}
    WHERE user_id = ${userId} AND kind = ${KIND} AND ${which} AND (due_at IS NOT NULL
      OR (ended_at > ${at - HOUR_MS} AND ended_at <= ${latest(now).getTime()} AND ${mayHaveArrived})))`;
}

/** Composes the digest from the current data. Its text is in emails.ts. */
export const digests: Pick<Composers, typeof KIND> = {
  /** Null if nothing is as the events say any more: the records were deleted, or asked for again. */
  async [KIND](context, message) {
    const { db, origin, now } = context;
    const { userId, id } = message;
    const range: Range = {
      userId,
      first: sql`(SELECT CAST(submission AS INTEGER) FROM ${outbox} WHERE id = ${id})`,
      end: sql`coalesce((SELECT min(CAST(submission AS INTEGER)) FROM ${outbox}
        WHERE user_id = ${userId} AND kind = ${KIND} AND id > ${id}), ${Number.MAX_SAFE_INTEGER})`,
    };
    const { next, person, ...rows } = await batch(db, {
      next: db.select({ at: nextDigest(userId, now, sql`id < ${id}`).as("at") }).from(sql`(SELECT 1)`),
      person: db.select({ name: users.name, email: users.email }).from(users).where(sql`id = ${userId}`),
      ...newsQueries(db, range),
    });
    const [owner] = person;
    if (!owner) return null;
    if (next[0]?.at) return { notBefore: new Date(next[0].at) };
    const news = newsFromRows(rows);
    const [only] = news.verified.records;
    const others = news.declined.count + news.disowned.count + news.unknown.count;
    if (news.verified.count + others === 0) return null;
    const email =
      only && news.verified.count === 1 && others === 0
        ? verifiedEmail({ owner, record: only, token: news.token, origin })
        : digestEmail({ owner, ...news, origin });
    return { ...email, giveUpAfter: TELL_MS };
  },
};

interface Range {
  userId: number;
  /** The first event of the log, and the first one after them. */
  first: SQL;
  end: SQL;
}

/** The queries for what the events of a range say, as far as it is still so. */
function newsQueries(db: Db, range: Range) {
  const ids = recordsOf(range);
  const disowned = recordsOf(range, sql`AND log.event = 'disowned'`);
  const unknown = recordsOf(range, sql`AND log.event = 'withdrawn'`);
  return {
    verified: groupQueries(db, sql`${STATUS_CONDITIONS.verified} AND id IN ${ids}`, sql`state = 'verified'`),
    declined: groupQueries(db, sql`${STATUS_CONDITIONS.declined} AND id IN ${ids}`, sql`state = 'declined'`),
    disowned: groupQueries(
      db,
      sql`verified = 0 AND declined_at IS NULL AND id IN ${disowned}`,
      sql`cause = 'disowned'`,
    ),
    unknown: groupQueries(db, sql`verified = 0 AND id IN ${unknown}`, sql`cause = 'unknown_technician'`),
  };
}

/** The queries for the records that `where` selects: their sums, those that are listed, and what was decided about these. */
function groupQueries(db: Db, where: SQL, item: SQL) {
  const order = sql`kind, id DESC`;
  return {
    sums: db
      .select({
        count: sql<number>`count(*)`.as("n"),
        hours: SUM_OF_HOURS.as("hundredths"),
        by: sql<string | null>`iif(min(verified_by) IS max(verified_by), max(verified_by), NULL)`.as("by_name"),
        at: sql<number | null>`iif(min(verified_at) IS max(verified_at), max(verified_at), NULL)`.as("at"),
      })
      .from(records)
      .where(and(IS_LIVE, where)),
    records: selectAnyRecords(db, where).orderBy(order).limit(LISTED),
    items: db
      .select({
        recordId: verificationItems.recordId,
        reason: verificationItems.reason,
        by: sql<string | null>`coalesce(
          (SELECT name FROM ${verificationAnswers} AS answer WHERE answer.id = ${verificationItems.answerId}),
          (SELECT supervisor_name FROM ${verificationRequests} AS request
            WHERE request.id = ${verificationItems.requestId}))`.as("by_name"),
        supervisor: sql<string | null>`(SELECT supervisor_name FROM ${verificationRequests} AS request
          WHERE request.id = ${verificationItems.requestId})`.as("supervisor"),
        token: sql<string>`(SELECT token FROM ${verificationRequests} AS request
          WHERE request.id = ${verificationItems.requestId})`.as("token"),
      })
      .from(verificationItems)
      .where(
        sql`${item} AND record_id IN (SELECT id FROM ${records} WHERE ${IS_LIVE} AND ${where}
          ORDER BY ${order} LIMIT ${LISTED})`,
      )
      .orderBy(sql`decided_at DESC`),
  };
}

/** Counts and sums of all, and the records that are listed, from the rows of `newsQueries`. */
function newsFromRows(rows: Rows<ReturnType<typeof newsQueries>>) {
  const nobody = { name: null, employeeNumber: null }; // a message to the owner does not name them
  const groupOf = ({ sums: [sums], records, items }: typeof rows.verified) => ({
    count: sums?.count ?? 0,
    hundredths: sums?.hours ?? 0,
    records: records.map((row) => {
      const { kind, record } = recordFromRow(row);
      return {
        record: verifiableRecord(kind, nobody, record),
        item: items.find(({ recordId }) => recordId === record.id),
      };
    }),
  });
  const [verified, declined, disowned] = [groupOf(rows.verified), groupOf(rows.declined), groupOf(rows.disowned)];
  const unknown = groupOf(rows.unknown);
  const [sums] = rows.verified.sums;
  const names = new Set([
    ...(verified.count > 0 ? [sums?.by ?? null] : []),
    ...rows.declined.items.map(({ by }) => by),
  ]);
  const onlySupervisor = ({ items }: typeof rows.verified) => {
    const [name = null, ...more] = new Set(items.map(({ supervisor }) => supervisor));
    return more.length === 0 ? name : null;
  };
  return {
    verified: { ...verified, records: verified.records.map(({ record }) => record) },
    declined: {
      ...declined,
      records: declined.records.map(({ record, item }) => ({ record, reason: item?.reason ?? "" })),
    },
    disowned: { ...disowned, records: disowned.records.map(({ record }) => record) },
    unknown: { ...unknown, records: unknown.records.map(({ record }) => record) },
    by: names.size === 1 ? ([...names][0] ?? null) : null,
    areSeveral: names.size > 1 || names.has(null),
    disownedBy: onlySupervisor(rows.disowned),
    unknownTo: onlySupervisor(rows.unknown),
    token: rows.verified.items[0]?.token ?? "",
    /** When all were verified, if in one answer. */
    verifiedAt: sums?.at ? new Date(sums.at) : null,
  };
}

/** The ids of the owner's records that the events of a range are about. */
function recordsOf({ userId, first, end }: Range, which: SQL = sql``): SQL {
  return sql`(SELECT log.record_id FROM ${eventFacts} AS facts CROSS JOIN ${verificationLog} AS log
    ON ${sql.raw(IS_FACT_OF_EVENT)} WHERE facts.user_id = ${userId} AND facts.last_event >= ${first}
    AND facts.first_event < ${end} AND log.id >= ${first} AND log.id < ${end} AND (log.event IN ('verified', 'declined', 'disowned')
      OR log.cause = 'unknown_technician') ${which})`;
}
