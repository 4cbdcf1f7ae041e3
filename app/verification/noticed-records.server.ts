import { type SQL, sql } from "drizzle-orm";
import type { Db, Rows } from "#app/db/client.server.ts";
import { idsInPart } from "#app/db/parts.server.ts";
import { users } from "#app/db/schema.ts";
import { recordFromRow, selectAnyRecords } from "#app/records/any-record.server.ts";
import { BYTES_OF_RECORD } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { PAGE_BYTES } from "./record.ts";
import { verificationAnswers, verificationItems, verificationRequests } from "./requests.table.ts";

/* Which records a notice is about: its email (app/supervisor-mail/notice.server.ts) and its pages (notices/) read the same. */

/**
 * For `supervisor_email`: the spelling that a notice goes to comes first, and an erased address last. It is the shortest one,
 * and among equally short ones the first in the alphabet: what follows a `+` is not everywhere the same mailbox.
 */
export const NOTIFIED_FIRST = sql`length(supervisor_email) NULLS LAST, supervisor_email`;

/** The items that some answers have verified and that still are, as `item`, with their records, as `one`. */
export function verifiedItems(answers: SQL, where?: SQL): SQL {
  return sql`${ITEMS_AND_RECORDS} WHERE ${isVerifiedItem(answers, where)}`;
}

const ITEMS_AND_RECORDS = sql`${verificationItems} AS item CROSS JOIN ${records} AS one ON one.id = item.record_id`;

function isVerifiedItem(answers: SQL, where: SQL = sql`true`): SQL {
  return sql`item.answer_id IN ${answers} AND item.state = 'verified' AND one.verified = 1
    AND one.deleted_at IS NULL AND ${where}`;
}

/** The answers that a notice is about. `notice` selects its id. */
export function answersOfNotice(notice: SQL): SQL {
  return sql`(SELECT id FROM ${verificationAnswers} WHERE notice_id = ${notice})`;
}

/** SQL condition for the record `one`: it was verified by the link alone and is not confirmed. */
export const IS_OPEN = sql`(one.verified_via = 'link' AND one.confirmed_at IS NULL)`;

/** Which of the records that are verified by a notice are read. */
export interface Selection {
  where?: SQL | undefined;
  order: keyof typeof ORDERS;
  limit: number;
  /** Reads as many of the newest as a page can have (`fittingOnPage`). */
  isPart?: boolean;
}

/** Which records come first where not all are read, and in which order those that are read come. */
const ORDERS = {
  newest: { chosen: "one.id DESC", listed: "id DESC" },
  /**
   * By turns one without hours, such as a certificate, and the one with the most hours: many small records of one sort must
   * hide neither a large one nor those of the other sort.
   */
  weightiest: {
    chosen: `row_number() OVER (PARTITION BY one.hours IS NULL ORDER BY one.hours DESC, one.id DESC), one.hours IS NULL DESC`,
    listed: "hours IS NULL DESC, hours DESC, id DESC",
  },
};

/** The ids of the records that a selection has. */
export function idsIn(answers: SQL, { where, order, limit, isPart }: Selection): SQL {
  if (isPart) {
    const of = { from: ITEMS_AND_RECORDS, where: isVerifiedItem(answers, where), order: sql`one.id DESC` };
    return idsInPart({ ...of, bytes: BYTES_OF_RECORD, limit, most: PAGE_BYTES });
  }
  const by = sql.raw(ORDERS[order].chosen);
  return sql`(SELECT one.id FROM ${verifiedItems(answers, where)} ORDER BY ${by} LIMIT ${limit})`;
}

const requestsOf = (answers: SQL) => sql`(SELECT request_id FROM ${verificationAnswers} WHERE id IN ${answers})`;

/** The technicians whose records some answers have verified: of each request one such record is looked for, not all. */
export function ownersOf(answers: SQL): SQL {
  return sql`(SELECT asked.user_id FROM ${verificationRequests} AS asked WHERE asked.id IN ${requestsOf(answers)}
    AND EXISTS (SELECT 1 FROM ${verifiedItems(answers, sql`item.request_id = asked.id`)}))`;
}

/**
 * The queries for records that some answers have verified, with their technicians, and for sums of all. The first request
 * names the supervisor as the notice does: it is the newest to the notice's address of those that the answers `notified` are to.
 */
export function noticeQueries(db: Db, answers: SQL, selection: Selection, notified = answers) {
  const ids = idsIn(answers, selection);
  const sum = (condition: SQL) => sql<number>`coalesce(sum(${condition}), 0)`;
  return {
    sums: db
      .select({
        count: sql<number>`count(*)`.as("n"),
        open: sum(IS_OPEN).as("open"),
        confirmed: sum(sql`one.confirmed_at IS NOT NULL`).as("confirmed"),
        hundredths: sum(sql`one.hours`).as("hundredths"),
      })
      .from(verifiedItems(answers)),
    disowned: db
      .select({ count: sql<number>`count(*)`.as("n") })
      .from(verificationItems)
      .where(sql`answer_id IN ${answers} AND cause = 'disowned'`),
    requests: db
      .select({
        id: verificationRequests.id,
        name: verificationRequests.requestedName,
        email: verificationRequests.supervisorEmail,
      })
      .from(verificationRequests)
      .where(sql`id IN ${requestsOf(answers)}`)
      .orderBy(sql`id IN ${requestsOf(notified)} DESC, ${NOTIFIED_FIRST}, id DESC`),
    owners: db
      .select({ id: users.id, name: users.name, employeeNumber: users.employeeNumber })
      .from(users)
      .where(sql`id IN ${ownersOf(answers)}`),
    records: selectAnyRecords(db, sql`id IN ${ids}`).orderBy(sql.raw(ORDERS[selection.order].listed)),
    items: db
      .select({ recordId: verificationItems.recordId, requestId: verificationItems.requestId })
      .from(verificationItems)
      .where(sql`record_id IN ${ids} AND state = 'verified'`),
  };
}

type NoticeRows = Rows<ReturnType<typeof noticeQueries>>;

/** The records of `noticeQueries` in their order, with their owners. */
export function recordsOfNotice({ owners, records, items }: Pick<NoticeRows, "owners" | "records" | "items">) {
  const requests = new Map(items.map(({ recordId, requestId }) => [recordId, requestId]));
  return records.flatMap((row) => {
    const owner = owners.find(({ id }) => id === row.userId);
    const requestId = requests.get(row.id);
    return owner && requestId ? [{ ...recordFromRow(row), owner, requestId }] : [];
  });
}
