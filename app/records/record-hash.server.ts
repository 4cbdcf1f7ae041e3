import { createHash } from "node:crypto";
import type { Details } from "./details.ts";
import { toHundredths } from "./hours.ts";
import type { AnyRecord, Kind } from "./kind.ts";

/** The parts of a record that are hashed: its id, the random value of its owner, when it was logged, and its kind's fields. */
type Hashed = { id: number; owner: string; createdAt: Date } & { [field: string]: AnyRecord[string] | undefined };

/**
 * The hash of a record's content: SHA-256, in hexadecimal, of its canonical object (docs/proof.md). Editing the record
 * changes it, and so does giving it to another owner; verifying does not.
 */
export function recordHash(kind: Kind, record: Hashed): string {
  return createHash("sha256").update(canonical(kind, record)).digest("hex");
}

/**
 * The canonical object of a record, as JSON without white space and with sorted keys: `v` (1), `kind`, `id`, `owner`,
 * `createdAt` (in milliseconds since 1970), and the fields that are present, which are those that are not null, false or empty; `details` is an object in it. So a field that is added to a kind later
 * changes no hash of before. Text is in Unicode's form NFC, hours and marks are in hundredths.
 */
function canonical(kind: Kind, record: Hashed): string {
  const { id, owner } = record;
  const object: Record<string, unknown> = { v: 1, kind: kind.name, id, owner, createdAt: record.createdAt.getTime() };
  for (const { name, type, isLater } of kind.fields) {
    if (isLater) continue;
    const value = record[name];
    if (value === undefined || value === null || value === false || value === "") continue;
    if (type === "details") {
      const details = sorted(value as Details); // by its type
      if (details.length > 0)
        object[name] = Object.fromEntries(details.map(([name, text]) => [name, text.normalize()]));
    } else if (type === "hours" || type === "score") object[name] = toHundredths(Number(value));
    else object[name] = typeof value === "string" ? value.normalize() : value;
  }
  return JSON.stringify(Object.fromEntries(sorted(object)));
}

/** The properties of an object, sorted by name. */
function sorted<Value>(object: { readonly [name: string]: Value }): [string, Value][] {
  return Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * Returns the hash of the facts that a supervisor sees: the record and its owner's name and number. The confirmation
 * sends it back, so that a record that has changed since cannot be confirmed.
 */
export function shownHash(
  kind: Kind,
  record: Hashed,
  owner: { name: string | null; employeeNumber: string | null },
): string {
  return sha256([recordHash(kind, record), owner.name, owner.employeeNumber]);
}

/** SHA-256, in hexadecimal, of a list as JSON. */
export function sha256(list: (string | number | boolean | null)[]): string {
  return createHash("sha256").update(JSON.stringify(list)).digest("hex");
}
