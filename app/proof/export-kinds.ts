import { NOTHING_VERIFIED } from "#app/pdf/export-toasts.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import type { Kind } from "#app/records/kinds.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";

/** A kind of records as exports name it. */
export interface ExportKind {
  kind: Kind;
  /** Why nothing can be exported. */
  nothing: string;
}

export const EXPORT_KIND_NAMES = ["entries", "rope_hours"] as const;
export type ExportKindName = (typeof EXPORT_KIND_NAMES)[number];

/** What can be exported, by the `kind` of the API. */
export const EXPORT_KINDS: Record<ExportKindName, ExportKind> = {
  entries: { kind: entryKind, nothing: NOTHING_VERIFIED.text ?? "" },
  rope_hours: { kind: ropeHoursKind, nothing: "You need at least one verified record of rope hours to export." },
};

/** The name of a kind of records in the API of exports. */
export function exportKindName({ name }: Pick<Kind, "name">): ExportKindName {
  const found = EXPORT_KIND_NAMES.find((one) => EXPORT_KINDS[one].kind.name === name);
  if (!found) throw new Error(`records of the kind ${name} are not exported`);
  return found;
}
