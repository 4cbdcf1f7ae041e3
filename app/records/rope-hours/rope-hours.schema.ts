import { z } from "zod";
import { messageFor, requiredRule, textRule } from "#app/forms/field-rules.server.ts";
import type { TextRule } from "#app/forms/field-rules.ts";
import { text } from "#app/forms/fields.ts";
import { type Details, detailsSchema, ROPE_DETAILS } from "#app/records/details.ts";
import { HOURS_MAX, parseHours } from "#app/records/hours.ts";
import type { AnyRecord } from "#app/records/kind.ts";
import { boundedHours, calendarDate, SENT_HOURS, typedInForm } from "#app/records/record-fields.ts";

/** The maximum length of the skills text, in characters. */
const SKILLS_MAX = 2_000;

/** The message for missing fields and for hours that are not a number (spec section 5, product "Settled"). */
export const FILL_IN = "Please fill in all fields";

const END_AFTER_START = "End date must be after start date";

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

/** The checks that the browser makes before it sends the form. */
export interface RopeHoursRules {
  text: Record<"startDate" | "endDate" | "location" | "skills", TextRule>;
  /** For a period that does not end after its first day. */
  endAfterStart: string;
  hours: { required: string; tooFew: string; max: number; tooMany: string };
}

const fields = ropeHoursSchema.shape;

/** The schema's limits and messages, for the browser. */
export const ropeHoursRules: RopeHoursRules = {
  text: {
    startDate: requiredRule(fields.startDate),
    endDate: requiredRule(fields.endDate),
    location: textRule(fields.location),
    skills: textRule(fields.skills, SKILLS_MAX),
  },
  endAfterStart: END_AFTER_START,
  hours: {
    required: messageFor(hours, ""),
    tooFew: messageFor(hours, -1),
    max: HOURS_MAX,
    tooMany: messageFor(hours, HOURS_MAX + 1),
  },
};
