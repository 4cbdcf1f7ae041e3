import { isCalendarDate } from "#app/ui/calendar-date.ts";

/** Where a page of a log begins: behind the record with this date (rope hours: the start date) and this id. */
export interface Cursor {
  date: string;
  id: number;
}

/** A place in the log as an address carries it: `2026-11-21.42`, the date and the id of the last record shown. */
export function formatCursor({ date, id }: Cursor): string {
  return `${date}.${id}`;
}

/** Reads a place from an address, or null where it is none. */
export function parseCursor(text: string | null): Cursor | null {
  const [, date, id] = text?.match(/^(\d{4}-\d{2}-\d{2})\.(\d{1,15})$/) ?? [];
  return date && id && isCalendarDate(date) ? { date, id: Number(id) } : null;
}
