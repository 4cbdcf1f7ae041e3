import type { DaySum, MonthSum } from "./progress-rows.ts";

/** What the pictures of a year show. */
export interface ProgressYear {
  year: number;
  /** The years that have records. */
  years: number[];
  /** The sums of all years. */
  months: MonthSum[];
  /** The sums of the days of this year. */
  days: DaySum[];
  /** Whether the URL asks for a table of the days. */
  hasDayTable: boolean;
}

/** The years that a page can show: four digits, and one that follows. A date can have any year. */
const FIRST = 1000;
const LAST = 9998;

/** The year that a URL asks for; without one, or with one that no page shows, the year of today. */
export function yearFrom({ searchParams }: URL, today: string): number {
  const text = searchParams.get("year") ?? "";
  return isShown(text) ? Number(text) : Number(today.slice(0, 4));
}

/** The years that have records, the oldest first. */
export function yearsOf(months: readonly { month: string }[]): number[] {
  const years = new Set(months.map(({ month }) => month.slice(0, 4)));
  return [...years]
    .filter(isShown)
    .map(Number)
    .sort((one, other) => one - other);
}

function isShown(year: string): boolean {
  return /^\d{4}$/.test(year) && Number(year) >= FIRST && Number(year) <= LAST;
}
