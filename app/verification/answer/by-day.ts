import { kindNamed } from "#app/records/all-kinds.ts";
import { shownDetails } from "#app/records/details.ts";
import { dateOf, type FieldValue, hasField, hundredthsOf, shownValues } from "#app/records/kind.ts";
import type { ItemView } from "#app/verification/link-view.server.ts";
import { addHundredths } from "#app/verification/sums.tsx";

/** The records of one day or period on a supervisor's page; of a request for a single day, those of one place. */
export interface Group {
  /** The day or the period; null where the page shows it for all records at once. */
  when: FieldValue | null;
  /** The place of all its records; null if they have several, or none. */
  place: string | null;
  items: ItemView[];
  /** The sum of its hours in hundredths; null without hours. */
  hundredths: number | null;
}

/** The records of a request by day, the oldest first, or by place if all are of one day. */
export function groupItems(items: readonly ItemView[]): Group[] {
  const byDay = grouped([...items].sort(oldestFirst), (item) => JSON.stringify(whenOf(item)));
  const [only = [], ...more] = byDay;
  const isOneDay = more.length === 0;
  return (isOneDay ? grouped(only, (item) => JSON.stringify(placeOf(item))) : byDay).map((own) => {
    const [place = null, ...others] = new Set(own.map(placeOf));
    return {
      when: isOneDay && place !== null ? null : (own[0] && whenOf(own[0])) || null,
      place: others.length === 0 ? place : null,
      items: own,
      hundredths: addHundredths(own.map(({ record }) => hundredthsOf(record.record))),
    };
  });
}

function grouped(items: readonly ItemView[], keyOf: (item: ItemView) => string): ItemView[][] {
  const groups = new Map<string, ItemView[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}

function oldestFirst(one: ItemView, other: ItemView): number {
  const [a, b] = [one, other].map(({ record: { kind, record } }) => dateOf(kindNamed(kind), record));
  return (a ?? "") < (b ?? "") ? -1 : a === b ? one.record.record.id - other.record.record.id : 1;
}

/** The first of the shown values says when it was. */
function whenOf({ record: { kind, record } }: ItemView): FieldValue | null {
  return shownValues(kindNamed(kind), record)[0]?.value ?? null;
}

/** The place of work; null for a kind without one. */
function placeOf({ record: { kind, record } }: ItemView): string | null {
  return hasField(kindNamed(kind), "location") ? String(record.location) : null;
}

/** A longer text is not moved away from its record. */
const SHORT = 60;

/** The details with the same short text in all records: they are shown once for all. None for a single record. */
export function commonDetails(items: readonly ItemView[]): { label: string; typed: string }[] {
  const [first, ...others] = items.map(({ record: { kind, record } }) =>
    shownDetails(kindNamed(kind).details, record.details),
  );
  if (!first || others.length === 0) return [];
  const isIn = (list: typeof first, { label, typed }: (typeof first)[number]) =>
    list.some((one) => one.label === label && one.typed === typed);
  return first.filter((detail) => detail.typed.length <= SHORT && others.every((list) => isIn(list, detail)));
}
