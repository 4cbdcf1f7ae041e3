import { hashCode } from "#app/proof/export-code.server.ts";
import { pick } from "#demo/random.ts";
import { type ExportTampering, inDatabase, type Place } from "./export-tampering.ts";
import type { ExportedForm } from "./export-world.ts";

/** Alters a verified record. */
const ofRecord = (name: string, set: (place: Place) => string) =>
  inDatabase(`${name} of a record`, (place) => [`UPDATE records SET ${set(place)} WHERE id = ${place.record.id}`]);

/** Alters an export. */
const ofExport = (name: string, set: (place: Place) => string) =>
  inDatabase(`${name} of an export`, (place) => [`UPDATE exports SET ${set(place)} WHERE id = ${place.form.id}`]);

/** Alters a record of an export. */
const ofPrinted = (name: string, set: (place: Place) => string | null) =>
  inDatabase(`${name} of a printed record`, (place) => {
    const change = set(place);
    return change ? [`UPDATE export_records SET ${change} WHERE ${printedIs(place)}`] : [];
  });

const printedIs = ({ form, record }: Place) => `export_id = ${form.id} AND position = ${record.position}`;

/** The printed content of a record, in a change of it: the record has no copy yet. */
export const PRINTED = `(SELECT content FROM printed_records AS printed
  WHERE printed.export_id = export_records.export_id AND printed.record_id = export_records.record_id)`;

/** Alters a field of a printed record. */
const content = (field: string, value: string) => `content = json_set(${PRINTED}, '$.${field}', ${value})`;

const isOfEntries = ({ form }: Place) => form.form === "ojt";

const otherDigit = (column: string) =>
  `${column} = iif(substr(${column}, 1, 1) = '0', '1', '0') || substr(${column}, 2)`;

