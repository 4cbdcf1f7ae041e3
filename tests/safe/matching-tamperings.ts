import { sealOf } from "#app/proof/rows-hash.server.ts";
import type { ExportTampering, FoundBy, Place } from "./export-tampering.ts";
import { movedDay, sumUp } from "./export-tampering.ts";
import { rewrittenChain } from "./rewritten-chain.ts";
import { PRINTED } from "./stored-export-tamperings.ts";

/** Alters the paper and the database alike. `change` alters the paper, and returns the statements. */
function alike(name: string, foundBy: FoundBy[], change: (place: Place) => string[]): ExportTampering {
  return {
    name: `on paper and in the database: ${name}`,
    foundBy,
    alter: (place) => {
      const statements = change(place);
      return { paper: place.form.paper, statements };
    },
  };
}

const ADDED = 0.25;

/** Adds hours to a record on paper, and in the log with its chain, from which the export is printed; not to its seal. */
function moreHours({ form, record, row, world }: Place): string[] {
  row.hundredths += ADDED * 100;
  sumUp(form.paper);
  return rewrittenChain(world.log, record.verified);
}

/** The statement that stores the seal of the altered export, which anyone who has the code can make. */
function resealed({ form: { id, paper, snapshot }, record }: Place): string {
  const records = snapshot.records.map((printed, index) =>
    index === record.position - 1
      ? { ...printed, content: { ...printed.content, hours: Number(printed.content.hours) + ADDED } }
      : printed,
  );
  return `UPDATE exports SET seal = '${sealOf(paper.code, { ...snapshot, records })}' WHERE id = ${id}`;
}

/** The ways in which the paper agrees with what the database was made to say. */
export const MATCHING_TAMPERINGS: ExportTampering[] = [
  alike("the name", ["check", "statement"], ({ form }) => {
    form.paper.name = "Per Hansen";
    return [`UPDATE exports SET name = 'Per Hansen' WHERE id = ${form.id}`];
  }),
  alike("the employee number", ["check", "statement"], ({ form }) => {
    form.paper.number = "NDT-1";
    return [`UPDATE exports SET employee_number = 'NDT-1' WHERE id = ${form.id}`];
  }),
  alike("the day", ["check", "statement"], ({ form, next }) => {
    form.paper.day = movedDay(form.paper.day, next);
    const madeAt = Date.parse(form.paper.day);
    return [`UPDATE exports SET made_on = '${form.paper.day}', made_at = ${madeAt} WHERE id = ${form.id}`];
  }),
  alike("the supervisor of a printed record", ["check"], ({ form, record, row }) => {
    row.supervisor = "Per Hansen";
    return [
      `UPDATE export_records SET content = json_set(${PRINTED}, '$.supervisor', 'Per Hansen')
        WHERE export_id = ${form.id} AND position = ${record.position}`,
    ];
  }),
  alike("the domain of the supervisors, of their requests and the export", ["check", "statement"], ({ form }) => {
    for (const row of form.paper.rows) if (row.domain) row.domain = "example.net";
    return [
      `UPDATE verification_requests SET supervisor_email = 'ola@example.net' WHERE user_id = ${form.userId}`,
      `UPDATE exports SET domains = '["example.net"]' WHERE id = ${form.id} AND domains <> '[]'`,
    ];
  }),
  alike("the hours of a record, its log and the export", ["check", "statement"], moreHours),
  alike("the hours of a record, its log, the export and its seal, by the code", ["statement"], (place) => [
    ...moreHours(place),
    resealed(place),
  ]),
];
