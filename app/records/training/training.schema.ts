import { z } from "zod";
import { LEVELS, type Level, METHODS, type Method } from "#app/db/enumerations.ts";
import { text } from "#app/forms/fields.ts";
import { isBlank } from "#app/plain-text.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import type { AnyRecord } from "#app/records/kind.ts";
import {
  calendarDate,
  onceRight,
  optionalChoice,
  optionalText,
  SENT_HOURS,
  someHours,
  typedInForm,
} from "#app/records/record-fields.ts";

const hours = z
  .unknown()
  .refine((value) => value !== undefined && value !== null && !(typeof value === "string" && isBlank(value)), {
    message: "Hours are required",
  })
  .pipe(someHours)
  .meta(SENT_HOURS);

export const trainingSchema = z
  .object(
    {
      startDate: calendarDate("Start date"),
      endDate: calendarDate("End date"),
      course: text({ required: "Course is required", label: "Course" }),
      organization: text({ required: "Organization is required", label: "Organization" }),
      instructor: optionalText("Instructor"),
      method: optionalChoice("Method", METHODS, methodLabel),
      level: optionalChoice("Level", LEVELS),
      hours,
    },
    { error: "A training is an object with startDate, endDate, course, organization and hours" },
  )
  // ISO dates compare correctly as text. A course of one day begins and ends on it.
  .refine(({ startDate, endDate }) => endDate >= startDate, {
    path: ["endDate"],
    message: "End date must not be before start date",
    ...onceRight("startDate", "endDate"),
  });

/** A training in a form, where hours may have a decimal comma. */
export const typedTrainingSchema = trainingSchema.safeExtend({ hours: typedInForm(hours) });

export type NewTraining = z.output<typeof trainingSchema>;

/** An organized training (product, "Evidence besides hours") as its owner sees it. */
export type Training = AnyRecord & {
  startDate: string;
  endDate: string;
  course: string;
  organization: string;
  instructor: string | null;
  method: Method | null;
  level: Level | null;
  hours: number;
};
