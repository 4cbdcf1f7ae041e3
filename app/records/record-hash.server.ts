import { createHash } from "node:crypto";
import type { AnyRecord, Kind } from "./kind.ts";

/** The parts of a record that are hashed: its id, and its kind's `content` fields and `marks`. */
type Content = { id: number } & { [field: string]: AnyRecord[string] };

/**
 * The hash of a record's content: SHA-256, in hexadecimal, of a JSON array of the kind, the id, the content in the kind's
 * order and the names of the marks that are set. Editing the record changes it; verifying does not.
 */
export function recordHash(kind: Kind, record: Content): string {
  const marks = kind.marks.filter((mark) => record[mark] === true);
  return sha256([kind.name, record.id, ...kind.content.map((field) => record[field] ?? null), ...marks]);
}

/**
 * The hash of what a supervisor sees: the record and its owner's name and number. It is sent with the confirmation, so
 * that nobody confirms a record that has changed since.
 */
export function shownHash(
  kind: Kind,
  record: Content,
  owner: { name: string | null; employeeNumber: string | null },
): string {
  return sha256([recordHash(kind, record), owner.name, owner.employeeNumber]);
}

export function sha256(list: AnyRecord[string][]): string {
  return createHash("sha256").update(JSON.stringify(list)).digest("hex");
}
