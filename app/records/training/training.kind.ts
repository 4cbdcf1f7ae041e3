import { z } from "zod";
import { formatDate } from "#app/calendar-date.ts";
import { LEVELS, type Level, METHODS, type Method } from "#app/db/enumerations.ts";
import { optionalText, text } from "#app/forms/fields.ts";
import { isBlank, searchText } from "#app/plain-text.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours, HOURS_MIN, toHundredths } from "#app/records/hours.ts";
import {
  type AnyRecord,
  HOURS_HEADINGS,
  type Kind,
  METHOD_HEADINGS,
  PERIOD_HEADINGS,
  periodOf,
} from "#app/records/kind.ts";
import {
  calendarDate,
  type HasFields,
  hoursInForm,
  onceRight,
  optionalChoice,
  sentHours,
  someHours,
  withTextLimit,
} from "#app/records/record-fields.ts";
import { NEEDED_FOR_EVIDENCE } from "#app/supervisors/supervisor.schema.ts";
import { lineWith } from "#app/ui/page.tsx";

const hours = z
  .unknown()
  .refine((value) => value !== undefined && value !== null && !(typeof value === "string" && isBlank(value)), {
    message: "Hours are required",
  })
  .pipe(someHours)
  .meta(sentHours(HOURS_MIN));

const trainingFields = z.object(
  {
    startDate: calendarDate("Start date"),
    endDate: calendarDate("End date"),
    course: text({ required: "Training course is required", label: "Training course" }),
    organization: text({ required: "Training provider is required", label: "Training provider" }),
    instructor: optionalText("Instructor"),
    method: optionalChoice("Method", METHODS),
    level: optionalChoice("Level", LEVELS),
    hours,
  },
  { error: "A training is an object with startDate, endDate, course, organization and hours" },
);

export const trainingSchema = withTextLimit(trainingFields, (): HasFields => trainingKind)
  // ISO dates compare correctly as text. A course of one day begins and ends on it.
  .refine(({ startDate, endDate }) => endDate >= startDate, {
    path: ["endDate"],
    message: "End date must not be before start date",
    ...onceRight("startDate", "endDate"),
  });

/** A training in a form, where hours may have a decimal comma, and methods have their labels. */
const typedTrainingSchema = trainingSchema.safeExtend({
  method: optionalChoice("Method", METHODS, methodLabel),
  hours: hoursInForm(hours),
});

export type NewTraining = z.output<typeof trainingSchema>;

/** An organized training as its owner sees it. */
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

/** Organized training: a course with hours, which are not experience. */
export const trainingKind: Kind<Training, NewTraining> = {
  name: "training",
  partName: "training",
  jsonKey: "training",
  listName: "training",
  fields: [
    { name: "startDate", type: "date", stored: "date", headings: PERIOD_HEADINGS.start },
    { name: "endDate", type: "date", stored: "endDate", headings: PERIOD_HEADINGS.end },
    {
      name: "course",
      type: "text",
      stored: "fields",
      headings: ["course", "course name", "course title", "training", "title", "subject", "kurs", "cours", "curso"],
    },
    {
      name: "organization",
      type: "text",
      stored: "fields",
      headings: [
        ...["organization", "organisation", "training organization", "training provider", "provider", "school"],
        ...["training center", "training centre", "institute", "company", "anbieter"],
      ],
    },
    {
      name: "instructor",
      type: "text",
      stored: "fields",
      isOptional: true,
      headings: ["instructor", "teacher", "trainer", "lecturer", "given by"],
    },
    { name: "method", type: "method", stored: "method", isOptional: true, headings: METHOD_HEADINGS },
    {
      name: "level",
      type: "choice",
      stored: "level",
      isOptional: true,
      choices: LEVELS,
      headings: ["level", "ndt level", "certification level", "stufe", "niveau", "nivel"],
    },
    { name: "hours", type: "hours", stored: "hours", headings: HOURS_HEADINGS },
  ],
  details: [],
  identity: ["startDate", "endDate", "course", "method", "hours"],
  targetUnits: ["hours", "days"],
  supervisorNeeds: NEEDED_FOR_EVIDENCE,
  schema: trainingSchema,
  formSchema: typedTrainingSchema,
  path: "/training",
  tab: "/progress",
  adminTab: "training",
  adminPath: "/admin/training",
  texts: {
    title: "Training",
    log: "Training",
    hours: "training",
    confirm: "that they took this training",
    twice: ["This training is", "course and hours"],
    thisOne: "this training",
    rows: "Training",
    missing: "There is no such training in your log.",
    alreadyVerified: "This training is already verified.",
    new: {
      title: "Add Training",
      failed: "Failed to save the training. Please try again.",
      saved: { title: "Training saved" },
    },
    edit: "Edit Training",
    delete: "Delete Training",
    deleted: "Training deleted",
    saved: "Training saved",
    restored: "Training restored",
    counts: ["Training records"],
  },
  adminTexts: {
    label: "Training",
    one: "training",
    many: "training",
    counted: ["training record", "training records"],
    hint: "By training course, training provider, instructor, method, level, verifier or technician.",
    missing: "There is no such training.",
    losesVerification: "Its verification is deleted with it.",
    losesLink: "The link to verify it ends.",
  },
  shown: [
    { label: "Period", value: periodOf },
    { label: "Training course", value: ({ course }) => ({ typed: course }) },
    { label: "Training provider", value: ({ organization }) => ({ typed: organization }) },
    { label: "Instructor", value: ({ instructor }) => instructor && { typed: instructor } },
    { label: "NDT Method", value: ({ method }) => method && { text: methodLabel(method) } },
    { label: "Level", value: ({ level }) => level && { text: level } },
    { label: "Hours", value: ({ hours }) => ({ hours }) },
  ],
  groups: ["Training"],
  groupOf: () => "Training",
  plate: () => null,
  noun: () => "training hours",
  stated: () => "you gave this training or hold its record",
  search: ({ course, organization, instructor }) => searchText(course, organization, instructor),
  summary: ({ startDate, course, hours }) =>
    lineWith(`${formatDate(startDate)}, `, course, `: ${formatHours(toHundredths(hours))} hours of training`),
};
