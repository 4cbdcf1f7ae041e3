import { METHODS, type Method, TARGET_UNITS, type TargetUnit } from "#app/db/enumerations.ts";
import { hasField } from "#app/records/kind.ts";
import { EXPERIENCE_KINDS } from "#app/records/kinds.ts";
import type { Target, TargetItem } from "./targets.table.ts";

/** The form of a target, where all values are text and each method is a box of its own. */

export type ItemDraft = Partial<Record<Method, string>> & {
  title: string;
  /** The unit and the kind of record, `hours entry`. */
  measure: string;
  required: string;
  clause: string;
};

// Not an interface: Conform wants an index signature.
export type TargetDraft = {
  title: string;
  standard: string;
  since: string;
  source: string;
  items: ItemDraft[];
};

export interface Measure {
  value: string;
  unit: TargetUnit;
  kind: string;
  label: string;
}

const LABELS: Record<TargetUnit, (work: string) => string> = {
  hours: (work) => `${work} hours`,
  days: (work) => `Days of 7 ${work} hours`,
  months: (work) => `Months with ${work} hours`,
};

/** What an item can count: each unit of each kind. Days need a date for each record, which rope hours do not have. */
export const MEASURES: Measure[] = EXPERIENCE_KINDS.flatMap((kind) =>
  TARGET_UNITS.filter((unit) => unit !== "days" || hasField(kind, "method")).map((unit) => {
    const label = LABELS[unit](kind.texts.hours);
    return {
      value: `${unit} ${kind.name}`,
      unit,
      kind: kind.name,
      label: `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`,
    };
  }),
);

export const NEW_ITEM = { title: "", measure: MEASURES[0]?.value ?? "", required: "", clause: "" } satisfies ItemDraft;

/** A form with the values of a target, or of a preset. */
export function draftOf(target: Omit<Target, "id" | "createdAt">): TargetDraft {
  const { title, standard, since, source, items } = target;
  return { title, standard, since: since ?? "", source, items: items.map(itemDraftOf) };
}

function itemDraftOf({ title, unit, kind, required, clause, methods }: TargetItem): ItemDraft {
  const boxes = Object.fromEntries(methods.map((method) => [method, "on"]));
  return { title, measure: `${unit} ${kind}`, required: String(required / 100), clause, ...boxes };
}

/** An item as the schema reads it. Methods are ignored where the kind has none: without script their boxes stay. */
export function itemFromDraft(row: unknown): unknown {
  const draft = (row ?? {}) as Partial<Record<keyof ItemDraft, unknown>>; // a row of `readForm`
  const measure = MEASURES.find(({ value }) => value === draft.measure);
  const kind = EXPERIENCE_KINDS.find(({ name }) => name === measure?.kind);
  const { title, clause, required } = draft;
  const methods = kind && hasField(kind, "method") ? METHODS.filter((method) => draft[method] === "on") : [];
  return { title, clause, required, unit: measure?.unit, kind: kind?.name, methods };
}
