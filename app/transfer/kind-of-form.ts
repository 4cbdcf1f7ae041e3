import { FORM_KIND_NAMES } from "#app/pdf/form.ts";
import { EXPORT_KINDS } from "#app/proof/export-kinds.ts";
import type { Kind } from "#app/records/kinds.ts";

/** The message for an unknown `?kind=`. */
export const KIND_MESSAGE = `kind must be ${FORM_KIND_NAMES.join(" or ")}`;

/** The kind with this name in `?kind=`, which is that of its form; by default entries. */
export function kindOfForm(name: string | null): Kind | undefined {
  const found = FORM_KIND_NAMES.find((one) => one === (name ?? "entries"));
  return found && EXPORT_KINDS[found].kind;
}
