import { and, asc, desc, eq, sql } from "drizzle-orm";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { type RopeHoursRow, ropeHours } from "#app/db/schema.ts";
import { searchText } from "#app/db/search-text.ts";
import { isDeletedSending, SubmissionDeletedError, submissionOf } from "#app/db/submission.server.ts";
import type { Cursor } from "#app/records/cursor.ts";
import type { NewRopeHours } from "./rope-hours.schema.ts";

/** A period of rope-access work as its owner sees it: these fields, and never the token of its link. */
export type RopeHours = Pick<
  RopeHoursRow,
  | "id"
  | "userId"
  | "startDate"
  | "endDate"
  | "location"
  | "skills"
  | "hours"
  | "verified"
  | "verifiedBy"
  | "verifiedAt"
  | "createdAt"
>;

/** The columns of `RopeHours`. */
export const ropeHoursColumns = {
  id: ropeHours.id,
  userId: ropeHours.userId,
  startDate: ropeHours.startDate,
  endDate: ropeHours.endDate,
  location: ropeHours.location,
  skills: ropeHours.skills,
  hours: ropeHours.hours,
  verified: ropeHours.verified,
  verifiedBy: ropeHours.verifiedBy,
  verifiedAt: ropeHours.verifiedAt,
  createdAt: ropeHours.createdAt,
};

/** Somebody's rope hours, newest first: by start date, then by id. */
export function listRopeHours(
  db: Db,
  owner: Owner,
  { before, limit }: { before?: Cursor | null; limit?: number } = {},
) {
  const older = before ? sql`(${ropeHours.startDate}, ${ropeHours.id}) < (${before.date}, ${before.id})` : undefined;
  return db
    .select(ropeHoursColumns)
    .from(ropeHours)
    .where(and(eq(ropeHours.userId, owner), older))
    .orderBy(desc(ropeHours.startDate), desc(ropeHours.id))
    .limit(limit ?? -1);
}

/** One of somebody's records, with the token of its link. */
export function findRopeHours(db: Db, owner: Owner, id: number) {
  return db
    .select({ ...ropeHoursColumns, verificationToken: ropeHours.verificationToken })
    .from(ropeHours)
    .where(and(eq(ropeHours.userId, owner), eq(ropeHours.id, id)));
}

/** What an admin's search looks through, of rope hours that nobody has verified yet. */
export function ropeHoursSearch({ location, skills }: NewRopeHours): string {
  return searchText(location, skills);
}

/** The sum of somebody's verified rope hours (spec section 9), in hundredths, which SQLite adds exactly. */
export function totalVerifiedRopeHours(db: Db, owner: Owner) {
  return db
    .select({ hundredths: sql<number>`coalesce(sum(CAST(round(${ropeHours.hours} * 100) AS INTEGER)), 0)`.as("total") })
    .from(ropeHours)
    .where(and(eq(ropeHours.userId, owner), eq(ropeHours.verified, true)));
}

/**
 * Saves rope hours, in one round trip. `key` names the sending: the same key with the same content, sent again, finds
 * what the first sending saved (product "Settled").
 * @throws {SubmissionDeletedError} where the technician has deleted that meanwhile, and can still take it back
 */
export async function addRopeHours(
  db: Db,
  userId: number,
  record: NewRopeHours,
  key: string | null,
  now: Date,
): Promise<RopeHours> {
  const submission = submissionOf(key, record);
  const { startDate, endDate, location, skills, hours } = record;
  const ofThisSending = and(eq(ropeHours.userId, userId), eq(ropeHours.submission, submission ?? ""));
  const { inserted, stored } = await batch(db, {
    inserted: db
      .insert(ropeHours)
      .select(
        sql`SELECT NULL, ${userId}, ${startDate}, ${endDate}, ${location}, ${skills}, ${hours}, 0, NULL, NULL, NULL,
          ${ropeHoursSearch(record)}, ${submission}, ${now.getTime()}
          WHERE NOT EXISTS (SELECT 1 FROM ${ropeHours} WHERE ${ofThisSending})
          AND NOT ${isDeletedSending(userId, "rope_hour", submission)}`,
      )
      .returning(ropeHoursColumns),
    stored: db.select(ropeHoursColumns).from(ropeHours).where(ofThisSending).orderBy(asc(ropeHours.id)),
  });
  const saved = inserted[0] ?? stored[0];
  if (!saved) throw new SubmissionDeletedError();
  return saved;
}