/** The ways to alter the record, its log, the export and its list, each alone. */
export const STORED_EXPORT_TAMPERINGS: ExportTampering[] = [
  ofRecord("the hours", () => "hours = hours + 25"),
  ofRecord("the place", () => "location = location || ' '"),
  ofRecord("the date", () => "date = date(date, '-1 day')"),
  ofRecord("the work", (place) =>
    isOfEntries(place) ? "method = iif(method = 'RT', 'PT', 'RT')" : "fields = json_set(fields, '$.skills', 'X')",
  ),
  ofRecord("the verifier", () => "verified_by = verified_by || 'a'"),
  ofRecord("the time of verification", () => "verified_at = verified_at + 1"),
  ofRecord("the way of verification", () => "verified_via = iif(verified_via = 'link', 'mailbox', 'link')"),
  ofRecord("the whole verification", () => "verified = 0, verified_by = NULL, verified_at = NULL, verified_via = NULL"),
  ofRecord(
    "the owner",
    ({ form, world }) => `user_id = ${world.forms.find(({ userId }) => userId !== form.userId)?.userId}`,
  ),
  inDatabase("a record is removed", ({ record }) => [`DELETE FROM records WHERE id = ${record.id}`]),
  inDatabase("an event is removed", ({ record, next }) => [
    `DELETE FROM verification_log WHERE id = ${pick(next, record.events).id}`,
  ]),
  inDatabase("the events of a record are removed", ({ record }) => [
    `DELETE FROM verification_log WHERE record_id = ${record.id}`,
  ]),
  inDatabase("the events of the oldest record of the log are removed", ({ record, world }) =>
    record.events[0]?.id === Math.min(...world.log.events.map(({ id }) => id))
      ? [`DELETE FROM verification_log WHERE record_id = ${record.id}`]
      : [],
  ),
  inDatabase("the time of an event", ({ record, next }) => [
    `UPDATE verification_log SET at = at + 1 WHERE id = ${pick(next, record.events).id}`,
  ]),
  inDatabase("the hash of an event", ({ record, next }) => [
    `UPDATE verification_log SET hash = unhex(hex(substr(hash, 1, 31)) || iif(hex(hash) LIKE '%00', '01', '00')) WHERE id = ${pick(next, record.events).id}`,
  ]),
  inDatabase("the name in the facts of an event", ({ record, next }) => [
    `UPDATE event_facts SET facts = json_set(facts, '$.name', 'X')
      WHERE hash = unhex('${pick(next, record.events).supervisorHash}')`,
  ]),
  ofExport("the name", () => "name = name || 's'"),
  ofExport("the employee number", () => "employee_number = coalesce(employee_number, '') || '7'"),
  ofExport("the day", () => "made_on = date(made_on, '+1 day')"),
  ofExport("the moment", () => "made_at = made_at + 1"),
  ofExport("the form", () => "form = iif(form = 'ojt', 'detailed-log', 'ojt')"),
  ofExport(
    "the owner",
    ({ form, world }) => `user_id = ${world.forms.find(({ userId }) => userId !== form.userId)?.userId}`,
  ),
  ofExport("the seal", () => otherDigit("seal")),
  ofExport("the hash of the code", () => otherDigit("code_hash")),
  inDatabase("two exports exchange their codes", ({ form, other }) => {
    const set = (hash: string, { id }: ExportedForm) => `UPDATE exports SET code_hash = '${hash}' WHERE id = ${id}`;
    return [
      set("0".repeat(64), form), // no two have the same
      set(hashCode(form.paper.code), other),
      set(hashCode(other.paper.code), form),
    ];
  }),
  ofPrinted("the hours", () => content("hours", `${PRINTED} ->> 'hours' + 100`)),
  ofPrinted("the place", () => content("location", "'Valhall'")),
  ofPrinted("the date", (place) => content("date", `'2026-10-0${isOfEntries(place) ? 1 : 2}'`)),
  ofPrinted("the work", (place) => (isOfEntries(place) ? content("method", "'LSI'") : content("fields.skills", "'X'"))),
  ofPrinted("the supervisor", () => content("supervisor", `${PRINTED} ->> 'supervisor' || 'a'`)),
  ofPrinted(
    "the way of verification",
    ({ row }) => `${content("via", row.domain ? "'link'" : "'mailbox'")}, domain = NULL`,
  ),
  ofPrinted("the time of verification, within its day", () => {
    const at = `(${PRINTED} ->> 'verifiedAt')`;
    return content("verifiedAt", `${at} / 86400000 * 86400000 + (${at} + 1) % 86400000`);
  }),
  ofPrinted("the domain", ({ row }) => (row.domain ? "domain = NULL" : null)),
  inDatabase("the domains of an export", ({ form, row }) =>
    row.domain ? [`UPDATE exports SET domains = replace(domains, '["', '["mail.') WHERE id = ${form.id}`] : [],
  ),
  inDatabase("the domain of a request", ({ form, row }) =>
    row.domain
      ? [`UPDATE verification_requests SET supervisor_email = 'ola@example.net' WHERE user_id = ${form.userId}`]
      : [],
  ),
  ofPrinted("whom it was verified for", () => `verified_for = '{"name":"X","employeeNumber":null}'`),
  ofPrinted("the hours of its day", () => "day_hundredths = coalesce(day_hundredths, 2400) + 1"),
  ofPrinted("the continuity of a certificate", () => "continuity = coalesce(continuity, '') || 'X'"),
  ofPrinted(
    "the record",
    ({ world }) => `record_id = ${Math.max(...world.log.events.map(({ recordId }) => recordId)) + 1}`,
  ),
  inDatabase("a printed record is removed", (place) => [`DELETE FROM export_records WHERE ${printedIs(place)}`]),
  inDatabase("a printed record is repeated", (place) => [
    `INSERT INTO export_records SELECT export_id, 1000, 1000, domain, verified_for, day_hundredths, continuity, ${PRINTED}
      FROM export_records WHERE ${printedIs(place)}`,
  ]),
];
