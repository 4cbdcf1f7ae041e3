import { LEVELS } from "#app/db/enumerations.ts";
import { searchText } from "#app/db/search-text.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { HOURS_HEADINGS, type Kind, METHOD_HEADINGS, PERIOD_HEADINGS } from "#app/records/kind.ts";
import { lineWith } from "#app/records/record-facts.tsx";
import { NEEDED_FOR_EVIDENCE } from "#app/supervisors/supervisor.schema.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import { type NewTraining, type Training, trainingSchema, typedTrainingSchema } from "./training.schema.ts";

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
    missing: "There is no such training in your log.",
    alreadyVerified: "This training is already verified.",
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
    hint: "By course, organization, instructor, method, verifier or technician.",
    missing: "There is no such training.",
    losesVerification: "Its verification is deleted with it.",
    losesLink: "The link to verify it ends.",
  },
  shown: [
    { label: "Period", value: ({ startDate, endDate }) => ({ dates: [...new Set([startDate, endDate])] }) },
    { label: "Course", value: ({ course }) => ({ typed: course }) },
    { label: "Organization", value: ({ organization }) => ({ typed: organization }) },
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
  search: ({ course, organization, instructor, method, level }) =>
    searchText(course, organization, instructor, method, method && methodLabel(method), level),
  summary: ({ startDate, course, hours }) =>
    lineWith(`${formatDate(startDate)}, `, course, `: ${formatHours(toHundredths(hours))} hours of training`),
};
