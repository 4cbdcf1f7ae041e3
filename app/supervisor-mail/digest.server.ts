import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, type SQL, sql } from "drizzle-orm";
import { formatDate, formatInstant } from "#app/calendar-date.ts";
import { batch, type Db, type Rows } from "#app/db/client.server.ts";
import { eventFacts, IS_FACT_OF_EVENT, type MessageRow, outbox, users, verificationLog } from "#app/db/schema.ts";
import type { ComposeContext, Composed } from "#app/mail/deliver.server.ts";
import { type Correspondent, type Email, formatGreeting } from "#app/mail/email.ts";
import { mayHaveArrived, queueMessage } from "#app/mail/outbox.server.ts";
import { plainName, withoutLinks } from "#app/mail/typed-text.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { recordFromRow, selectAnyRecords } from "#app/records/any-record.server.ts";
import { countRecords, dateOf, LOG_ANCHOR, logHref, recordPath } from "#app/records/kind.ts";
import { IS_LIVE, STATUS_CONDITIONS, SUM_OF_HOURS } from "#app/records/queries.server.ts";
import { amountText } from "#app/records/record-facts.tsx";
import { records } from "#app/records/records.table.ts";
import { latest } from "#app/server/attempt-limits.server.ts";
import {
  UNNAMED,
  type VerifiableRecord,
  verifiableRecord,
  verificationId,
  verificationOf,
} from "#app/verification/record.ts";
import { verificationAnswers, verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { closedMailboxes, isClosed } from "#app/verification/unknown-technicians.server.ts";
import { inHours, LISTED, recordFacts, recordText, type SupervisorEmail } from "./facts.ts";
import { NEWS_MS } from "./limits.server.ts";

/*
 * The digest notifies a technician of supervisors' answers: which records they verified, declined and disowned, and
 * that they do not know the technician. The first is sent at once, then one an hour at most, with all answers since.
 * Anyone who has a link can cause any number of answers, and an account can answer its own requests, so with one email
 * for each answer anyone could cause any number of emails.
 *
 * A digest covers the events of the audit log from the one that caused it (`submission`, an id of the log) to the one
 * that caused the next digest. As long as a digest waits, new events join it; once it is being sent, a new event causes
 * the next one, which is due an hour later. So each event is in exactly one digest, whenever the Worker stops. Its text
 * is read when it is sent.
 */

const DIGEST = "hours_verified";

export const email: SupervisorEmail = { kind: DIGEST, compose };

const HOUR_MS = 60 * 60 * 1000;

interface Answered {
  userId: number;
  requestId: number;
  /** How many events were appended to the audit log in this batch. */
  events: number;
}

/**
 * The statement that queues the digest for the owner of records, unless one waits. It must follow the statement that appends
 * the events, in the same batch.
 */
export function queueDigest(context: AppLoadContext, { userId, requestId, events }: Answered) {
  const { now } = context;
  return queueMessage(context, {
    kind: DIGEST,
    userId: sql`${userId}`,
    requestId: sql`${requestId}`,
    // D1 binds every number as REAL.
    submission: sql`(SELECT CAST(CAST(max(id) - ${events - 1} AS INTEGER) AS TEXT) FROM ${verificationLog})`,
    dueAt: nextDigest(userId, now),
    from: sql`FROM ${users} WHERE id = ${userId} AND NOT EXISTS (SELECT 1 FROM ${outbox}
      WHERE user_id = ${userId} AND kind = ${DIGEST} AND state = 'waiting' AND unknown_outcomes = 0)`,
  });
}

/** Returns when the next digest may be sent: an hour after the last one, which may be on its way; NULL if at once. */
function nextDigest(userId: number, now: Date, which: SQL = sql`true`): SQL<number | null> {
  const at = now.getTime();
  return sql<number | null>`(SELECT max(iif(due_at IS NULL, ended_at, ${at})) + ${HOUR_MS} FROM ${outbox}
    WHERE user_id = ${userId} AND kind = ${DIGEST} AND ${which} AND (due_at IS NOT NULL
      OR (ended_at > ${at - HOUR_MS} AND ended_at <= ${latest(now).getTime()} AND ${mayHaveArrived})))`;
}

/** Returns null if no event still holds: the records were deleted, or requested again. */
async function compose(context: ComposeContext, message: MessageRow): Promise<Composed> {
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
  return { ...email, giveUpAfter: NEWS_MS };
}

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

/** The condition that a record is no longer verified, and waits for nothing, since its verification was taken back. */
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

interface Verified {
  owner: Correspondent;
  record: VerifiableRecord;
  token: string;
  origin: string;
}

/** The digest of one verified record. */
function verifiedEmail({ owner, record, token, origin }: Verified): Email {
  const kind = kindNamed(record.kind);
  const noun = kind.noun(record.record);
  const [was, isNow, amount] =
    record.record.hours === undefined
      ? ["was", "is", `Your ${noun}`]
      : ["were", "are", `Your ${amountText(kind, record.record)}`];
  const verification = verificationOf(record.record);
  return {
    to: owner,
    subject: `Your ${noun} of ${formatDate(dateOf(kind, record.record))} ${was} verified`,
    greeting: formatGreeting(owner),
    lead: `${amount} ${isNow} verified. The record is final now: it can no longer be changed.`,
    facts: [
      ...recordFacts(record),
      ...(verification
        ? ([
            ["Verified by", withoutLinks(verification.by)],
            ["Verified on", formatInstant("UTC", verification.at)],
            ["Verification ID", verificationId(token, verification.at)],
          ] satisfies Email["facts"])
        : []),
    ],
    button: { label: "Open your log", url: `${origin}${kind.path}` },
    notes: [
      "The name is as the supervisor typed it. If you do not know it, tell your training coordinator the verification ID.",
    ],
  };
}

interface Group<Row> {
  count: number;
  /** The sum of the hours of all. */
  hundredths: number;
  /** Those that are listed. */
  records: Row[];
}

interface Digest {
  owner: Correspondent;
  /** The name that the supervisor typed, if it is the same everywhere; `areSeveral`: there are several. */
  by: string | null;
  areSeveral: boolean;
  verified: Group<VerifiableRecord>;
  declined: Group<{ record: VerifiableRecord; reason: string }>;
  /** With why they were taken back, if the supervisor said so. */
  disowned: Group<{ record: VerifiableRecord; reason: string }>;
  unknown: Group<VerifiableRecord>;
  /** Whether the supervisors who do not know the technician said so from their mailboxes, which are closed then. */
  isClosed: boolean;
  /** The supervisor of the requests that were disowned, and of those that ended as `unknown_technician`, if it is one. */
  disownedBy: string | null;
  unknownTo: string | null;
  /** If all were verified in one answer: its link's token, and when. */
  token: string;
  verifiedAt: Date | null;
  origin: string;
}

/** Writes the email of what supervisors verified, declined, withdrew and refused to answer since the last digest. */
function digestEmail({
  owner,
  verified,
  declined,
  disowned,
  unknown,
  token,
  verifiedAt,
  origin,
  ...digest
}: Digest): Email {
  const were = (n: number) => (n === 1 ? "was" : "were");
  const by = digest.areSeveral ? "Your supervisors" : (plainName(digest.by) ?? "Your supervisor");
  const disowner = plainName(digest.disownedBy) ?? "Your supervisor";
  const groups = (
    [
      { n: verified.count, verb: "verified" },
      { n: declined.count, verb: "declined" },
      { n: disowned.count, verb: "taken back" },
      { n: unknown.count, verb: "not answered" },
    ] as const
  ).filter(({ n }) => n > 0);
  const [first, ...others] = groups;
  const isAnswered = verified.count + declined.count > 0;
  const isLost = first?.verb === "taken back";
  const subject = `${isLost ? "The verification of " : ""}${first?.n ?? 0} of your records ${were(isLost ? 1 : (first?.n ?? 0))} ${first?.verb}${others.map(({ n, verb }) => `, ${n} ${verb}`).join("")}`;
  const verifiedText = `${countRecords(verified.count)}${inHours(verified.hundredths)}`;
  const answered =
    declined.count === 0
      ? `${by} verified ${verifiedText}. They are final now: they can no longer be changed.`
      : `${by} ${verified.count > 0 ? `verified ${verifiedText} and ` : ""}declined ${countRecords(declined.count)}. Correct what is wrong, and ask again.`;
  const lost = `${disowner} took back ${disowned.count === 1 ? "a verification" : "verifications"}. ${countRecords(disowned.count)}${inHours(disowned.hundredths)} ${disowned.count === 1 ? "is" : "are"} no longer verified.`;
  const stranger = plainName(digest.unknownTo) ?? "Your supervisor";
  const unanswered = `${stranger} says that they do not know you, so ${unknown.count === 1 ? "the request for a record" : `the requests for ${countRecords(unknown.count)}`}${inHours(unknown.hundredths)} ended unanswered.${digest.isClosed ? " That address gets no more emails from your account." : ""}`;
  const listed = [
    ...disowned.records.map(({ record, reason }) => ({ record, state: "taken back", reason }) as const),
    ...unknown.records.map((record) => ({ record, state: "not answered", reason: "" }) as const),
    ...declined.records.map(({ record, reason }) => ({ record, state: "declined", reason }) as const),
  ].slice(0, LISTED);
  const unlisted = groups.flatMap(({ n, verb }) => {
    const left = n - listed.filter(({ state }) => state === verb).length;
    return verb === "verified" || left === 0 ? [] : { n: left, verb };
  });
  const [one] = [
    ...verified.records,
    ...declined.records.map(({ record }) => record),
    ...disowned.records.map(({ record }) => record),
    ...unknown.records,
  ];
  const kind = kindNamed(one?.kind ?? "entry");
  const [button, ...links] = openDeclined(declined, origin);
  return {
    to: owner,
    subject:
      isAnswered || (disowned.count > 0 && unknown.count > 0)
        ? subject
        : unknown.count > 0
          ? `${stranger} says that they do not know you`
          : digest.disownedBy
            ? `${disowner} took back the verification of ${countRecords(disowned.count)}`
            : subject,
    greeting: formatGreeting(owner),
    lead: [
      ...(isAnswered ? [answered] : []),
      ...(disowned.count > 0 ? [lost] : []),
      ...(unknown.count > 0 ? [unanswered] : []),
    ].join(" "),
    facts: [
      ...(verifiedAt ? ([["Verification ID", verificationId(token, verifiedAt)]] satisfies Email["facts"]) : []),
      ...listed.map(({ record, state, reason }): [string, string] => [
        recordText(record),
        `${STATES[state]}${reason && `: ${withoutLinks(reason)}`}`,
      ]),
      ...unlistedFact(unlisted),
    ],
    button: button ?? { label: "Open your log", url: `${origin}${kind.path}` },
    links,
    notes: [
      ...(isAnswered || listed.some(({ reason }) => reason)
        ? [
            "The names and the reasons are as the supervisors typed them. If you do not know a name, tell your training coordinator.",
          ]
        : []),
      ...(disowned.count > 0
        ? [
            "It can be a mistake. Talk to them, and ask again. The link in the email to them is the safest way: it proves their address.",
          ]
        : []),
      ...(unknown.count > 0
        ? [
            "Check the address that you typed, and ask a supervisor who knows your work. The records are in your log as before.",
          ]
        : []),
    ],
  };
}

/** The states of the records that a digest lists. */
const STATES = {
  declined: "Declined",
  "taken back": "Verification withdrawn by the supervisor",
  "not answered": "Not answered",
};

/** The last line of a list that is cut: how many records of what it leaves out. */
function unlistedFact(groups: { n: number; verb: keyof typeof STATES }[]): Email["facts"] {
  const all = groups.reduce((sum, { n }) => sum + n, 0);
  const [first, ...others] = groups;
  if (!first) return [];
  const text = others.length === 0 ? STATES[first.verb] : groups.map(({ n, verb }) => `${n} ${verb}`).join(", ");
  return [
    all === 1
      ? ["1 more record", `${text}. It is in your log.`]
      : [`${all} more records`, `${text}. They are in your log.`],
  ];
}

/** Returns the page on which declined records are corrected: the record, or the log of each kind that has some. */
function openDeclined({ count, records }: Digest["declined"], origin: string): Email["button"][] {
  const [first] = records;
  if (first && count === 1) {
    const { kind, record } = first.record;
    return [{ label: "Open the declined record", url: origin + recordPath(kindNamed(kind), record.id) }];
  }
  return [...new Set(records.map(({ record }) => record.kind))].map(kindNamed).map(({ texts, path }) => ({
    label: `Open the declined ${texts.hours} records`,
    url: origin + logHref(path, { status: "declined" }) + LOG_ANCHOR,
  }));
}
