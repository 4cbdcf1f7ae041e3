import { sql } from "drizzle-orm";
import { DAY_MS } from "#app/calendar-date.ts";
import type { Db } from "#app/db/client.server.ts";
import { mailChanges } from "#app/db/schema.ts";
import { hmac } from "#app/server/secrets.server.ts";
import { VERSION } from "#app/server/version.ts";

/*
 * The effect of the last new version, new SESSION_SECRET and restore from a backup on the emails that waited, for the tab
 * System. The timer sees the first two, the executable the third.
 */

/** How long a change is shown, in milliseconds: as long as an email is kept that failed. */
const SHOWN_MS = 30 * DAY_MS;

/** Notes a new version or secret, with how many emails wait. At the first start nothing has changed. */
export async function noteChanges(db: Db, now: Date, secret: string): Promise<void> {
  const at = now.getTime();
  await db.run(sql`INSERT INTO ${mailChanges} (kind, value, at, ended)
    VALUES ('version', ${VERSION}, ${at}, 0), ('secret', ${hmac(secret, "mail changes").slice(0, 12)}, ${at}, 0)
    ON CONFLICT (kind) DO UPDATE SET value = excluded.value, at = excluded.at,
      waiting = (SELECT count(*) FROM outbox WHERE due_at IS NOT NULL) WHERE value <> excluded.value`);
}

/** Notes a restore by its code, while emails are held: those up to `lastId` waited in the backup. */
export async function noteRestore(db: Db, now: Date, code: string, lastId: number): Promise<void> {
  await db.run(sql`INSERT OR REPLACE INTO ${mailChanges} (kind, value, at, waiting)
    SELECT 'restore', ${code}, ${now.getTime()}, count(*) FROM outbox WHERE due_at IS NOT NULL AND id <= ${lastId}`);
}

/** Notes that emails are no longer held after a restore, and how many of those that waited in the backup ended unsent. */
export async function noteRelease(db: Db, ended: number): Promise<void> {
  await db.run(sql`UPDATE ${mailChanges} SET ended = ${ended} WHERE kind = 'restore'`);
}

/** The query for what changed within 30 days, the last change first. `ended` is null while emails are held. */
export function recentChanges(db: Db, now: Date) {
  return db
    .select({
      kind: mailChanges.kind,
      at: mailChanges.at,
      waiting: sql<number>`waiting`.as("waiting"),
      ended: mailChanges.ended,
    })
    .from(mailChanges)
    .where(sql`waiting IS NOT NULL AND at > ${now.getTime() - SHOWN_MS}`)
    .orderBy(sql`at DESC`);
}
