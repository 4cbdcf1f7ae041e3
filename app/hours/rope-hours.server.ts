import { type RopeHoursRow, ropeHours } from "#app/db/schema.ts";

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
