import { METHODS } from "#app/db/enumerations.ts";
import { searchText } from "#app/db/search-text.ts";
import { ENTRY_DETAILS } from "#app/records/details.ts";
import { BROUGHT_FORWARD } from "#app/records/evidence.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { DETAILS, HOURS_HEADINGS, type Kind, LOCATION_HEADINGS, METHOD_HEADINGS } from "#app/records/kind.ts";
import { lineWith } from "#app/records/record-facts.tsx";
import { NEEDED_FOR_HOURS } from "#app/supervisors/supervisor.schema.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import { type Entry, entrySchema, type NewEntry, typedEntrySchema } from "./entry.schema.ts";
import { methodLabel } from "./methods.ts";

/** OJT entries: hours of one day with one NDT method. */
export const entryKind: Kind<Entry, NewEntry> = {
  name: "entry",
  partName: "entries",
  jsonKey: "entry",
  listName: "entries",
  fields: [
    {
      name: "date",
      type: "date",
      stored: "date",
      headings: [
        ...["date", "job date", "work date", "date of work", "date worked", "shift date", "inspection date"],
        ...["test date", "activity date", "day", "work day", "as of", "start date", "datum", "fecha", "data", "dato"],
        ...["tag", "arbeitstag", "jour", "dia", "dzien", "dag"],
      ],
    },
    { name: "location", type: "text", stored: "location", headings: LOCATION_HEADINGS },
    {
      name: "method",
      type: "method",
      stored: "method",
      headings: METHOD_HEADINGS,
    },
    { name: "hours", type: "hours", stored: "hours", headings: HOURS_HEADINGS },
    {
      name: "broughtForward",
      type: "flag",
      stored: "broughtForward",
      headings: ["brought forward", "carried forward", "b f", "opening balance"],
    },
    DETAILS,
  ],
  details: ENTRY_DETAILS,
  identity: ["date", "location", "method", "hours"],
  supervisorNeeds: NEEDED_FOR_HOURS,
  schema: entrySchema,
  formSchema: typedEntrySchema,
  path: "/profile",
  tab: "/profile",
  adminTab: "entries",
  adminPath: "/admin/entry",
  texts: {
    title: "OJT Entry",
    log: "OJT Hours",
    hours: "OJT",
    work: "on-the-job training",
    twice: ["These hours are", "place, method and hours"],
    thisOne: "this entry",
    missing: "There is no such entry in your log.",
    alreadyVerified: "This entry is already verified.",
    edit: "Edit Entry",
    delete: "Delete Entry",
    deleted: "Entry deleted",
    saved: "Entry saved",
    restored: "Entry restored",
    counts: ["OJT entries", "Verified entries"],
  },
  adminTexts: {
    label: "Entries",
    one: "entry",
    many: "entries",
    counted: ["entry", "entries"],
    hint: "By location, method, verifier or technician.",
    missing: "There is no such entry.",
    losesVerification: "Its verification is deleted with it.",
    losesLink: "The link to verify it ends.",
  },
  shown: [
    {
      label: "Job Date",
      value: ({ date, broughtForward }) => ({ dates: [date], ...(broughtForward && { mark: BROUGHT_FORWARD }) }),
    },
    { label: "Job Location", value: ({ location }) => ({ typed: location }) },
    { label: "NDT Method", value: ({ method }) => ({ text: methodLabel(method) }) },
    { label: "Hours", value: ({ hours }) => ({ hours }) },
  ],
  groups: METHODS.map(methodLabel),
  groupOf: ({ method }) => methodLabel(method),
  plate: ({ method }) => methodLabel(method),
  noun: () => "OJT hours",
  stated: () => "you supervised this work or are authorised to confirm it",
  // Without the level worked as: the database sets it, after this text is made.
  search: ({ location, method, details: { workedAs: _, ...details } }) =>
    searchText(location, method, methodLabel(method), ...Object.values(details)),
  summary: ({ date, location, method, hours, broughtForward }) =>
    lineWith(
      `${broughtForward ? "Brought forward as of " : ""}${formatDate(date)}, `,
      location,
      `: ${formatHours(toHundredths(hours))} hours ${methodLabel(method)}`,
    ),
};
