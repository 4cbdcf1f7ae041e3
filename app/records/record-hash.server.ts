import { createHash } from "node:crypto";
import type { Entry } from "#app/records/entry/entries.server.ts";
import type { RopeHours } from "#app/records/rope-hours/rope-hours.server.ts";

/** The fields of a record that a supervisor stands behind; what a verification adds is not among them. */
type Content =
  | Pick<Entry, "id" | "date" | "location" | "method" | "hours">
  | Pick<RopeHours, "id" | "startDate" | "endDate" | "location" | "skills" | "hours">;

/**
 * The hash of what a record says: SHA-256, in hexadecimal, of its fields as a JSON array in a fixed order. The same
 * for a record before and after its verification, and another one as soon as a field is edited.
 */
export function recordHash(record: Content): string {
  return sha256(
    "date" in record
      ? ["entry", record.id, record.date, record.location, record.method, record.hours]
      : ["rope_hour", record.id, record.startDate, record.endDate, record.location, record.skills, record.hours],
  );
}

/**
 * The hash of what a supervisor is shown: the record, and whose it is. A confirmation carries it, so that nobody
 * confirms what they did not see.
 */
export function shownHash(record: Content, owner: { name: string | null; employeeNumber: string | null }): string {
  return sha256([recordHash(record), owner.name, owner.employeeNumber]);
}

/** SHA-256, in hexadecimal, of a list as JSON in UTF-8. */
export function sha256(list: (string | number | null)[]): string {
  return createHash("sha256").update(JSON.stringify(list)).digest("hex");
}
