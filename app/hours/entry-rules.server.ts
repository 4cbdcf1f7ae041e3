import { TEXT_MAX } from "#app/http/fields.ts";
import { ENTRY_HOURS_MIN, entrySchema } from "./entry.schema.ts";
import type { EntryDraft, EntryRules } from "./entry-rules.ts";
import { HOURS_MAX } from "./hours.ts";

/** The schema's own limits and messages for the browser, which gets no schema: the library would be all it loads. */
export const entryRules: EntryRules = {
  required: {
    date: messageFor("date", ""),
    location: messageFor("location", ""),
    method: messageFor("method", ""),
    hours: messageFor("hours", ""),
  },
  locationMax: { characters: TEXT_MAX, message: messageFor("location", "x".repeat(TEXT_MAX + 1)) },
  hoursMin: ENTRY_HOURS_MIN,
  hoursMax: { hours: HOURS_MAX, message: messageFor("hours", HOURS_MAX + 1) },
};

/** What the schema says of a value that it refuses. */
function messageFor(field: keyof EntryDraft, value: unknown): string {
  const message = entrySchema.shape[field].safeParse(value).error?.issues[0]?.message;
  if (!message) throw new Error(`the schema accepts ${JSON.stringify(value)} as ${field}`);
  return message;
}
