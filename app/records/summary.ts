import type { Entry } from "#app/records/entry/entries.server.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import type { RopeHours } from "#app/records/rope-hours/rope-hours.server.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import { formatHours, toHundredths } from "./hours.ts";

/** A record in one line. */
export function summaryOf(record: Entry | RopeHours): string {
  const hours = `${formatHours(toHundredths(record.hours))} hours`;
  if ("method" in record) {
    return `${formatDate(record.date)}, ${record.location}: ${hours} ${methodLabel(record.method)}`;
  }
  return `${formatDate(record.startDate)} to ${formatDate(record.endDate)}, ${record.location}: ${hours} on the rope`;
}
