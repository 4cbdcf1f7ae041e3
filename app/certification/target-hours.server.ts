import { sql } from "drizzle-orm";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import { type Level, METHODS, type Method } from "#app/db/enumerations.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { isOwn, SUMS_BY_STATUS } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { leastHours } from "./amounts.ts";
import { targetQueries, targetsFromRows } from "./target-queries.server.ts";
import { type Target, type TargetItem, targetItems, targets } from "./targets.table.ts";

const isOjtHours = ({ unit, kind }: Pick<TargetItem, "unit" | "kind">) => unit === "hours" && kind === "entry";

/**
 * The queries of the hours that count for a technician's newest target that asks for OJT hours. Without such a target they
 * read no records. Read the answers with `targetHoursFromRows`.
 */
export function targetHoursQueries(db: Db, owner: Owner, today: string) {
  const newest = sql`(SELECT max(target_id) FROM ${targetItems} WHERE unit = 'hours' AND record_kind = 'entry'
    AND target_id IN (SELECT id FROM ${targets} WHERE user_id = ${owner}))`;
  const ofNewest = (column: "user_id" | "since") =>
    sql<number>`(SELECT ${sql.raw(column)} FROM ${targets} WHERE id = ${newest})`;
  return {
    ...targetQueries(db, owner),
    counted: db
      .select({ method: records.method, level: records.level, ...SUMS_BY_STATUS })
      .from(records)
      .where(
        // NULL, which owns no rows, without a target: a condition beside the user would not keep SQLite from reading.
        sql`${isOwn(ofNewest("user_id"), entryKind)}
          AND date >= coalesce(${ofNewest("since")}, '') AND date <= ${today}`,
      )
      .groupBy(records.method, records.level),
  };
}

/** What counts for a target, and what is still to do for it, in hundredths of an hour. */
export interface TargetHours {
  title: Target["title"];
  /** The methods of its items of OJT hours. The hours below are in these alone. */
  methods: Method[];
  verified: number;
  requested: number;
  pending: number;
  declined: number;
  /** The least hours that meet all its items, and those that are still missing: no hour is counted twice (`leastHours`). */
  required: number;
  remaining: number;
}

/** The newest target that asks for OJT hours, from the rows of `targetHoursQueries`; null without one. */
export function targetHoursFromRows(answers: Rows<ReturnType<typeof targetHoursQueries>>): TargetHours | null {
  const target = targetsFromRows(answers).find(({ items }) => items.some(isOjtHours));
  if (!target) return null;
  const items = target.items.filter(isOjtHours);
  const methods = METHODS.filter((method) => items.some((item) => item.methods.includes(method)));
  const sum = (status: "hundredths" | "verified" | "requested" | "pending", of: readonly TargetItem[]) =>
    answers.counted.reduce((all, row) => all + (of.some((item) => asksFor(item, row)) ? row[status] : 0), 0);
  const [verified, requested, pending] = [sum("verified", items), sum("requested", items), sum("pending", items)];
  return {
    title: target.title,
    methods,
    verified,
    requested,
    pending,
    declined: sum("hundredths", items) - verified - requested - pending,
    required: leastHours(items.map((item) => ({ ...item, amount: item.required }))),
    remaining: leastHours(
      items.map((item) => ({ ...item, amount: Math.max(0, item.required - sum("verified", [item])) })),
    ),
  };
}

function asksFor({ methods, workedAs }: TargetItem, row: { method: Method | null; level: Level | null }): boolean {
  return row.method !== null && methods.includes(row.method) && (workedAs === null || row.level === workedAs);
}
