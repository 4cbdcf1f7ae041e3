import { addDays, yearsBefore } from "#app/calendar-date.ts";
import type { DaySum, MonthSum } from "#app/certification/progress-rows.ts";
import type { Method } from "#app/db/enumerations.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { choiceLabel, hasMethods, logHref } from "#app/records/kind.ts";
import type { Reason } from "./progress.ts";
import { daysIn } from "./year-rows.ts";

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
export function yearsOf(sums: readonly Pick<MonthSum, "months">[]): number[] {
  const years = new Set(sums.flatMap(({ months }) => months.map((month) => month.slice(0, 4))));
  return [...years]
    .filter(isShown)
    .map(Number)
    .sort((one, other) => one - other);
}

function isShown(year: string): boolean {
  return /^\d{4}$/.test(year) && Number(year) >= FIRST && Number(year) <= LAST;
}

/** A link to records in the log, by the text that stands for them. */
export interface RecordsLink {
  text: string;
  href: string;
}

/** The filter of the log for records that an item counts, or leaves out for a reason. */
interface Wanted {
  kind: string;
  methods: readonly Method[];
  since: string | null;
  /** Records of the last years alone count. */
  withinYears?: number | null;
  today: string;
  reason?: Reason;
}

/** Links to the records: one for each method, because the log shows one method or all of them. */
export function recordsLinks({ kind, methods, reason, ...dates }: Wanted): RecordsLink[] {
  const filter = {
    status: reason ? (reason === "declined" ? "declined" : "") : "verified",
    ...datesOf(dates, reason),
  };
  const ofKind = kindNamed(kind);
  const { path, adminTexts } = ofKind;
  if (!hasMethods(ofKind) && methods.length === 0) {
    return [{ text: choiceLabel(adminTexts.many), href: logHref(path, filter) }];
  }
  return methods.map((method) => ({ text: methodLabel(method), href: logHref(path, { ...filter, method }) }));
}

/** The dates that the log is filtered by. Records that count are neither before the first day nor in the future. */
function datesOf(
  { since, withinYears, today }: Pick<Wanted, "since" | "withinYears" | "today">,
  reason: Reason | undefined,
): { from: string; to: string } {
  const first = since ?? "";
  const earliest = withinYears ? yearsBefore(today, withinYears) : "";
  if (reason === "in_the_future") return { from: addDays(today, 1), to: "" };
  if (reason === "before_since") return { from: "", to: first && addDays(first, -1) };
  if (reason === "too_old") return { from: first, to: earliest && addDays(earliest, -1) };
  return { from: earliest > first ? earliest : first, to: reason ? today : "" };
}

/** The address of a month's records. */
export function monthHref(kind: string, month: string): string {
  return logHref(kindNamed(kind).path, { from: `${month}-01`, to: `${month}-${daysIn(month)}` });
}
