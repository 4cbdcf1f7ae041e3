import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import { certificateKind } from "./certificates/certificate.kind.ts";
import { entryKind } from "./entry/entry.kind.ts";
import { isExperience, type Kind } from "./kind.ts";
import { ropeHoursKind } from "./rope-hours/rope-hours.kind.ts";
import { trainingKind } from "./training/training.kind.ts";

/** All kinds of records. docs/decisions/0073-one-table-of-records.md says what a new one needs. */
export const KINDS: readonly Kind[] = [entryKind, ropeHoursKind, trainingKind, certificateKind];

/** Those whose hours are experience, which targets count. */
export const EXPERIENCE_KINDS = KINDS.filter(isExperience);

/**
 * The kind with this name (as stored, and as sent in JSON).
 * @throws {Error} for an unknown name
 */
export function kindNamed(name: string | null): Kind {
  const kind = KINDS.find((kind) => kind.name === name);
  if (!kind) throw new Error(`there is no kind of record called ${name}`);
  return kind;
}

const NAMES = KINDS.map(({ name }) => name);

/** The parameter `?kind=` of an export or import: a kind by its name, or by its `listName` as it was called before. */
export const kindParameter = z
  .enum([...NAMES, ...KINDS.map(({ listName }) => listName)], { error: `kind must be one of ${NAMES.join(", ")}` })
  .meta({ enum: NAMES })
  .default(entryKind.name)
  .transform((sent) => KINDS.find(({ name, listName }) => [name, listName].includes(sent)) ?? entryKind); // each has its kind

/**
 * The kind of the matched route (app/routes.ts). It never comes from the URL, which can be spelled in many ways.
 * @throws {Error} on a route without a kind
 */
export function kindOf({ kind }: Pick<AppLoadContext, "kind">): Kind {
  return kindNamed(kind);
}

export function forEachKind<Result>(work: (kind: Kind) => Result): Record<string, Result> {
  return Object.fromEntries(KINDS.map((kind) => [kind.name, work(kind)]));
}
