import { createHash, createHmac } from "node:crypto";
import { kindNamed } from "#app/records/all-kinds.ts";
import { STATEMENT_NAMES, STATEMENTS, type Stated, utcDay } from "#app/records/evidence.ts";
import { flagsOf, valuesOf } from "#app/records/kind.ts";
import type { PrintedRecord, Snapshot } from "./snapshot.ts";

/**
 * The hash of the records of a form: SHA-256, in base64url, of their canonical JSON. That is an array with one array for
 * each record, in the order of the form, without white space: the type, the fields that its kind requires in their order
 * (`valuesOf`), the optional ones that the record has with their names, the supervisor, how the verification came, the domain of the mailbox or null,
 * the names of the flags that are set, and what else is noted. docs/proof.md says it for auditors.
 *
 *     [["entry","2026-11-20","Mongstad","MT",7.5,"Ola Hansen","mailbox","example.org"]]
 */
export function rowsHash(records: readonly PrintedRecord[]): string {
  const rows = records.map((record) => [
    ...[...fieldsOf(record), record.domain],
    ...[...setFlagsOf(record), ...notesOf(record), ...supervisorNotesOf(record)],
  ]);
  return createHash("sha256").update(JSON.stringify(rows)).digest("base64url");
}

/**
 * The seal of an export: an HMAC by its code, in hexadecimal, of all that it prints. The database has only the code's
 * hash, so an attacker who changes an export there cannot make its seal. The facts that can be erased with a supervisor
 * are left out.
 */
export function sealOf(code: string, snapshot: Snapshot): string {
  const { form, madeAt, madeOn, chosen, leftOut, name, employeeNumber, records } = snapshot;
  const rows = records.map((record) => [
    ...[record.recordId, ...fieldsOf(record)],
    ...[...setFlagsOf(record), ...notesOf(record)],
  ]);
  const part = chosen ? [[chosen.from, chosen.to, chosen.isOfOneSupervisor, chosen.supervisor]] : [];
  const others = leftOut ? [["leftOut", leftOut.records, leftOut.hundredths]] : [];
  const subject = JSON.stringify([form, madeAt.getTime(), madeOn, name, employeeNumber, rows, ...part, ...others]);
  return createHmac("sha256", code).update(subject).digest("hex");
}

function fieldsOf({ type, content, supervisor, via }: PrintedRecord) {
  const kind = kindNamed(type);
  const optional = kind.fields.filter(({ isOptional }) => isOptional).map(({ name }) => name);
  const required = valuesOf(kind).filter((field) => !optional.includes(field));
  return [
    ...[type, ...required.flatMap((field) => content[field] ?? [])],
    ...optional.flatMap((field) => (content[field] === undefined ? [] : [[field, content[field]]])),
    ...[supervisor, via],
  ];
}

function setFlagsOf({ type, content }: PrintedRecord): string[] {
  return flagsOf(kindNamed(type)).filter((flag) => content[flag] === true);
}

/** Returns the notes as lists after the flags, which are texts. A new sort of note changes no earlier hash. */
function notesOf({
  verifiedFor,
  dayHundredths,
  continuity,
  confirmedOn,
  createdAt,
  verifiedAt,
  details,
}: PrintedRecord) {
  return [
    ...(verifiedFor ? [["verifiedFor", verifiedFor.name, verifiedFor.employeeNumber]] : []),
    ...(dayHundredths ? [["dayHours", dayHundredths / 100]] : []),
    ...(continuity ? [["continuity", continuity]] : []),
    ...(confirmedOn ? [["confirmed", confirmedOn]] : []),
    ...(createdAt ? [["logged", utcDay(createdAt)]] : []),
    ...(verifiedAt ? [["verified", utcDay(verifiedAt)]] : []),
    ...(details && Object.keys(details).length > 0 ? [["details", details]] : []),
  ];
}

/** Returns the supervisor's statement about themself, and the requested address, which can be erased. */
function supervisorNotesOf({ certification, asked, ...record }: PrintedRecord) {
  const { scheme, methods, level, number, validUntil }: Stated = certification ?? {};
  return [
    ...(certification ? [["certification", scheme ?? null, level ?? null, number ?? null]] : []),
    ...(methods ? [["methods", ...methods]] : []),
    ...(validUntil ? [["validUntil", validUntil]] : []),
    ...STATEMENT_NAMES.flatMap((name) => (record[name] ? [[STATEMENTS[name].hashed, record[name]]] : [])),
    ...(asked === undefined ? [] : [["asked", asked]]),
  ];
}
