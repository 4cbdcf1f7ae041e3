import { FORM_KINDS } from "#app/pdf/form-kinds.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import type { Kind } from "#app/records/kinds.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import type { Toast } from "#app/server/flash.ts";

/** A kind of records as exports name it. */
export interface ExportKind {
  kind: Kind;
  /** What the form lists. */
  title: string;
  /** Why nothing can be exported. */
  nothingVerified: Toast;
}

export const EXPORT_KIND_NAMES = ["entries", "rope_hours"] as const;
export type ExportKindName = (typeof EXPORT_KIND_NAMES)[number];

/** What can be exported, by the `kind` of the API. */
export const EXPORT_KINDS: Record<ExportKindName, ExportKind> = {
  entries: { kind: entryKind, title: "OJT hours", nothingVerified: FORM_KINDS.entries.nothingVerified },
  rope_hours: { kind: ropeHoursKind, title: "Rope hours", nothingVerified: FORM_KINDS.rope_hours.nothingVerified },
};

/** The name of a kind of records in the API of exports. */
export function exportKindName({ name }: Pick<Kind, "name">): ExportKindName {
  const found = EXPORT_KIND_NAMES.find((one) => EXPORT_KINDS[one].kind.name === name);
  if (!found) throw new Error(`records of the kind ${name} are not exported`);
  return found;
}
