import { formOfKind } from "#app/pdf/form-of-kind.ts";
import { formProof } from "#app/pdf/form-proof.server.ts";
import { kindNamed } from "#app/records/kinds.ts";
import { exportKindName } from "./export-kinds.ts";
import type { OwnExport } from "./own-exports.server.ts";

/** The form of an export, made from what was exported, whatever changed since. */
export function formOf(own: OwnExport) {
  const { kind, name, employeeNumber, madeOn, records } = own;
  const user = { name, email: name, employeeNumber };
  const rows = records.map(({ recordId, content, supervisor, via, domain }) => ({
    ...content,
    ...{ id: recordId, verified: true, verifiedBy: supervisor, verifiedVia: via, domain },
  }));
  return formOfKind(exportKindName(kindNamed(kind)), user, rows, madeOn, formProof(own));
}

/** An export as `POST /api/exports` returns it. */
export function exportJson(own: OwnExport) {
  const { id, code, url, madeAt, statement } = own;
  return { id, code, url, madeAt, statement, form: formOf(own) };
}
