import { and, type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { isOwn, SUM_OF_HOURS } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { ropeHoursKind } from "./rope-hours.kind.ts";

/** The sum of verified rope hours (spec section 9) in hundredths, which SQLite adds exactly. */
export function totalVerifiedRopeHours(db: Db, owner: Owner, where?: SQL) {
  return db
    .select({ hundredths: SUM_OF_HOURS.as("total") })
    .from(records)
    .where(and(isOwn(owner, ropeHoursKind), sql`verified = 1`, where));
}
