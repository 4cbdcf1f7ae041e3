import { isCalendarDate } from "#app/calendar-date.ts";

/** The position of a page in a log: the date (rope hours: start date) and id of the last record on the page before. */
export interface Cursor {
  date: string;
  id: number;
}

/** A cursor as a URL parameter: `2026-11-21.42`. */
export function formatCursor({ date, id }: Cursor): string {
  return `${date}.${id}`;
}

/** Reads a cursor from a URL parameter; null if it is missing or invalid. */
export function parseCursor(text: string | null): Cursor | null {
  const [, date, id] = text?.match(/^(\d{4}-\d{2}-\d{2})\.(\d{1,15})$/) ?? [];
  return date && id && isCalendarDate(date) ? { date, id: Number(id) } : null;
}
