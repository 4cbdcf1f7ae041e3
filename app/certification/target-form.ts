import { METHODS, type Method, type TargetUnit } from "#app/db/enumerations.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { hasDetail, hasField } from "#app/records/kind.ts";
import type { Target, TargetItem } from "./targets.table.ts";

/** The form of a target, where all values are text and each method is a box of its own. */

export type ItemDraft = Partial<Record<Method, string>> & {
  title: string;
  /** What is counted, `hours entry`, and for some its category: `valid certificate near_vision`. */
  measure: string;
  required: string;
  clause: string;
  part: string;
  level: string;
  withinYears: string;
  workedAs: string;
  standard: string;
};

// Not an interface: Conform wants an index signature.
export type TargetDraft = {
  title: string;
  standard: string;
  edition: string;
  since: string;
  source: string;
  items: ItemDraft[];
};

/** What an item can count, in the words of the form: unit, kind, and a category where it is part of the choice. */
export const MEASURES: readonly (readonly [value: string, label: string])[] = [
  ["hours entry", "OJT hours"],
  ["days entry", "Days of 7 OJT hours"],
  ["months entry", "Months with OJT hours"],
  ["hours rope_hour", "Rope hours"],
  ["hours rope_hour work", "Rope hours, training left out"],
  ["months rope_hour", "Months with rope hours"],
  ["hours training", "Hours of training"],
  ["days training", "Days of 7 hours of training"],
  ["score certificate", "Mark of a part of an examination"],
  ["average certificate", "Average of all parts"],
  ["valid certificate near_vision", "A valid near vision test"],
  ["valid certificate colour_vision", "A valid colour vision test"],
  ["valid certificate certificate", "A valid certificate"],
  ["elapsedMonths certificate certificate", "Months since the certificate was issued"],
];

export const NEW_ITEM = {
  ...{ title: "", measure: "hours entry", required: "", clause: "" },
  ...{ part: "", level: "", withinYears: "", workedAs: "", standard: "" },
} satisfies ItemDraft;

/** A form with the values of a target, or of a preset. */
export function draftOf(target: Omit<Target, "id" | "createdAt">): TargetDraft {
  const { title, standard, edition, since, source, items } = target;
  return { title, standard, edition, since: since ?? "", source, items: items.map(itemDraftOf) };
}

function itemDraftOf(item: TargetItem): ItemDraft {
  const { title, unit, kind, required, clause, methods, category, part, level, withinYears, workedAs, standard } = item;
  const boxes = Object.fromEntries(methods.map((method) => [method, "on"]));
  return {
    ...{ title, measure: [unit, kind, category].filter(Boolean).join(" "), required: String(required / 100), clause },
    ...{ part: part ?? "", level: level ?? "", withinYears: String(withinYears ?? "") },
    ...{ workedAs: workedAs ?? "", standard: standard ?? "" },
    ...boxes,
  };
}

/** The units in which records of the last years alone cannot be asked for. */
export const UNITS_OF_ALL_YEARS: readonly TargetUnit[] = ["score", "average", "elapsedMonths"];

/** An item as the schema reads it. What its measure does not have is ignored: without script those inputs stay. */
export function itemFromDraft(row: unknown): unknown {
  const draft = (row ?? {}) as Partial<Record<keyof ItemDraft, unknown>>; // a row of `readForm`
  const measure = MEASURES.find(([value]) => value === draft.measure)?.[0];
  const [unit, name, category = null] = measure?.split(" ") ?? [];
  const kind = KINDS.find((kind) => kind.name === name);
  const isVision = category?.endsWith("vision");
  const { title, clause, required, part, level, withinYears, workedAs, standard } = draft;
  const methods =
    (kind && !hasField(kind, "method")) || isVision ? [] : METHODS.filter((method) => draft[method] === "on");
  const has = (field: string) => kind && hasField(kind, field) && !isVision;
  return {
    ...{ title, clause, unit, kind: name, methods, category },
    required: unit === "valid" ? 1 : required,
    part: unit === "score" ? part || null : null,
    level: has("level") ? level || null : null,
    withinYears: UNITS_OF_ALL_YEARS.some((one) => one === unit) ? null : withinYears,
    workedAs: kind && hasDetail(kind, "workedAs") ? workedAs || null : null,
    standard: has("standard") ? standard : null,
  };
}
