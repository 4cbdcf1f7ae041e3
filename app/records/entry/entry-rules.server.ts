import { messageFor, requiredRule, textRule } from "#app/forms/field-rules.server.ts";
import { HOURS_MAX, HOURS_MIN } from "#app/records/hours.ts";
import { entrySchema } from "./entry.schema.ts";
import type { EntryRules } from "./entry-rules.ts";

const { date, location, method, hours } = entrySchema.shape;

/** The entry schema's limits and messages, for the browser. */
export const entryRules: EntryRules = {
  text: { date: requiredRule(date), location: textRule(location), method: requiredRule(method) },
  hours: {
    min: HOURS_MIN,
    tooFew: messageFor(hours, 0),
    max: HOURS_MAX,
    tooMany: messageFor(hours, HOURS_MAX + 1),
  },
};
