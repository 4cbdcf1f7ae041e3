import { sql } from "drizzle-orm";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import { entries } from "#app/records/entry/entry.table.ts";
import { sumOfHours } from "#app/records/queries.server.ts";
import { targetQueries, targetsFromRows } from "./target-queries.server.ts";
import { type Target, type TargetItem, targetItems, targets } from "./targets.table.ts";

const isOjtHours = ({ unit, kind }: Pick<TargetItem, "unit" | "kind">) => unit === "hours" && kind === "entry";

/**
 * The queries of what is still to do for a technician's newest target that asks for OJT hours. Without such a target they
 * read no records. Read the answers with `targetHoursFromRows`.
 */
export function targetHoursQueries(db: Db, owner: Owner, today: string) {
  const newest = sql`(SELECT max(target_id) FROM ${targetItems} WHERE unit = 'hours' AND record_kind = 'entry'
    AND target_id IN (SELECT id FROM ${targets} WHERE user_id = ${owner}))`;
  const ofNewest = (column: "user_id" | "since") =>
    sql`(SELECT ${sql.raw(column)} FROM ${targets} WHERE id = ${newest})`;
  return {
    ...targetQueries(db, owner),
    counted: db
      .select({ method: entries.method, hundredths: sumOfHours(entries.hours).as("hundredths") })
      .from(entries)
      .where(
        // NULL, which owns no rows, without a target: a condition beside the user would not keep SQLite from reading.
        sql`user_id = ${ofNewest("user_id")} AND verified = 1
          AND date >= coalesce(${ofNewest("since")}, '') AND date <= ${today}`,
      )
      .groupBy(entries.method),
  };
}

/** What is still to do for a target, in hundredths of an hour: the sum of what its items of OJT hours still need. */
export interface TargetHours {
  title: Target["title"];
  remaining: number;
}

/** The newest target that asks for OJT hours, from the rows of `targetHoursQueries`; null without one. */
export function targetHoursFromRows(answers: Rows<ReturnType<typeof targetHoursQueries>>): TargetHours | null {
  const target = targetsFromRows(answers).find(({ items }) => items.some(isOjtHours));
  if (!target) return null;
  const countedFor = ({ methods }: TargetItem) =>
    answers.counted.reduce((sum, { method, hundredths }) => sum + (methods.includes(method) ? hundredths : 0), 0);
  const remaining = target.items
    .filter(isOjtHours)
    .reduce((sum, item) => sum + Math.max(0, item.required - countedFor(item)), 0);
  return { title: target.title, remaining };
}
