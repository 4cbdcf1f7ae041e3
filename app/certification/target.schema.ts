import { z } from "zod";
import { itemFromDraft, NEW_ITEM } from "#app/certification/target-form.ts";
import { METHODS, TARGET_UNITS } from "#app/db/enumerations.ts";
import { clearableText, text } from "#app/forms/fields.ts";
import type { FormList } from "#app/forms/read-form.server.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { parseHours, toHundredths } from "#app/records/hours.ts";
import { hasField } from "#app/records/kind.ts";
import { EXPERIENCE_KINDS } from "#app/records/kinds.ts";
import { typedInForm } from "#app/records/record-fields.ts";
import { isCalendarDate, toCalendarDate } from "#app/ui/calendar-date.ts";

export const ITEMS_MAX = 50;

/** The largest figure, in its unit: the most hours that a record can have. */
const REQUIRED_MAX = 100_000;

/** The longest source, in characters: that of a preset names several, and what is left out. */
export const SOURCE_MAX = 2_000;

/** Text that may be missing: null and blank become empty. */
function optionalText(label: string, max?: number) {
  return clearableText(label, max ? { max } : {})
    .optional()
    .transform((value) => value ?? "");
}

/** A number of hours, days or months. A value that is not a number counts as 0. Becomes hundredths. */
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
  .array(z.enum(METHODS, { error: `Method must be one of ${METHODS.map(methodLabel).join(", ")}` }), {
    error: "The methods are a list",
  })
  .max(METHODS.length, "Each method can be named once")
  .refine((list) => new Set(list).size === list.length, { message: "Each method can be named once" });

const NAMES = EXPERIENCE_KINDS.map(({ name }) => name);

/** One figure of a target. */
export const targetItemSchema = z
  .object(
    {
      title: text({ required: "Title is required", label: "Title" }),
      clause: optionalText("Clause"),
      unit: z.enum(TARGET_UNITS, { error: `The unit must be ${TARGET_UNITS.join(", ")}` }),
      kind: z.enum(NAMES, { error: `The kind must be ${NAMES.join(" or ")}` }),
      methods: methods.optional().transform((list) => list ?? []),
      required,
    },
    { error: "An item is an object with title, unit, kind, methods and required" },
  )
  .superRefine(({ unit, kind, methods, required }, { addIssue }) => {
    const isWithMethod = EXPERIENCE_KINDS.some((one) => one.name === kind && hasField(one, "method"));
    const refuse = (field: string, message: string) => addIssue({ code: "custom", path: [field], message });
    if (isWithMethod && methods.length === 0) refuse("methods", "Choose at least one NDT method");
    if (!isWithMethod && methods.length > 0) refuse("methods", "Rope hours have no NDT method");
    if (!isWithMethod && unit === "days") refuse("unit", "Days count OJT entries, not rope hours");
    if (unit === "months" && required % 100 !== 0) refuse("required", "Months are a whole number");
  });

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

export const itemsSchema = itemsOf(targetItemSchema);
export const typedItemsSchema = itemsOf(typedItemSchema);

/**
 * A target as it is sent: `required` in hours, days or months. `since` must not be in the future anywhere on Earth, so it
 * does not matter how well the technician's time zone is known.
 */
export function targetSchema(now: Date) {
  const latestToday = toCalendarDate("Pacific/Kiritimati", now);
  return z.object(
    {
      title: text({ required: "Title is required", label: "Title" }),
      standard: optionalText("Standard"),
      source: optionalText("Source", SOURCE_MAX),
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
    { error: "A target is an object with title, standard, source, since and items" },
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
