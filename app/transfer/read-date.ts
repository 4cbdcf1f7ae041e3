import { DAY_MS, isCalendarDate, toCalendarDate } from "#app/calendar-date.ts";
import { isOfOurTime } from "#app/records/record-fields.ts";

/** The orders of day, month and year in a date of three numbers. */
export const DATE_ORDERS = ["ymd", "dmy", "mdy"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Two digits below this are a year of this century. */
const CENTURY_TURNS = 70;

const LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl", "nb", "sv", "pl", "ja", "th"];

/**
 * The names of months that people and spreadsheets write besides the names and abbreviations of `Intl`: a German Excel
 * writes `Mrz`.
 */
const MORE_MONTHS: [name: string, month: number][] = [
  ["sept", 9],
  ["mrz", 3],
];
const MORE_WEEKDAYS: [name: string, weekday: number][] = [
  ["tues", 2],
  ["weds", 3],
  ["thur", 4],
  ["thurs", 4],
];

interface Names {
  months: Map<string, number>;
  /** A word can be one of several days: `do` is Thursday in Dutch and German, `sa` Saturday in German, `dom` Sunday. */
  weekdays: Map<string, Set<number>>;
}

let names: Names | undefined;

/** The names of months (from 1) and days of the week (Sunday is 0) in the languages of the rigs we know of, made on first use. */
function namesOfDates(): Names {
  if (names) return names;
  const months = new Map<string, number>();
  const weekdays = new Map<string, Set<number>>();
  const addWeekday = (name: string, weekday: number) =>
    weekdays.set(name, (weekdays.get(name) ?? new Set()).add(weekday));
  for (const language of LANGUAGES) {
    for (const style of ["long", "short"] as const) {
      // Alone and beside a day: Polish has two forms, `listopad` and `21 listopada`.
      for (const day of [undefined, "numeric"] as const) {
        const format = new Intl.DateTimeFormat(language, { day, month: style, timeZone: "UTC" });
        for (let index = 0; index < 12; index++) {
          const parts = format.formatToParts(Date.UTC(2026, index, 15));
          const name = plainWord(parts.find(({ type }) => type === "month")?.value ?? "");
          if (name && !months.has(name)) months.set(name, index + 1);
        }
      }
      const format = new Intl.DateTimeFormat(language, { weekday: style, timeZone: "UTC" });
      for (let index = 0; index < 7; index++)
        addWeekday(plainWord(format.format(Date.UTC(2026, 10, 22 + index))), index);
    }
  }
  for (const [name, month] of MORE_MONTHS) months.set(name, month);
  for (const [name, weekday] of MORE_WEEKDAYS) addWeekday(name, weekday);
  names = { months, weekdays };
  return names;
}

/** The month of a name or abbreviation, from 1. */
export const monthNamed = (word: string) => namesOfDates().months.get(plainWord(word));

/** Lower case, without accents and points. Thai vowels are marks, without which March is January. */
function plainWord(text: string): string {
  return text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]|[^\p{L}\p{M}]/gu, "");
}

/** The longest cell that can hold a date. */
const LENGTH_MAX = 60;

/** The signs of footnotes. They would become digits of the date. */
const FOOTNOTE = /[*†‡§²³¹⁰-₉]/g;

/**
 * Returns a cell in one width, with one kind of dash, and without invisible marks, signs of footnotes and a time of
 * day.
 */
function plainCell(cell: string): string {
  if (cell.length > LENGTH_MAX) return "";
  return (
    cell
      .replace(/\p{Cf}/gu, "")
      .replace(FOOTNOTE, "")
      .normalize("NFKC")
      .replace(/[\p{Pd}−]/gu, "-")
      .replace(/\s+/g, " ")
      .trim()
      // A spreadsheet's time of day.
      .replace(/(?:[,\s]+|T)\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\s*(?:[ap]\.?m\.?)?\s*(?:Z|[+-]\d{2}:?\d{2})?$/i, "")
  );
}

type Parts = [first: string, second: string, third: string];

interface FoundDate {
  parts: Parts;
  /** Null if several orders of the parts are possible. */
  order: DateOrder | null;
  /** The days that the word beside the date can mean, if it is one for a day of the week. */
  weekdays?: Set<number> | undefined;
}

