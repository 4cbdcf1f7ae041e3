import { messageFor, requiredRule, textRule } from "#app/forms/field-rules.server.ts";
import { HOURS_MAX } from "#app/records/hours.ts";
import { ENTRY_HOURS_MIN, entrySchema } from "./entry.schema.ts";
import type { EntryRules } from "./entry-rules.ts";

const { date, location, method, hours } = entrySchema.shape;

/** The entry schema's limits and messages, for the browser. */
export const entryRules: EntryRules = {
  text: { date: requiredRule(date), location: textRule(location), method: requiredRule(method) },
  hours: {
    min: ENTRY_HOURS_MIN,
    tooFew: messageFor(hours, 0),
    max: HOURS_MAX,
    tooMany: messageFor(hours, HOURS_MAX + 1),
  },
};
