import { sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import type { Method } from "#app/db/enumerations.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { isOwn } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import { certificateKind } from "./certificate.kind.ts";

/** The queries for the months of verified work since the first certificate: in each method, and in rope access. */
export function workedMonths(db: Db, owner: Owner) {
  const since = sql`(SELECT min(date) FROM ${records} WHERE ${isOwn(owner, certificateKind)} AND subtype = 'certificate')`;
  const isVerified = sql`verified = 1 AND brought_forward = 0 AND date >= ${since}`;
  const month = sql`substr(date, 1, 7)`;
  const first = sql<string>`min(date)`.as("first_day");
  return {
    worked: db
      .select({ method: sql<Method>`method`.as("method_code"), first, last: sql<string>`max(date)`.as("last_day") })
      .from(records)
      .where(sql`${isOwn(owner, entryKind)} AND ${isVerified}`)
      .groupBy(sql`method, ${month}`),
    roped: db
      .select({ method: sql<null>`NULL`.as("method_code"), first, last: sql<string>`max(end_date)`.as("last_day") })
      .from(records)
      .where(sql`${isOwn(owner, ropeHoursKind)} AND ${isVerified}`)
      .groupBy(month),
  };
}
