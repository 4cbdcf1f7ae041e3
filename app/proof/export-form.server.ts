import { experienceForm, type FormEntry } from "#app/pdf/form.ts";
import type { OwnExport } from "./own-exports.server.ts";

/** The form of an export, made from what was exported, whatever changed since. */
export function formOf({ kind, name, employeeNumber, madeOn, records }: OwnExport) {
  const user = { name, email: name, employeeNumber };
  const rows = records.map(({ recordId, content, supervisor, via, domain }) => ({
    ...content,
    ...{ id: recordId, verified: true, verifiedBy: supervisor, verifiedVia: via, domain },
  }));
  return kind === "entry" ? experienceForm(user, rows as unknown as FormEntry[], madeOn) : null; // the content is that of the kind
}

/** An export as `POST /api/exports` returns it. */
export function exportJson(own: OwnExport) {
  const { id, code, url, madeAt, statement } = own;
  return { id, code, url, madeAt, statement, form: formOf(own) };
}