const WORD_BEFORE = /^([\p{L}\p{M}]+)[.,]?,? (?=\d)/u;
const WORD_BEHIND = /(?<=\d|日)(?: |,| ?\()([\p{L}\p{M}]+)\.?\)?$/u;

/** The date in a text, also with a day of the week: `mar. 24 nov. 2026` is a Tuesday, and `Mar 24 2026` in March. */
function dateIn(text: string): FoundDate | null {
  for (const at of [WORD_BEFORE, WORD_BEHIND]) {
    const [, word = ""] = at.exec(text) ?? [];
    const weekdays = namesOfDates().weekdays.get(plainWord(word));
    // A word that is no day of the week is left out before a date, as it always was.
    const rest = weekdays || (at === WORD_BEFORE && !monthNamed(word)) ? bareDateIn(text.replace(at, "")) : null;
    if (rest) return { ...rest, weekdays };
  }
  return bareDateIn(text);
}

/** The three numbers of a date, or of a date whose month is a word; null if the text has no such form. */
function bareDateIn(text: string): FoundDate | null {
  const compact = /^((?:19|20)\d{2})(\d{2})(\d{2})$/.exec(text);
  const numbers = compact ?? /^(\d{1,4}) ?[-/.年] ?(\d{1,2}) ?[-/.月] ?(\d{1,4})[.日]?$/.exec(text);
  if (!numbers) return withMonthName(text);
  const [, first = "", second = "", third = ""] = numbers;
  const isYearFirst = first.length === 4 || (first.length <= 2 && Number(first) > 31);
  if (isYearFirst && third.length > 2) return null;
  return { parts: [first, second, third], order: isYearFirst ? "ymd" : null };
}

/** `21 Nov 2026`, `21. November 2026`, `21-Nov-26`, `Nov 21, 2026`, `21 de noviembre de 2026`; no period, such as `Nov 23-27`. */
function withMonthName(text: string): FoundDate | null {
  const plain = text.replace(/\b(?:de|of|the)\b/gi, " ").replace(/(?<=[\p{L}\p{M}])\.(?=[\p{L}\p{M}])/gu, "");
  const tokens = [...plain.matchAll(/[\p{L}\p{M}]+|\d+/gu)].map(([token], index, all) => ({
    token,
    month: /\d/.test(token) ? undefined : monthNamed(token),
    isNumber: /\d/.test(token),
    // A hyphen between this token and the one before it.
    isJoined: index > 0 && plain.slice(all[index - 1]?.index, all[index]?.index).includes("-"),
  }));
  const known = tokens.filter(({ isNumber, month }) => isNumber || month !== undefined);
  const [one, two, three] = known;
  if (known.length !== 3 || tokens.length > 5 || !one || !two || !three || !three.isNumber) return null;
  if (two.month && one.isNumber) {
    if (three.isJoined && !two.isJoined) return null; // `16 Nov - 20`
    return { parts: [one.token, String(two.month), three.token], order: one.token.length === 4 ? "ymd" : "dmy" };
  }
  if (!one.month || !two.isNumber || (three.isJoined && !two.isJoined)) return null;
  return { parts: [two.token, String(one.month), three.token], order: "dmy" };
}

/** The separators between the two ends of a period. */
const BETWEEN = /\/| ?- ?| (?:to|until|bis|au|à|al|a|t\/m|tot|til|till|do) |[~〜]/g;

/** The two ends of a period as they are written; the first one may lack its month and year. */
function endsIn(text: string): [start: string, end: string][] {
  const [, month, start, end, year] = /^(\p{L}+\.?) (\d{1,2}) ?- ?(\d{1,2}),? (\d{4})$/u.exec(text) ?? [];
  if (month) return [[`${start} ${month} ${year}`, `${end} ${month} ${year}`]];
  return [...text.matchAll(BETWEEN)].map(({ index, 0: { length } }) => [
    text.slice(0, index),
    text.slice(index + length),
  ]);
}

/** The order of a column's dates. */
type FoundOrder =
  | { order: DateOrder; ambiguous: null }
  /** Several orders are possible, or none for all cells: `ambiguous` is a cell that shows it. */
  | { order: null; ambiguous: string };

