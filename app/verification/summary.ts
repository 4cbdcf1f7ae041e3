import { formatDate } from "#app/hours/calendar-date.ts";
import type { Entry } from "#app/hours/entries.server.ts";
import { formatHours, toHundredths } from "#app/hours/hours.ts";
import { methodLabel } from "#app/hours/methods.ts";
import type { RopeHours } from "#app/hours/rope-hours.server.ts";

/** A record in one line. */
export function summaryOf(record: Entry | RopeHours): string {
  const hours = `${formatHours(toHundredths(record.hours))} hours`;
  if ("method" in record) {
    return `${formatDate(record.date)}, ${record.location}: ${hours} ${methodLabel(record.method)}`;
  }
  return `${formatDate(record.startDate)} to ${formatDate(record.endDate)}, ${record.location}: ${hours} on the rope`;
}
