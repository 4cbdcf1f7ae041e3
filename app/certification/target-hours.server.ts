import { sql } from "drizzle-orm";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { isOwn, SUM_OF_HOURS } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
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
    sql<number>`(SELECT ${sql.raw(column)} FROM ${targets} WHERE id = ${newest})`;
  return {
    ...targetQueries(db, owner),
    counted: db
      .select({ method: records.method, hundredths: SUM_OF_HOURS.as("hundredths") })
      .from(records)
      .where(
        // NULL, which owns no rows, without a target: a condition beside the user would not keep SQLite from reading.
        sql`${isOwn(ofNewest("user_id"), entryKind)} AND verified = 1
          AND date >= coalesce(${ofNewest("since")}, '') AND date <= ${today}`,
      )
      .groupBy(records.method),
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
    answers.counted.reduce(
      (sum, { method, hundredths }) => sum + (method && methods.includes(method) ? hundredths : 0),
      0,
    );
  const remaining = target.items
    .filter(isOjtHours)
    .reduce((sum, item) => sum + Math.max(0, item.required - countedFor(item)), 0);
  return { title: target.title, remaining };
}
