import { searchText } from "#app/db/search-text.ts";
import { ROPE_DETAILS } from "#app/records/details.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { DETAILS, HOURS_HEADINGS, type Kind, LOCATION_HEADINGS, PERIOD_HEADINGS } from "#app/records/kind.ts";
import { lineWith } from "#app/records/record-facts.tsx";
import { NEEDED_FOR_HOURS } from "#app/supervisors/supervisor.schema.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import { type NewRopeHours, type RopeHours, ropeHoursSchema, typedRopeHoursSchema } from "./rope-hours.schema.ts";

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
    missing: "There are no such rope hours in your log.",
    alreadyVerified: "These rope hours are already verified.",
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
    hint: "By location, skills, verifier or technician.",
    missing: "There are no such rope hours.",
    losesVerification: "Their verification is deleted with them.",
    losesLink: "The link to verify them ends.",
  },
  shown: [
    { label: "Period", value: ({ startDate, endDate }) => ({ dates: [startDate, endDate] }) },
    { label: "Location", value: ({ location }) => ({ typed: location }) },
    { label: "Skills", value: ({ skills }) => ({ typed: skills }) },
    { label: "Hours", value: ({ hours }) => ({ hours }) },
  ],
  groups: ["Rope"],
  groupOf: () => "Rope",
  plate: () => null,
  noun: () => "rope hours",
  stated: () => "you supervised this work or are authorised to confirm it",
  search: ({ location, skills, details }) => searchText(location, skills, ...Object.values(details)),
  summary: ({ startDate, endDate, location, hours }) =>
    lineWith(
      `${formatDate(startDate)} to ${formatDate(endDate)}, `,
      location,
      `: ${formatHours(toHundredths(hours))} hours on the rope`,
    ),
};
