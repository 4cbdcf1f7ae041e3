import { createHash, createHmac } from "node:crypto";
import { flagsOf, valuesOf } from "#app/records/kind.ts";
import { kindNamed } from "#app/records/kinds.ts";
import type { PrintedRecord, Snapshot } from "./snapshot.ts";

/**
 * The hash of the records of a form: SHA-256, in base64url, of their canonical JSON. That is an array with one array for
 * each record, in the order of the form, without white space: the kind, the fields of the kind in its order (`valuesOf`) that
 * the record has, the supervisor, how the verification came, the domain of the mailbox or null, the names of the flags that are set, and what
 * else is noted. docs/proof.md says it for auditors.
 *
 *     [["entry","2026-11-20","Mongstad","MT",7.5,"Ola Hansen","mailbox","example.org"]]
 */
export function rowsHash(kind: string, records: readonly PrintedRecord[]): string {
  const rows = records.map((record) => [
    ...[...fieldsOf(kind, record), record.domain],
    ...[...setFlagsOf(kind, record), ...notesOf(record)],
  ]);
  return createHash("sha256").update(JSON.stringify(rows)).digest("base64url");
}

/**
 * The seal of an export: an HMAC by its code, in hexadecimal, of all that it prints. The database has only the code's hash,
 * so nobody who changes an export there can make its seal. Domains are left out, because they can be erased.
 */
export function sealOf(code: string, { kind, madeAt, madeOn, name, employeeNumber, records }: Snapshot): string {
  const rows = records.map((record) => [
    ...[record.recordId, ...fieldsOf(kind, record)],
    ...[...setFlagsOf(kind, record), ...notesOf(record)],
  ]);
  const subject = JSON.stringify([kind, madeAt.getTime(), madeOn, name, employeeNumber, rows]);
  return createHmac("sha256", code).update(subject).digest("hex");
}

function fieldsOf(kind: string, { content, supervisor, via }: PrintedRecord) {
  return [kind, ...valuesOf(kindNamed(kind)).flatMap((field) => content[field] ?? []), supervisor, via];
}

function setFlagsOf(kind: string, { content }: PrintedRecord): string[] {
  return flagsOf(kindNamed(kind)).filter((flag) => content[flag] === true);
}

/** What is noted, as lists after the flags, which are texts. A note that is added later changes no hash of before. */
function notesOf({ verifiedFor, dayHundredths, confirmedOn }: PrintedRecord) {
  return [
    ...(verifiedFor ? [["verifiedFor", verifiedFor.name, verifiedFor.employeeNumber]] : []),
    ...(dayHundredths ? [["dayHours", dayHundredths / 100]] : []),
    ...(confirmedOn ? [["confirmed", confirmedOn]] : []),
  ];
}