/** A date such as `03.09.2026`. */
const DOTTED = /\d\s?\.\s?\d{1,2}\s?\.\s?\d/;

/**
 * Finds the order of the dates in a column. A day or a month over 12 decides it, and so do points; slashes and dashes
 * do not.
 */
export function orderOf(cells: Iterable<string>): FoundOrder {
  const open: Parts[] = [];
  let ambiguous: string | null = null;
  let mixed = "";
  for (const cell of cells) {
    for (const found of datesIn(cell)) {
      if (found.order) continue;
      open.push(found.parts);
      mixed = cell;
      const [first, second] = found.parts;
      // Where a date has points, the day comes first.
      const isOpen = Number(first) <= 12 && Number(second) <= 12 && first !== second && !DOTTED.test(cell);
      if (isOpen) ambiguous ??= cell;
    }
  }
  const dayFirst = open.some(([first]) => Number(first) > 12);
  const monthFirst = open.some(([, second]) => Number(second) > 12);
  if (dayFirst && !monthFirst && mayBeYearFirst(open)) return { order: null, ambiguous: mixed };
  if (dayFirst && monthFirst) return { order: null, ambiguous: ambiguous ?? mixed };
  if (dayFirst) return { order: "dmy", ambiguous: null };
  if (monthFirst) return { order: "mdy", ambiguous: null };
  if (ambiguous !== null) return { order: null, ambiguous };
  return { order: open.length > 0 ? "dmy" : "ymd", ambiguous: null }; // 03/03/2026 is one day in both orders
}

/** Whether dates such as `26-11-20` may begin with the year: it changes less often than the day. */
function mayBeYearFirst(dates: readonly Parts[]): boolean {
  const isPossible = dates.every(([first, , third]) => Number(first) > 12 && third.length <= 2 && Number(third) <= 31);
  const [years, days] = [new Set(dates.map(([first]) => first)), new Set(dates.map(([, , third]) => third))];
  return isPossible && years.size <= days.size;
}

/** The date of a cell, or those at the two ends of its period. */
function datesIn(cell: string): FoundDate[] {
  const text = plainCell(cell);
  const day = dateIn(text);
  if (day) return [day];
  return endsIn(text).flatMap(([start, end]) => {
    const last = dateIn(end);
    return last ? [dateIn(start), last].filter((found) => found !== null) : [];
  });
}

/** The calendar date in a cell, `YYYY-MM-DD`; null if it is none in this order. */
export function readDate(cell: string, order: DateOrder): string | null {
  const found = dateIn(plainCell(cell));
  return found && dayOf(found, order);
}

/** The days of a cell of dates: from one to another, which are mostly the same. */
export interface ReadDays {
  from: string;
  to: string;
  /** A note for the reader of the preview, if the days are not literally those of the cell. */
  said: string | null;
}

/**
 * Returns the days in a cell, or why it has none in this order. The day of an instant is that in `timeZone`, an IANA
 * name; null: the day as it is written.
 */
export function readDays(
  cell: string,
  order: DateOrder,
  timeZone: string | null = null,
): ReadDays | { problem: string } {
  const instant = timeZone === null ? null : instantIn(cell);
  if (timeZone !== null && instant) {
    const day = toCalendarDate(timeZone, instant);
    return { from: day, to: day, said: `the day in ${timeZone}` };
  }
  const text = plainCell(cell);
  const found = dateIn(text);
  const day = found && dayOf(found, order);
  if (found && day) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    if (found.weekdays && !found.weekdays.has(weekday))
      return { problem: `is a ${WEEKDAYS.format(Date.parse(day))}. Correct the day of the week or the date.` };
    return { from: day, to: day, said: saidOf(cell, found) };
  }
  const period = periodIn(text, order);
  if (period) return { ...period, said: null };
  if (monthIn(text)) return { problem: "is a month. Write the day, too." };
  if (dateIn(`${text} 2000`)) return { problem: "has no year. Write the year, too." };
  if (periodIn(`${text} 2000`, order)) return { problem: "is a period without a year. Write the year, too." };
  return { problem: found?.order ? "is no day of the calendar." : "cannot be read as a date." };
}

