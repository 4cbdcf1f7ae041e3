import { desc, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { domainOf } from "./link-view.ts";
import { verificationAnswers, verificationItems, verificationRequests } from "./requests.table.ts";

/** A supervisor's last decision about a record. */
export interface Decision {
  state: "verified" | "declined";
  /** Why it was declined. */
  reason: string | null;
  at: Date;
  /** The name that the supervisor typed. */
  by: string | null;
  /** The domain of the address that was asked. */
  domain: string | null;
  /** Whether the address that was asked is not told of the verification, because it asked for no more emails. */
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
  return { state, reason, at, by, domain: domainOf(email), suppressed: suppressed === 1 };
}

/**
 * For a query of records: the domain of the mailbox that verified or confirmed a record; NULL by link alone, and once it is
 * erased.
 */
export const MAILBOX_DOMAIN = sql<string | null>`iif(verified_via = 'mailbox' OR confirmed_at IS NOT NULL, (
  SELECT substr(supervisor_email, instr(supervisor_email, '@') + 1) FROM ${verificationRequests} AS request
  WHERE request.id = (SELECT request_id FROM ${verificationItems} AS item
    WHERE item.record_id = records.id AND item.state = 'verified')), NULL)`;
