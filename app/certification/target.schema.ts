import { z } from "zod";
import { isCalendarDate, toCalendarDate } from "#app/calendar-date.ts";
import { itemFromDraft, NEW_ITEM, UNITS_OF_ALL_YEARS } from "#app/certification/target-fields.tsx";
import { CATEGORIES, LEVELS, METHODS, TARGET_UNITS } from "#app/db/enumerations.ts";
import { clearableText, optionalText, text } from "#app/forms/fields.ts";
import type { FormList } from "#app/forms/read-form.server.ts";
import { KINDS, kindNamed } from "#app/records/all-kinds.ts";
import { PARTS } from "#app/records/certificates/certificate.kind.ts";
import { parseHours, toHundredths } from "#app/records/hours.ts";
import { choiceLabel, hasDetail, hasField, hasMethods } from "#app/records/kind.ts";
import { typedInForm } from "#app/records/record-fields.ts";
import type { ItemProgress, TargetProgress } from "./progress.ts";
import { ITEM_CATEGORIES, type Target, type TargetItem } from "./targets.table.ts";

const ITEMS_MAX = 50;

/** The largest figure, in its unit: the most hours that a record can have. */
const REQUIRED_MAX = 100_000;

/** The longest source, in characters: that of a preset names several, and what is left out. */
const SOURCE_MAX = 2_000;

/** Text that may be missing: null and blank become empty. */
function textOrEmpty(label: string, max?: number) {
  return clearableText(label, max ? { max } : {})
    .optional()
    .transform((value) => value ?? "");
}

/** A number of hours, days or months, or a mark. A value that is not a number counts as 0. Becomes hundredths. */
const required = z
  .unknown()
  .transform((value) => parseHours(value) ?? 0)
  // Not z.number(), which reports infinity (1e999) with a message of its own.
  .pipe(z.custom<number>((value) => typeof value === "number"))
  .refine((value) => toHundredths(value) >= 1, { message: "The figure must be greater than 0", abort: true })
  .refine((value) => value <= REQUIRED_MAX, {
    message: `The figure must be at most ${REQUIRED_MAX.toLocaleString("en")}`,
  })
  .transform(toHundredths);

const methods = z
  .array(z.enum(METHODS, { error: `Method must be one of ${METHODS.join(", ")}` }), {
    error: "The methods are a list",
  })
  .max(METHODS.length, "Each method can be named once")
  .refine((list) => new Set(list).size === list.length, { message: "Each method can be named once" });

const NAMES = KINDS.map(({ name }) => name);

/** What a certificate's figure can be of. Another document is never verified, and an examination has a mark. */
const CATEGORIES_WITH_TERM = CATEGORIES.filter((category) => category !== "other" && category !== "examination");

/** A date can be asked to be as near as this, in years. */
const WITHIN_YEARS_MAX = 20;

/** One of some words, or null. */
function optionalWord<Word extends string>(label: string, words: readonly Word[]) {
  return z
    .enum(words as [Word, ...Word[]], { error: `${label} must be one of ${words.join(", ")}` })
    .nullish()
    .transform((word) => word ?? null);
}

const withinYears = z
  .unknown()
  .optional()
  .transform((value, context) => {
    if (value === undefined || value === null || value === "") return null;
    const years = /^\d{1,2}$/.test(String(value)) ? Number(value) : 0;
    if (years >= 1 && years <= WITHIN_YEARS_MAX) return years;
    context.addIssue({ code: "custom", message: `The years are a whole number from 1 to ${WITHIN_YEARS_MAX}` });
    return z.NEVER;
  })
  .meta({
    type: ["integer", "string", "null"],
    minimum: 1,
    maximum: WITHIN_YEARS_MAX,
    description: "Records of the last years alone count",
  });

/** What is wrong with an item whose fields are right one by one: the field, and why. */
function problemsOf(item: ItemFields): [field: keyof ItemFields, message: string][] {
  const { unit, methods, required, category, part, level, withinYears, workedAs, standard } = item;
  const kind = kindNamed(item.kind);
  const { targetUnits: units, adminTexts } = kind;
  const isVision = category?.endsWith("vision");
  const problems: [keyof ItemFields, string][] = [];
  const hasTerm = unit === "valid" || unit === "elapsedMonths";
  const isOfExamination = unit === "score" || unit === "average";
  if (!units.includes(unit)) problems.push(["unit", `The unit of this kind must be ${units.join(", ")}`]);
  if (hasMethods(kind) && methods.length === 0) problems.push(["methods", "Choose at least one NDT method"]);
  if (!hasField(kind, "method") && methods.length > 0)
    problems.push(["methods", `${choiceLabel(adminTexts.many)} have no NDT method`]);
  if (hasField(kind, "category") && isVision && methods.length > 0)
    problems.push(["methods", "A vision test counts for all methods: choose none"]);
  if (hasTerm && !CATEGORIES_WITH_TERM.some((one) => one === category))
    problems.push(["category", `The category must be ${CATEGORIES_WITH_TERM.join(", ")}`]);
  else if (!hasTerm && category !== null && !(hasDetail(kind, "purpose") && category === "work"))
    problems.push(["category", "This figure has no category; that of rope hours can be work"]);
  if (isOfExamination !== (part !== null) && unit !== "average")
    problems.push(["part", unit === "score" ? "Choose a part of the examination" : "Only a mark is of a part"]);
  if (unit === "average" && part !== null) problems.push(["part", "An average is of all parts"]);
  if (level !== null && (!hasField(kind, "level") || isVision))
    problems.push(["level", "Only training, certificates and examinations have a level"]);
  if (workedAs !== null && !hasDetail(kind, "workedAs"))
    problems.push(["workedAs", "Only OJT entries say as what level you worked"]);
  if (standard !== null && (!hasField(kind, "standard") || isVision))
    problems.push(["standard", "Only certificates and examinations have a standard here"]);
  if (withinYears !== null && UNITS_OF_ALL_YEARS.includes(unit))
    problems.push(["withinYears", "The years are of hours and of what must be valid"]);
  if ((unit === "months" || unit === "elapsedMonths") && required % 100 !== 0)
    problems.push(["required", "Months are a whole number"]);
  if (unit === "valid" && required !== 100) problems.push(["required", "The figure of what must be valid is 1"]);
  if (isOfExamination && required > 10_000) problems.push(["required", "A mark is at most 100"]);
  return problems;
}

