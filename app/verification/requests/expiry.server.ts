import { sql } from "drizzle-orm";
import { batch, type Db } from "#app/db/client.server.ts";
import { commit, retryOnConflict } from "#app/db/commit.server.ts";
import { forEachItem } from "#app/server/logger.server.ts";
import { itemsFromRows, requestQueries } from "#app/verification/link.server.ts";
import { verificationRequests } from "#app/verification/requests.table.ts";
import { endWaiting } from "./end-request.server.ts";

/** How many requests one sweep ends; the next sweep ends the others. */
const AT_ONCE = 50;

/** Ends the requests whose time is over: their waiting items end, each with an event in the log of its record. */
export async function sweepExpired(db: Db, now: Date): Promise<void> {
  const expired = await db
    .select({ id: verificationRequests.id })
    .from(verificationRequests)
    .where(sql`ended_at IS NULL AND expires_at <= ${now.getTime()}`)
    .orderBy(verificationRequests.expiresAt)
    .limit(AT_ONCE);
  await forEachItem(expired, ({ id }) => retryOnConflict({ db }, "expire", () => expire(db, id, now)));
}

async function expire(db: Db, id: number, now: Date): Promise<true> {
  const rows = await batch(db, requestQueries(db, sql`id = ${id}`));
  const [request] = rows.request;
  if (!request || request.endedAt || request.expiresAt > now) return true; // it was answered or renewed meanwhile
  const waiting = itemsFromRows(rows, now).filter(({ state }) => state === "waiting");
  const { log, ended } = endWaiting({ db, now }, { requestId: id }, waiting, "expired");
  // Nothing waits in a request whose records were deleted.
  const end = db.update(verificationRequests).set({ endedAt: now }).where(sql`id = ${id} AND ended_at IS NULL`);
  await commit(db, rows.owner, { log, ended, end });
  return true;
}
