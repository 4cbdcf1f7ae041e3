import { addDays, formatMonth } from "#app/ui/calendar-date.ts";

/** How far away an estimate still names a part of a month, in days. */
const NEAR = 120;

/** An estimate as roughly as it is known: `mid-December 2026`, and `March 2027` if it is more than four months away. */
export function estimateText(date: string, today: string): string {
  const month = formatMonth(date);
  if (date > addDays(today, NEAR)) return month;
  const day = Number(date.slice(8));
  return `${day <= 10 ? "early" : day <= 20 ? "mid" : "late"}-${month}`.replace(/^(early|late)-/, "$1 ");
}
