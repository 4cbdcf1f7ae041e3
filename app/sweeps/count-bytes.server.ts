import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { countStored } from "#app/db/stored-bytes.server.ts";
import { forEachItem } from "#app/server/logger.server.ts";

/** The hour of the night, in UTC, in which the rows of each account are counted. */
const HOUR = 2;

/**
 * Counts what accounts store, each once a night: in each minute of that hour a sixtieth of them. Acts only add to the figure
 * (app/db/stored-bytes.server.ts), so until then what was deleted still counts.
 */
export async function countBytes(db: Db, now: Date): Promise<void> {
  if (now.getUTCHours() !== HOUR) return;
  const minute = now.getUTCMinutes();
  const newest = sql`(SELECT max(id) FROM ${users})`;
  const accounts = await db
    .select({ id: users.id })
    .from(users)
    .where(sql`id > ${newest} * ${minute} / 60.0 AND id <= ${newest} * ${minute + 1} / 60.0`);
  await forEachItem(accounts, ({ id }) => countStored(db, id));
}
