import { FORM_KIND_NAMES, type FormKind } from "#app/pdf/form.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import type { Kind } from "#app/records/kinds.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";

/** The records that each kind of form lists, and what they are called in the list of exports. */
export const EXPORT_KINDS: Record<FormKind, { kind: Kind; title: string }> = {
  entries: { kind: entryKind, title: "OJT hours" },
  rope_hours: { kind: ropeHoursKind, title: "Rope hours" },
};

/** The kind of form that lists a kind of records. */
export function exportKindName({ name }: Pick<Kind, "name">): FormKind {
  const found = FORM_KIND_NAMES.find((one) => EXPORT_KINDS[one].kind.name === name);
  if (!found) throw new Error(`records of the kind ${name} are not exported`);
  return found;
}

/** The message for an unknown `?kind=`. */
export const KIND_MESSAGE = `kind must be ${FORM_KIND_NAMES.join(" or ")}`;

/** The kind with this name in `?kind=`, which is that of its form; by default entries. */
export function kindOfForm(name: string | null): Kind | undefined {
  const found = FORM_KIND_NAMES.find((one) => one === (name ?? "entries"));
  return found && EXPORT_KINDS[found].kind;
}
