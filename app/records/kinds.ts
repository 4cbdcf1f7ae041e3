import type { AppLoadContext } from "@remix-run/cloudflare";
import { entryKind } from "./entry/entry.kind.ts";
import type { Kind } from "./kind.ts";
import { ropeHoursKind } from "./rope-hours/rope-hours.kind.ts";

export type { AnyRecord, FieldValue, Kind, RecordField, RecordWithToken, ShownRecord } from "./kind.ts";

/** Every kind of record. A new one needs a folder beside those of the others, its line here, its routes and a table. */
export const KINDS: readonly Kind[] = [entryKind, ropeHoursKind];

/**
 * The kind that is stored, or sent in JSON, under a name.
 * @throws {Error} for a name that no kind has
 */
export function kindNamed(name: string | null): Kind {
  const kind = KINDS.find((kind) => kind.name === name);
  if (!kind) throw new Error(`there is no kind of record called ${name}`);
  return kind;
}

/**
 * The kind of record that the matched route is about (app/routes.ts). It never comes from the URL, which has many
 * spellings.
 * @throws {Error} on a route that is about no kind
 */
export function kindOf({ kind }: Pick<AppLoadContext, "kind">): Kind {
  return kindNamed(kind);
}

/** Does the same for each kind; the results are under the kinds' names. */
export function forEachKind<Result>(work: (kind: Kind) => Result): Record<string, Result> {
  return Object.fromEntries(KINDS.map((kind) => [kind.name, work(kind)]));
}

/** The path of one record's page. */
export function recordPath(kind: Kind, id: number): string {
  return `${kind.path}/record/${id}`;
}
