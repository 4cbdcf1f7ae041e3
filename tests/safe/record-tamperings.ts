import { pick } from "#demo/random.ts";
import type { Tampering } from "./tampering.ts";

/** Alters one column of a verified record. */
function ofRecord(name: string, set: (kind: string) => string): Tampering {
  return {
    name: `${name} of a verified record`,
    foundBy: "check",
    statements: ({ verified }, next) => {
      const { kind, id } = pick(next, verified);
      return [`UPDATE records SET ${set(kind.name)} WHERE id = ${id}`];
    },
  };
}

/** The ways to change a record and leave its log. */
export const RECORD_TAMPERINGS: Tampering[] = [
  ofRecord("the hours", () => "hours = hours + 25"),
  ofRecord("the place", () => "location = location || ' '"),
  ofRecord("the date", () => "date = date(date, '-1 day')"),
  ofRecord("the work", (kind) =>
    kind === "entry" ? "method = iif(method = 'MT', 'PT', 'MT')" : "fields = json_set(fields, '$.skills', 'X')",
  ),
  // The values, as JavaScript reads them, stay as they are.
  ofRecord("a second place for a field in the JSON", (kind) => {
    const [name, value] = kind === "entry" ? ["details", "{}"] : ["skills", '"X"'];
    return `fields = replace('{"${name}":${value},' || substr(fields, 2), ',}', '}')`;
  }),
  ofRecord("a name in the JSON that no field has", () => "fields = json_set(fields, '$.signedBy', 'X')"),
  ofRecord("the spelling of the JSON", () => "fields = replace(fields, '{', '{ ')"),
  ofRecord("the day on which it was logged", () => "created_at = created_at - 86400000"),
  // In some kinds they are fields, in others copies of fields, or nothing.
  ofRecord("the level", () => "level = iif(level IS 'Level I', 'Level II', 'Level I')"),
  ofRecord("the purpose or category", () => "subtype = iif(subtype IS 'training', 'work', 'training')"),
  ofRecord("the standard", () => "standard = coalesce(standard, '') || 'x'"),
  ofRecord("the part of an examination", () => "part = coalesce(part, '') || 'x'"),
  ofRecord("the mark", () => "score = coalesce(score, 0) + 1"),
  ofRecord("the last day", () => "end_date = date(coalesce(end_date, date), '+1 day')"),
  ofRecord("the owner", () => "user_id = (SELECT id FROM users WHERE id <> user_id)"),
  ofRecord("the verifier", () => "verified_by = verified_by || 'a'"),
  ofRecord("the time of verification", () => "verified_at = verified_at + 1"),
  ofRecord("the way of verification", () => "verified_via = iif(verified_via = 'link', 'mailbox', 'link')"),
  ofRecord("a confirmation", () => "verified_via = 'link', confirmed_at = verified_at + 1"),
  ofRecord("the whole verification", () => "verified = 0, verified_by = NULL, verified_at = NULL, verified_via = NULL"),
  {
    name: "the address of a request that was answered through its mailbox",
    foundBy: "check",
    statements: ({ verified }, next) => {
      const byMailbox = verified.filter(({ record }) => record.verifiedVia === "mailbox");
      return [
        `UPDATE verification_requests SET supervisor_email = 'x' || supervisor_email
          WHERE id = (SELECT request_id FROM verification_items WHERE record_id = ${pick(next, byMailbox).id} AND state = 'verified')`,
      ];
    },
  },
  {
    name: "the answer by which a record was verified is deleted",
    foundBy: "check",
    statements: ({ verified }, next) => {
      const answer = `(SELECT answer_id FROM verification_items WHERE record_id = ${pick(next, verified).id}
        AND state = 'verified')`;
      return [`DELETE FROM verification_answers WHERE id = ${answer}`];
    },
  },
  {
    name: "the id of a verified record",
    foundBy: "check",
    statements: ({ verified }, next) => {
      const { id } = pick(next, verified);
      return [
        "PRAGMA defer_foreign_keys = ON",
        `UPDATE records SET id = id + 100000 WHERE id = ${id}`,
        `UPDATE verification_items SET record_id = record_id + 100000 WHERE record_id = ${id}`,
      ];
    },
  },
  {
    name: "a verified record is invented",
    foundBy: "check",
    statements: ({ otherUser }, next) => [
      `INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at, verified, verified_by, verified_at,
          verified_via)
        VALUES (${otherUser}, 'entry', '2020-01-01', 'X', 'MT', ${100 + Math.floor(next() * 2000)}, '', 0, 1, 'X', 1, 'link')`,
    ],
  },
  {
    name: "a verified record is moved to another account with its facts",
    foundBy: "check",
    statements: ({ verified, otherUser }, next) => {
      const { id } = pick(next, verified);
      return [
        `UPDATE records SET user_id = ${otherUser} WHERE id = ${id}`,
        `UPDATE verification_requests SET user_id = ${otherUser}
          WHERE id IN (SELECT request_id FROM verification_items WHERE record_id = ${id})`,
        `UPDATE event_facts SET user_id = ${otherUser}
          WHERE hash IN (SELECT technician_hash FROM verification_log WHERE record_id = ${id}
            UNION SELECT supervisor_hash FROM verification_log WHERE record_id = ${id})`,
      ];
    },
  },
  {
    name: "all records are moved to another account with their facts and the value that hashes have of the owner",
    foundBy: "check",
    statements: ({ otherUser }) => [
      ...["records", "verification_requests", "event_facts"].map(
        (table) => `UPDATE ${table} SET user_id = ${otherUser}`,
      ),
      `CREATE TABLE moved AS SELECT owner FROM users WHERE id <> ${otherUser}`,
      `UPDATE users SET owner = randomblob(16) WHERE id <> ${otherUser}`,
      `UPDATE users SET owner = (SELECT owner FROM moved) WHERE id = ${otherUser}`,
      "DROP TABLE moved",
    ],
  },
  {
    name: "a record that is not verified is marked as verified",
    foundBy: "check",
    statements: ({ unverified }, next) => {
      const { id } = pick(next, unverified);
      const how = `verified_by = 'Ola', verified_at = ${1.9e12}, verified_via = 'mailbox', requested_at = NULL, declined_at = NULL, deleted_at = NULL`;
      return [`UPDATE records SET verified = 1, ${how} WHERE id = ${id}`];
    },
  },
];
