import { z } from "zod";
import { text } from "#app/forms/fields.ts";
import { type Details, detailsSchema, ROPE_DETAILS } from "#app/records/details.ts";
import { parseHours } from "#app/records/hours.ts";
import type { AnyRecord } from "#app/records/kind.ts";
import { boundedHours, calendarDate, SENT_HOURS, typedInForm } from "#app/records/record-fields.ts";

/** The maximum length of the skills text, in characters. */
export const SKILLS_MAX = 2_000;

/** The message for missing fields and for hours that are not a number (spec section 5, product "Settled"). */
export const FILL_IN = "Please fill in all fields";

export const END_AFTER_START = "End date must be after start date";

const hours = z
  .unknown()
  .transform(parseHours)
  .refine((value) => value !== null, { message: FILL_IN, abort: true })
  .pipe(boundedHours(0, "Hours must be 0 or more"))
  .meta(SENT_HOURS);

export const ropeHoursSchema = z
  .object(
    {
      startDate: calendarDate("Start date", FILL_IN),
      endDate: calendarDate("End date", FILL_IN),
      location: text({ required: FILL_IN, label: "Location" }),
      skills: text({ required: FILL_IN, label: "Skills", max: SKILLS_MAX, multiline: true }),
      hours,
      details: detailsSchema(ROPE_DETAILS),
    },
    { error: "Rope hours are an object with startDate, endDate, location, skills and hours" },
  )
  // ISO dates compare correctly as text.
  .refine(({ startDate, endDate }) => endDate > startDate, { path: ["endDate"], message: END_AFTER_START });

/** Rope hours in a form, where hours may have a decimal comma. */
export const typedRopeHoursSchema = ropeHoursSchema.safeExtend({ hours: typedInForm(hours) });

export type NewRopeHours = z.output<typeof ropeHoursSchema>;

/** A period of rope-access work (spec section 3) as its owner sees it. */
export type RopeHours = AnyRecord & {
  startDate: string;
  endDate: string;
  location: string;
  skills: string;
  hours: number;
  details: Details;
};
