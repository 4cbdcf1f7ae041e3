import { z } from "zod";
import { formatPeriod } from "#app/calendar-date.ts";
import type { TextRule } from "#app/forms/field-rules.ts";
import { messageFor, requiredRule, text, textRule } from "#app/forms/fields.ts";
import { searchText } from "#app/plain-text.ts";
import { type Details, detailsSchema, ROPE_DETAILS } from "#app/records/details.ts";
import { formatHours, HOURS_MAX, parseHours, toHundredths } from "#app/records/hours.ts";
import {
  type AnyRecord,
  DETAILS,
  HOURS_HEADINGS,
  type Kind,
  LOCATION_HEADINGS,
  PERIOD_HEADINGS,
  periodOf,
  WORK_STATED,
} from "#app/records/kind.ts";
import {
  boundedHours,
  calendarDate,
  type HasFields,
  hoursInForm,
  sentHours,
  withTextLimit,
} from "#app/records/record-fields.ts";
import { NEEDED_FOR_HOURS } from "#app/supervisors/supervisor.schema.ts";
import { lineWith } from "#app/ui/page.tsx";

/** The maximum length of the skills text, in characters. */
const SKILLS_MAX = 2_000;

/** The message for missing fields and for hours that are not a number (spec section 5). */
export const FILL_IN = "Please fill in all fields";

const END_AFTER_START = "End date must be after start date";

const hours = z
  .unknown()
  .transform(parseHours)
  .refine((value) => value !== null, { message: FILL_IN, abort: true })
  .pipe(boundedHours(0, "Hours must be 0 or more"))
  .meta(sentHours(0));

const ropeHoursFields = z.object(
  {
    startDate: calendarDate("Start date", FILL_IN),
    endDate: calendarDate("End date", FILL_IN),
    location: text({ required: FILL_IN, label: "Location" }),
    skills: text({ required: FILL_IN, label: "Skills", max: SKILLS_MAX, multiline: true }),
    hours,
    details: detailsSchema(ROPE_DETAILS),
  },
  { error: "Rope hours are an object with startDate, endDate, location, skills and hours" },
);

export const ropeHoursSchema = withTextLimit(ropeHoursFields, (): HasFields => ropeHoursKind)
  // ISO dates compare correctly as text. The end is the last day of work.
  .refine(({ startDate, endDate }) => endDate >= startDate, { path: ["endDate"], message: END_AFTER_START });

/** Rope hours in a form, where hours may have a decimal comma. */
const typedRopeHoursSchema = ropeHoursSchema.safeExtend({ hours: hoursInForm(hours) });

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
  /** For a period that ends before its first day: the words of the spec, section 9. */
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

export const ropeHoursKind: Kind<RopeHours, NewRopeHours> = {
  name: "rope_hour",
  partName: "ropeHours",
  jsonKey: "ropeHour",
  listName: "rope_hours",
  fields: [
    { name: "startDate", type: "date", stored: "date", headings: PERIOD_HEADINGS.start },
    { name: "endDate", type: "date", stored: "endDate", headings: PERIOD_HEADINGS.end },
    { name: "location", type: "text", stored: "location", headings: LOCATION_HEADINGS },
    {
      name: "skills",
      type: "text",
      stored: "fields",
      headings: [
        ...["skills", "skill", "work task", "tasks", "task", "task performed", "tasks performed", "work performed"],
        ...["work done", "description of work", "work description", "description", "details", "nature of work"],
        ...["type of work", "activity", "activities", "work", "rope access task"],
        ...["tatigkeit", "beschreibung", "werkzaamheden", "omschrijving", "travaux", "taches", "tareas", "trabajos"],
        ...["descripcion", "tarefas", "descricao", "zadania", "opis", "oppgaver", "beskrivelse", "arbeid"],
      ],
    },
    { name: "hours", type: "hours", stored: "hours", headings: HOURS_HEADINGS },
    DETAILS,
  ],
  details: ROPE_DETAILS,
  identity: ["startDate", "endDate", "location", "hours"],
  targetUnits: ["hours", "months"],
  supervisorNeeds: NEEDED_FOR_HOURS,
  schema: ropeHoursSchema,
  formSchema: typedRopeHoursSchema,
  path: "/rope-hours",
  tab: "/rope-hours",
  adminTab: "rope-hours",
  adminPath: "/admin/rope-hours",
  texts: {
    title: "Rope Hours",
    log: "Rope Hours",
    hours: "rope",
    work: "rope-access work",
    twice: ["These hours are", "place and hours"],
    thisOne: "these hours",
    rows: "Rope Hours",
    missing: "There are no such rope hours in your log.",
    alreadyVerified: "These rope hours are already verified.",
    new: {
      title: "Rope Hours",
      failed: "Failed to log rope hours. Please try again.",
      saved: { title: "Success", text: "Rope hours logged successfully" },
    },
    edit: "Edit Rope Hours",
    delete: "Delete Rope Hours",
    deleted: "Rope hours deleted",
    saved: "Rope hours saved",
    restored: "Rope hours restored",
    counts: ["Rope hours records"],
  },
  adminTexts: {
    label: "Rope Hours",
    one: "rope hours",
    many: "rope hours",
    counted: ["rope hours record", "rope hours records"],
    hint: "By location, skills, details, verifier or technician.",
    missing: "There are no such rope hours.",
    losesVerification: "Their verification is deleted with them.",
    losesLink: "The link to verify them ends.",
  },
  shown: [
    { label: "Period", value: periodOf },
    { label: "Location", value: ({ location }) => ({ typed: location }) },
    { label: "Skills", value: ({ skills }) => ({ typed: skills }) },
    { label: "Hours", value: ({ hours }) => ({ hours }) },
  ],
  groups: ["Rope"],
  groupOf: () => "Rope",
  plate: () => null,
  noun: () => "rope hours",
  stated: () => WORK_STATED,
  search: ({ location, skills, details: { purpose: _, ...details } }) =>
    searchText(location, skills, ...Object.values(details)),
  summary: ({ startDate, endDate, location, hours }) =>
    lineWith(
      `${formatPeriod(startDate, endDate)}, `,
      location,
      `: ${formatHours(toHundredths(hours))} hours on the rope`,
    ),
};
