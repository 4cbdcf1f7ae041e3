import { desc, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { verificationLog } from "#app/db/schema.ts";
import { LINK_ENDS } from "./link-ends.ts";
import { domainOf } from "./link-view.server.ts";
import { verificationAnswers, verificationItems, verificationRequests } from "./requests.table.ts";

/** A supervisor's last decision about a record. */
export interface Decision {
  state: "verified" | "declined";
  /** Why it was declined. */
  reason: string | null;
  at: Date;
  /** The name that the supervisor typed. */
  by: string | null;
  /** The requested address, and its domain; null once it is erased. */
  email: string | null;
  domain: string | null;
  /** Whether no email about the verification goes to the requested address, because its owner stopped all emails. */
  suppressed: boolean;
}

/** The query for the last decision about a record, with no row if it has none. `id` may be an expression. */
export function lastDecision(db: Db, id: number | SQL<number>) {
  const { state, reason, decidedAt, requestId, answerId } = verificationItems;
  return db
    .select({
      state,
      reason,
      decidedAt,
      by: sql<string | null>`(SELECT name FROM ${verificationAnswers} AS answer WHERE answer.id = ${answerId})`.as(
        "by",
      ),
      suppressed: sql<
        number | null
      >`(SELECT suppressed FROM ${verificationAnswers} AS answer WHERE answer.id = ${answerId})`.as("suppressed"),
      email: sql<string | null>`(SELECT supervisor_email FROM ${verificationRequests} AS request
        WHERE request.id = ${requestId})`.as("email"),
    })
    .from(verificationItems)
    .where(sql`record_id = ${id} AND state IN ('verified', 'declined')`)
    .orderBy(desc(decidedAt))
    .limit(1);
}

/** The decision from the rows of `lastDecision`. */
export function decisionFromRows([row]: Awaited<ReturnType<typeof lastDecision>>): Decision | null {
  if (!row?.decidedAt || (row.state !== "verified" && row.state !== "declined")) return null;
  const { state, reason, decidedAt: at, by, email, suppressed } = row;
  return { state, reason, at, by, email, domain: domainOf(email), suppressed: suppressed === 1 };
}

/** For a query of records: who declined a declined record last, and why, as JSON; NULL for others. */
export const LAST_DECLINE = sql<string | null>`CASE WHEN declined_at IS NOT NULL THEN (
  SELECT json_object('reason', reason, 'by', (SELECT name FROM ${verificationAnswers} AS answer WHERE answer.id = answer_id))
  FROM ${verificationItems} AS item WHERE item.record_id = records.id AND item.state = 'declined'
  ORDER BY decided_at DESC LIMIT 1) END`;

/** For a query of records: the id of the last request by which a requested record waits for an answer; NULL for others. */
export const OPEN_REQUEST = sql<number | null>`CASE WHEN requested_at IS NOT NULL THEN (SELECT max(request_id)
  FROM ${verificationItems} AS item WHERE item.record_id = records.id AND item.state = 'waiting') END`;

/** The ends that the technician did not cause. */
const TOLD_ENDS = ["disowned", "unknown_technician", "expired", "deleted_by_admin"] as const;

/**
 * For a query of records: how the last request or verification of a pending record has ended, in words for its technician, unless
 * they ended it; NULL for others. It is the last event of the record's log, so it goes with an edit or another request.
 */
export const LAST_END = sql<
  string | null
>`CASE WHEN verified = 0 AND requested_at IS NULL AND declined_at IS NULL THEN (
  SELECT CASE ${sql.join(
    TOLD_ENDS.map((end) => sql`WHEN ${end} IN (event, cause) THEN ${LINK_ENDS[end].technician}`),
    sql` `,
  )} END
  FROM ${verificationLog} AS log WHERE log.record_id = records.id ORDER BY number DESC LIMIT 1) END`;

/** For a query of records: the address of the request that has verified a record; NULL once it is erased. */
export const VERIFYING_MAILBOX = sql<string | null>`(
  SELECT supervisor_email FROM ${verificationRequests} AS request
  WHERE request.id = (SELECT request_id FROM ${verificationItems} AS item
    WHERE item.record_id = records.id AND item.state = 'verified'))`;
