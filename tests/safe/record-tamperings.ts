import { pick } from "#demo/random.ts";
import type { Tampering } from "./tampering.ts";

/** Alters one column of a verified record. */
function ofRecord(name: string, set: (table: string) => string): Tampering {
  return {
    name: `${name} of a verified record`,
    foundBy: "check",
    statements: ({ verified }, next) => {
      const { table, id } = pick(next, verified);
      return [`UPDATE ${table} SET ${set(table)} WHERE id = ${id}`];
    },
  };
}

/** What changes a record and leaves its log. */
export const RECORD_TAMPERINGS: Tampering[] = [
  ofRecord("the hours", () => "hours = hours + 0.25"),
  ofRecord("the place", () => "location = location || ' '"),
  ofRecord("the date", (table) =>
    table === "entries" ? "date = date(date, '-1 day')" : "start_date = date(start_date, '-1 day')",
  ),
  ofRecord("the work", (table) => (table === "entries" ? "method = iif(method = 'MT', 'PT', 'MT')" : "skills = 'X'")),
  ofRecord("the verifier", () => "verified_by = verified_by || 'a'"),
  ofRecord("the time of verification", () => "verified_at = verified_at + 1"),
  ofRecord("the way of verification", () => "verified_via = iif(verified_via = 'link', 'mailbox', 'link')"),
  ofRecord("the whole verification", () => "verified = 0, verified_by = NULL, verified_at = NULL, verified_via = NULL"),
  ofRecord("the id", () => "id = id + 100000"),
  {
    name: "a record that is not verified is marked as verified",
    foundBy: "check",
    statements: ({ unverified }, next) => {
      const { table, id } = pick(next, unverified);
      const how = `verified_by = 'Ola', verified_at = ${1.9e12}, verified_via = 'mailbox', requested_at = NULL, declined_at = NULL`;
      return [`UPDATE ${table} SET verified = 1, ${how} WHERE id = ${id}`];
    },
  },
];
