import { sql } from "drizzle-orm";
import { addDays, yearsBefore } from "#app/calendar-date.ts";
import { targetQueries, targetsFromRows } from "#app/certification/own-targets.server.ts";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import { type Level, METHODS, type Method } from "#app/db/enumerations.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { isOwn, SUMS_BY_STATUS } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { isOjtHours, leastHours } from "./amounts.ts";
import { type Target, type TargetItem, targetItems, targets } from "./targets.table.ts";

/**
 * The queries of the hours that count for a technician's newest target that asks for OJT hours. Without such a target they
 * read no records. Read the answers with `targetHoursFromRows`.
 */
export function targetHoursQueries(db: Db, owner: Owner, today: string) {
  const newest = sql`(SELECT max(target_id) FROM ${targetItems} WHERE unit = 'hours' AND record_kind = 'entry'
    AND target_id IN (SELECT id FROM ${targets} WHERE user_id = ${owner}))`;
  // The time that counts, cut at the first days of the items that ask for the last years alone. SQLite's `date()` counts years as `yearsBefore`.
  const days = sql`SELECT coalesce(since, '') AS day FROM ${targets} WHERE id = ${newest}
    UNION SELECT max(coalesce(since, ''), date(${today}, '-' || within_years || ' years'))
      FROM ${targets} JOIN ${targetItems} ON target_id = ${targets.id} WHERE ${targets.id} = ${newest} AND within_years IS NOT NULL`;
  const spans = sql`(SELECT day AS first, lead(day, 1, ${addDays(today, 1)}) OVER (ORDER BY day) AS until
    FROM (${days}))`;
  return {
    ...targetQueries(db, owner),
    counted: db
      .select({
        from: sql<string>`span.first`.as("from_day"),
        method: sql<Method | null>`method`.as("method_code"),
        level: sql<Level | null>`level`.as("level_code"),
        ...SUMS_BY_STATUS,
      })
      .from(sql`${spans} AS span CROSS JOIN ${records}`)
      .where(sql`${isOwn(owner, entryKind)} AND date >= span.first AND date < span.until`)
      .groupBy(sql`from_day, method_code, level_code`),
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
export function targetHoursFromRows(
  answers: Rows<ReturnType<typeof targetHoursQueries>>,
  today: string,
): TargetHours | null {
  const target = targetsFromRows(answers).find(({ items }) => items.some(isOjtHours));
  if (!target) return null;
  const items = target.items.filter(isOjtHours);
  const methods = METHODS.filter((method) => items.some((item) => item.methods.includes(method)));
  const sum = (status: "hundredths" | "verified" | "requested" | "pending", of: readonly TargetItem[]) =>
    answers.counted.reduce((all, row) => all + (of.some((item) => asksFor(item, row, today)) ? row[status] : 0), 0);
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

interface CountedRow {
  /** The first day of its span. */
  from: string;
  method: Method | null;
  level: Level | null;
}

function asksFor({ methods, workedAs, withinYears }: TargetItem, row: CountedRow, today: string): boolean {
  const isRecent = withinYears === null || row.from >= yearsBefore(today, withinYears);
  const isOfLevel = workedAs === null || row.level === workedAs;
  return row.method !== null && methods.includes(row.method) && isOfLevel && isRecent;
}
