import { parseWithZod } from "@conform-to/zod/v4";
import { z } from "zod";
import { METHODS } from "#app/db/enumerations.ts";
import { AppError } from "#app/errors.ts";
import type { FormList } from "#app/forms/read-form.server.ts";
import { parseHours, typedNumber } from "#app/records/hours.ts";
import { PERSON } from "./columns.ts";
import { GUESSED } from "./encodings.ts";
import { keyOf } from "./file-rows.ts";
import type { ImportView } from "./import-view.server.ts";
import type { Change } from "./open-import.server.ts";
import { COLUMNS_MAX } from "./parse-table.ts";
import { type ImportChoices, isMeaningOf } from "./preview.ts";
import { DATE_ORDERS } from "./read-date.ts";
import { HOURS_UNITS } from "./read-hours.ts";

/** How many problems the page lists, and how many duplicates with a box for each. */
export const LISTED_MAX = 100;

/** Why *Import* saves nothing if every row is skipped or has a problem. */
export const NOTHING_READY = "No row is ready to import: each one is skipped or has a problem.";

/**
 * The fields of the preview: for each column its meaning, for each row that may be left out a box, and for each unknown word the
 * method that it means, or the two.
 */
export const CHOICES: FormList = {
  name: "choices",
  columns: ["target", "skip", "word", "one", "two"],
  rowsMax: COLUMNS_MAX,
};

const text = z.string().optional();
const choice = z.object({ target: text, skip: text, word: text, one: text, two: text }).optional();

export const previewForm = z.object({
  choices: z.array(choice).default([]),
  dateOrder: z.enum(DATE_ORDERS).optional(),
  hoursUnit: z.enum(HOURS_UNITS).optional(),
  hoursPerDay: z.string().optional(),
  timeZone: z.string().optional(),
  encoding: z.enum(GUESSED).optional(),
  sheet: z.string().optional(),
  skipOthers: z.string().optional(),
  person: z.string().optional(),
});

/**
 * Reads the fields of a form.
 * @throws {AppError} 400 for a form that no page of this app sends
 */
export function parseChoices(form: FormData): z.output<typeof previewForm> {
  const submission = parseWithZod(form, { schema: previewForm });
  if (submission.status !== "success")
    throw new AppError("incomplete", "The form did not arrive completely. Please try again.");
  return submission.value;
}

/** The rows that have a box each: they are left out unless it is cleared. Those that may be totals come first. */
export function boxesOf({ duplicates, possibleTotals }: Pick<ImportView, "duplicates" | "possibleTotals">): number[] {
  return [...new Set([...possibleTotals.map(({ row }) => row), ...duplicates])];
}

/** A change that the form of a preview makes. `keep`: duplicates that are imported all the same. */
export interface FormChange extends Change {
  keep?: number[];
}

/**
 * Returns the changes that the form of a preview makes. If the rows are read in another way, other rows are duplicates:
 * then only the cleared boxes count (`keep`), and only for an import that follows at once.
 */
export function changeFrom(view: ImportView, form: z.output<typeof previewForm>): FormChange {
  const { choices, dateOrder, encoding, sheet, skipOthers } = form;
  // The other fields are of the sheet, and of the letters, that the page showed.
  if (sheet && sheet !== view.sheet && view.sheets.includes(sheet)) return { sheet };
  if (encoding && encoding !== view.encoding) return { encoding };
  const mapping = view.columns.map((_, index) => {
    const target = choices[index]?.target ?? "";
    return isMeaningOf(view.kind, target) ? target : null;
  });
  const isSame = mapping.every((target, index) => target === view.mapping[index]);
  // The order that the page showed may be a guess from the columns before, so it is not a choice.
  const chosen = dateOrder && dateOrder !== view.dateOrder ? { dateOrder } : {};
  const read = { ...chosen, ...unitsFrom(view, form), ...wordsFrom(view, form, mapping) };
  const boxes = boxesOf(view);
  const listed = boxes.slice(0, LISTED_MAX);
  const checked = listed.filter((row, index) => choices[index]?.skip === String(row));
  if (!isSame || Object.keys(read).length > 0) {
    const isChecked = new Set(skipOthers ? [...checked, ...boxes.slice(LISTED_MAX)] : checked);
    return { mapping, ...read, keep: boxes.filter((row) => !isChecked.has(row)) };
  }
  const others = boxes.slice(LISTED_MAX);
  const skipped = new Set(view.skip);
  const skippedOthers = others.filter((row) => skipped.has(row));
  // A box that stays checked keeps what the API chose for each of them.
  const keptOthers = skippedOthers.length > 0 ? skippedOthers : others;
  const boxed = new Set(boxes);
  const besides = view.skip.filter((row) => !boxed.has(row));
  const skip = [...checked, ...(skipOthers ? keptOthers : []), ...besides];
  // All of them: null, which stays true if more of the rows become duplicates before they are saved.
  return { skip: skip.join() === boxes.join() ? null : skip };
}

/** Returns the form's choices of units and the time zone, if they differ from before. */
function unitsFrom(view: ImportView, form: z.output<typeof previewForm>): Partial<ImportChoices> {
  const { hoursUnit, hoursPerDay: typed, timeZone } = form;
  const hoursPerDay = typed === undefined ? view.hoursPerDay : (parseHours(typedNumber(typed)) ?? Number.NaN);
  return {
    ...(hoursUnit && hoursUnit !== view.hoursUnit && { hoursUnit }),
    ...(hoursPerDay !== view.hoursPerDay && { hoursPerDay }),
    ...(timeZone && timeZone !== view.timeZone && { timeZone }),
  };
}

/** Returns the form's choices of words for methods and of the person, if they differ from before. */
function wordsFrom(
  { values, unknown, person: before }: ImportView,
  { choices, person }: z.output<typeof previewForm>,
  mapping: readonly (string | null)[],
): Partial<ImportChoices> {
  const listed = new Set(unknown.method.map(({ word }) => word));
  const methods = new Map(Object.entries(values.method));
  for (const { word, one, two } of choices.flatMap((row) => row ?? [])) {
    if (!word || !listed.has(word)) continue;
    const [first, second] = [...new Set([one, two])].flatMap((code) => METHODS.filter((method) => method === code));
    if (first) methods.set(keyOf(word), second ? [first, second] : first);
    else methods.delete(keyOf(word));
  }
  const chosen = Object.fromEntries(methods);
  return {
    ...(JSON.stringify(chosen) !== JSON.stringify(values.method) && { methods: chosen }),
    ...(person && person !== before && mapping.includes(PERSON) && { person }),
  };
}
