import { and, type SQL, sql } from "drizzle-orm";
import { batch, type Db, type Rows } from "#app/db/client.server.ts";
import { eventFacts, IS_FACT_OF_EVENT, outbox, users, verificationLog } from "#app/db/schema.ts";
import type { Composers } from "#app/mail/deliver.server.ts";
import { recordFromRow, selectAnyRecords } from "#app/records/any-record.server.ts";
import { IS_LIVE, STATUS_CONDITIONS, SUM_OF_HOURS } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { UNNAMED, verifiableRecord } from "#app/verification/record.ts";
import { verificationAnswers, verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { closedMailboxes, isClosed } from "#app/verification/unknown-technicians.server.ts";
import { digestEmail, LISTED, verifiedEmail } from "./facts.ts";
import { TELL_MS } from "./notice.server.ts";
import { DIGEST, nextDigest } from "./queue-digest.server.ts";

/** Composes the digest from the current data. Its text is in emails.ts. */
export const digests: Pick<Composers, typeof DIGEST> = {
  /** Null if nothing is as the events say any more: the records were deleted, or asked for again. */
  async [DIGEST](context, message) {
    const { db, origin, now } = context;
    const { userId, id } = message;
    const range: Range = {
      userId,
      first: sql`(SELECT CAST(submission AS INTEGER) FROM ${outbox} WHERE id = ${id})`,
      end: sql`coalesce((SELECT min(CAST(submission AS INTEGER)) FROM ${outbox}
        WHERE user_id = ${userId} AND kind = ${DIGEST} AND id > ${id}), ${Number.MAX_SAFE_INTEGER})`,
    };
    const { next, person, ...rows } = await batch(db, {
      next: db.select({ at: nextDigest(userId, now, sql`id < ${id}`).as("at") }).from(sql`(SELECT 1)`),
      person: db.select({ name: users.name, email: users.email }).from(users).where(sql`id = ${userId}`),
      ...newsQueries(db, range),
    });
    const [owner] = person;
    if (!owner) return null;
    if (next[0]?.at) return { notBefore: new Date(next[0].at) };
    const news = newsFromRows(rows, context.secret);
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
  const unknown = recordsOf(range, sql`AND log.event = 'withdrawn'`);
  return {
    verified: groupQueries(db, sql`${STATUS_CONDITIONS.verified} AND id IN ${ids}`, sql`state = 'verified'`),
    declined: groupQueries(db, sql`${STATUS_CONDITIONS.declined} AND id IN ${ids}`, sql`state = 'declined'`),
    disowned: groupQueries(db, isDisowned(range), sql`cause = 'disowned'`),
    unknown: groupQueries(db, sql`verified = 0 AND id IN ${unknown}`, sql`cause = 'unknown_technician'`),
    reasons: disownReasons(db, range),
    closed: closedMailboxes(db, range.userId),
  };
}

/** The order of a group: the most of a digest that is listed begins with the oldest day. */
const ORDER = sql`date, id`;

/** The condition that a record is not verified any more, and waits for nothing, since its verification was taken back. */
function isDisowned(range: Range): SQL {
  return sql`verified = 0 AND declined_at IS NULL AND id IN ${recordsOf(range, sql`AND log.event = 'disowned'`)}`;
}

/** The query for why the listed records were taken back, the last reason last: the log alone has it. */
function disownReasons(db: Db, range: Range) {
  const { userId, first, end } = range;
  return db
    .select({
      recordId: sql<number>`log.record_id`.as("of_record"),
      reason: sql<string>`facts.facts ->> 'reason'`.as("why"),
    })
    .from(sql`${eventFacts} AS facts CROSS JOIN ${verificationLog} AS log ON ${sql.raw(IS_FACT_OF_EVENT)}`)
    .where(sql`facts.user_id = ${userId} AND facts.last_event >= ${first} AND facts.first_event < ${end}
      AND log.id >= ${first} AND log.id < ${end} AND log.event = 'disowned' AND facts.facts ->> 'reason' IS NOT NULL
      AND log.record_id IN (SELECT id FROM ${records} WHERE ${IS_LIVE} AND ${isDisowned(range)} ORDER BY ${ORDER} LIMIT ${LISTED})`)
    .orderBy(sql`log.id`);
}

/** The queries for the records that `where` selects: their sums, those that are listed, and what was decided about these. */
function groupQueries(db: Db, where: SQL, item: SQL) {
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
    records: selectAnyRecords(db, where).orderBy(ORDER).limit(LISTED),
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
        address: sql<string | null>`(SELECT supervisor_email FROM ${verificationRequests} AS request
          WHERE request.id = ${verificationItems.requestId})`.as("address"),
        token: sql<string>`(SELECT token FROM ${verificationRequests} AS request
          WHERE request.id = ${verificationItems.requestId})`.as("token"),
      })
      .from(verificationItems)
      .where(
        sql`${item} AND record_id IN (SELECT id FROM ${records} WHERE ${IS_LIVE} AND ${where}
          ORDER BY ${ORDER} LIMIT ${LISTED})`,
      )
      .orderBy(sql`decided_at DESC`),
  };
}

/** Counts and sums of all, and the records that are listed, from the rows of `newsQueries`. */
function newsFromRows(rows: Rows<ReturnType<typeof newsQueries>>, secret: string) {
  const groupOf = ({ sums: [sums], records, items }: typeof rows.verified) => ({
    count: sums?.count ?? 0,
    hundredths: sums?.hours ?? 0,
    records: records.map((row) => {
      const { kind, record } = recordFromRow(row);
      return {
        record: verifiableRecord(kind, UNNAMED, record),
        item: items.find(({ recordId }) => recordId === record.id),
      };
    }),
  });
  const [verified, declined, disowned] = [groupOf(rows.verified), groupOf(rows.declined), groupOf(rows.disowned)];
  const unknown = groupOf(rows.unknown);
  const reasons = new Map(rows.reasons.map(({ recordId, reason }) => [recordId, reason]));
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
    disowned: {
      ...disowned,
      records: disowned.records.map(({ record }) => ({ record, reason: reasons.get(record.record.id) ?? "" })),
    },
    unknown: { ...unknown, records: unknown.records.map(({ record }) => record) },
    isClosed: rows.unknown.items.every(({ address }) => isClosed(secret, rows.closed, address)),
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
