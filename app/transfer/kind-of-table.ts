import { getTableName } from "drizzle-orm";
import { KINDS, type Kind } from "#app/records/kinds.ts";

/** The message for an unknown `?kind=`. */
export const KIND_MESSAGE = "kind must be entries or rope_hours";

/** The kind with this name in `?kind=`, which is that of its table; by default entries. */
export function kindOfTable(name: string | null): Kind | undefined {
  return KINDS.find(({ table }) => getTableName(table) === (name ?? "entries"));
}