/** Whether a text is a month and its year: `Jan 2026`, `01/2026`, `2026-01`. */
function monthIn(text: string): boolean {
  const [, name] = /^(\p{L}[\p{L}\p{M}]*)\.?[ -]?(?:19|20)\d{2}$/u.exec(text) ?? [];
  return name
    ? monthNamed(name) !== undefined
    : /^(?:\d{1,2}[-/.](?:19|20)\d{2}|(?:19|20)\d{2}[-/.]\d{1,2})$/.test(text);
}

const WEEKDAYS = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });

function saidOf(cell: string, { parts }: FoundDate): string | null {
  if (parts.some((part) => part.length === 4 && fullYear(part) !== part)) return "a year of the Buddhist calendar";
  if (isInUtc(cell)) return "the day as it is written, in UTC";
  return cell.replace(FOOTNOTE, "") === cell ? null : "without the sign of a footnote";
}

/** A date with a time of day in UTC, `2026-11-19T23:00:00.000Z`: the moment at which a day began where the program ran. */
const IN_UTC = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|[+-]00:?00)$/i;

function instantIn(cell: string): Date | null {
  const [, date, time] = cell.length > LENGTH_MAX ? [] : (IN_UTC.exec(cell.trim()) ?? []);
  const instant = new Date(`${date}T${time}Z`);
  return date && isCalendarDate(date) && !Number.isNaN(instant.getTime()) ? instant : null;
}

/** Whether a cell has an instant in UTC, but for midnight, as which some programs write a day. */
export function isInUtc(cell: string): boolean {
  const instant = instantIn(cell);
  return instant !== null && instant.getTime() % DAY_MS !== 0;
}

/** The longest period: more is a slip. */
const DAYS_MAX = 366;

/** The first and the last day of a period: `16-20 Nov 2026`, `28 Dec - 2 Jan 2026`, `23/11/2026 - 27/11/2026`. */
function periodIn(text: string, order: DateOrder): { from: string; to: string } | null {
  for (const [start, end] of endsIn(text)) {
    const last = dateIn(end);
    const to = last && dayOf(last, order);
    const from = to && firstDay(start.trim(), to, order);
    if (from && from < to && Date.parse(to) - Date.parse(from) <= DAYS_MAX * 86_400_000) return { from, to };
  }
  return null;
}

/** The first day of a period that ends on a day, from which it has what is not written: `16` and `16 Nov` of `20 Nov 2026`. */
function firstDay(text: string, to: string, order: DateOrder): string | null {
  const whole = dateIn(text);
  if (whole) return dayOf(whole, order);
  const [year = "", month = ""] = to.split("-");
  if (/^\d{1,2}\.?$/.test(text)) return dayOf({ parts: [text.replace(".", ""), month, year], order: "dmy" }, order);
  const numbers = /^(\d{1,2}) ?[./-] ?(\d{1,2})\.?$/.exec(text);
  const found = numbers
    ? { parts: [numbers[1], numbers[2], year] as Parts, order: order === "mdy" ? order : ("dmy" as const) }
    : withMonthName(`${text} ${year}`);
  const day = found && dayOf(found, order);
  // Over the end of a year: `28 Dec - 2 Jan 2026`.
  return day && day > to ? `${Number(year) - 1}${day.slice(4)}` : day;
}

function dayOf({ parts: [first, second, third], order: own }: FoundDate, order: DateOrder): string | null {
  const [year, month, day] = {
    ymd: [first, second, third],
    dmy: [third, second, first],
    mdy: [third, first, second],
  }[own ?? order] as Parts;
  if (year.length !== 2 && year.length !== 4) return null;
  const date = `${fullYear(year)}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isCalendarDate(date) && isOfOurTime(date) ? date : null;
}

/** The year of the Buddhist calendar is 543 more; years such as 2569 are in no record of work. */
const BUDDHIST = 543;

function fullYear(year: string): string {
  if (year.length > 2) return String(Number(year) > 2400 && Number(year) < 2700 ? Number(year) - BUDDHIST : year);
  return String(Number(year) + (Number(year) < CENTURY_TURNS ? 2000 : 1900));
}
