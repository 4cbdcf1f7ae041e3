import { formOfKind } from "#app/pdf/form-of-kind.ts";
import { type FormProof, formProof } from "#app/pdf/form-proof.server.ts";
import { kindNamed } from "#app/records/kinds.ts";
import type { OwnExport } from "./own-exports.server.ts";
import type { Snapshot } from "./snapshot.ts";

/** The form of an export, made from what was exported, whatever changed since. */
export function formOf(own: OwnExport) {
  return formOfSnapshot(own, formProof(own));
}

/** The form of what is printed, with or without a code. */
export function formOfSnapshot(printed: Omit<Snapshot, "madeAt">, proof: FormProof | null) {
  const { kind, name, employeeNumber, madeOn, records } = printed;
  const user = { name, email: name, employeeNumber };
  const rows = records.map(({ recordId, content, supervisor, via, ...noted }) => ({
    ...content,
    ...{ id: recordId, verified: true, verifiedBy: supervisor, verifiedVia: via, ...noted },
  }));
  return formOfKind(kindNamed(kind).listName, user, rows, madeOn, proof);
}

/** An export as `POST /api/exports` returns it. */
export function exportJson(own: OwnExport) {
  const { id, code, url, madeAt, statement } = own;
  return { id, code, url, madeAt, statement, form: formOf(own) };
}
