import { and, type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { submissionOf } from "#app/db/submission.server.ts";
import { isOwn, SUM_OF_HOURS } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { saveRecords, type Twin } from "#app/records/save.server.ts";
import { ropeHoursKind } from "./rope-hours.kind.ts";
import type { NewRopeHours, RopeHours } from "./rope-hours.schema.ts";

/** The sum of verified rope hours (spec section 9) in hundredths, which SQLite adds exactly. */
export function totalVerifiedRopeHours(db: Db, owner: Owner, where?: SQL) {
  return db
    .select({ hundredths: SUM_OF_HOURS.as("total") })
    .from(records)
    .where(and(isOwn(owner, ropeHoursKind), sql`verified = 1`, where));
}

/**
 * Saves all rope hours or none, in one round trip. `key` identifies the submission (product "Settled").
 * @throws {SubmissionDeletedError} as `saveRecords`
 */
export async function addRopeHours(
  db: Db,
  userId: number,
  record: NewRopeHours,
  key: string | null,
  now: Date,
): Promise<{ ropeHours: RopeHours; twins: Twin[] }> {
  const submission = submissionOf(key, record);
  const { saved, twins } = await saveRecords(db, userId, ropeHoursKind, [record], { submission, now }, {});
  const [ropeHours] = saved;
  if (!ropeHours) throw new Error("the rope hours were not saved");
  return { ropeHours, twins };
}
