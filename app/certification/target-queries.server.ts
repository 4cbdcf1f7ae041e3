import { asc, desc, getTableColumns, sql } from "drizzle-orm";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import { type Target, targetItems, targets } from "./targets.table.ts";

const { userId: _userId, submission: _submission, ...targetColumns } = getTableColumns(targets);

/**
 * The queries of a technician's targets, newest first; `where` restricts them and names the owner too. Read the answers
 * with `targetsFromRows`.
 */
export function targetQueries(db: Db, owner: Owner, where = sql`user_id = ${owner}`) {
  return {
    targets: db.select(targetColumns).from(targets).where(where).orderBy(desc(targets.id)),
    items: db
      .select()
      .from(targetItems)
      .where(sql`target_id IN (SELECT id FROM ${targets} WHERE ${where})`)
      .orderBy(asc(targetItems.targetId), asc(targetItems.position)),
  };
}

/** The targets with their items, from the rows of `targetQueries`. */
export function targetsFromRows({ targets, items }: Rows<ReturnType<typeof targetQueries>>): Target[] {
  return targets.map((target) => ({
    ...target,
    items: items
      .filter(({ targetId }) => targetId === target.id)
      .map(({ targetId: _targetId, position: _position, ...item }) => item),
  }));
}