/** One figure of a target. */
const targetItemSchema = z
  .object(
    {
      title: text({ required: "Title is required", label: "Title" }),
      clause: textOrEmpty("Clause"),
      unit: z.enum(TARGET_UNITS, { error: `The unit must be ${TARGET_UNITS.join(", ")}` }),
      kind: z.enum(NAMES, { error: `The kind must be ${NAMES.join(", ")}` }),
      methods: methods.optional().transform((list) => list ?? []),
      required,
      category: optionalWord("Category", ITEM_CATEGORIES),
      part: optionalWord("Part", PARTS),
      level: optionalWord("Level", LEVELS),
      withinYears,
      workedAs: optionalWord("Worked as", LEVELS),
      standard: optionalText("Standard"),
    },
    { error: "An item is an object with title, unit, kind, methods and required" },
  )
  .superRefine((item, { addIssue }) => {
    for (const [field, message] of problemsOf(item)) addIssue({ code: "custom", path: [field], message });
  });

type ItemFields = Omit<TargetItem, "title" | "clause">;

/** A figure in a form, where numbers may have a decimal comma. */
const typedItemSchema = targetItemSchema.safeExtend({ required: typedInForm(required) });

/** The items of a target, as they are sent. Their number is checked first, because a body can contain a hundred thousand. */
function itemsOf<Schema extends z.ZodType>(schema: Schema) {
  return z
    .array(z.unknown(), { error: "Add at least one item" })
    .min(1, "Add at least one item")
    .max(ITEMS_MAX, `A target has at most ${ITEMS_MAX} items`)
    .pipe(z.array(schema));
}

const itemsSchema = itemsOf(targetItemSchema);
const typedItemsSchema = itemsOf(typedItemSchema);

/**
 * A target as it is sent: `required` in hours, days or months. `since` must not be in the future anywhere on Earth, so it
 * does not matter how well the technician's time zone is known.
 */
export function targetSchema(now: Date) {
  const latestToday = toCalendarDate("Pacific/Kiritimati", now);
  return z.object(
    {
      title: text({ required: "Title is required", label: "Title" }),
      standard: textOrEmpty("Standard"),
      edition: textOrEmpty("Edition"),
      source: textOrEmpty("Source", SOURCE_MAX),
      since: clearableText("The day")
        .optional()
        .transform((day) => day ?? null)
        .refine((day) => day === null || isCalendarDate(day), {
          message: "The day must be a day of the calendar, such as 2026-11-21",
          abort: true,
        })
        .refine((day) => day === null || day <= latestToday, { message: "The day must not be in the future" }),
      items: itemsSchema,
    },
    { error: "A target is an object with title, standard, edition, source, since and items" },
  );
}

export type NewTarget = z.output<ReturnType<typeof targetSchema>>;

/** The page's form of a target: its fields are those of the call's body, except that an item has a box for each method. */
export function targetFormSchema(now: Date) {
  const rows = z.array(z.unknown()).optional();
  return targetSchema(now).extend({
    items: rows.transform((list) => (list ?? []).map(itemFromDraft)).pipe(typedItemsSchema),
  });
}

export const itemRows: FormList = {
  name: "items",
  columns: [...Object.keys(NEW_ITEM), ...METHODS],
  rowsMax: 2 * ITEMS_MAX,
};

/** Targets and their progress as the JSON calls show them: in hours, days, months and marks, not in hundredths. */

export function shownItem<Item extends TargetItem>(item: Item): Item {
  return { ...item, required: item.required / 100 };
}

export function shownTarget(target: Target) {
  return { ...target, items: target.items.map(shownItem) };
}

export function shownProgress({ target: { id, title }, parts, items }: TargetProgress) {
  return { target: { id, title }, parts, items: items.map(shownItemProgress) };
}

function shownItemProgress(item: ItemProgress) {
  const { title, unit, required, verified, waiting, requested, remaining, estimate, endsOn, notCounted } = item;
  return {
    title,
    unit,
    required: required / 100,
    verified: verified / 100,
    waiting: waiting / 100,
    requested: requested / 100,
    pending: (waiting - requested) / 100,
    remaining: remaining / 100,
    estimate,
    endsOn,
    notCounted: notCounted.map(({ reason, records, hundredths }) => ({ reason, records, hours: hundredths / 100 })),
  };
}
