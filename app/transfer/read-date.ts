import { isCalendarDate } from "#app/calendar-date.ts";
import { isOfOurTime } from "#app/records/record-fields.ts";

/** The orders of day, month and year in a date of three numbers. */
export const DATE_ORDERS = ["ymd", "dmy", "mdy"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Two digits below this are a year of this century. */
const CENTURY_TURNS = 70;

const LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl", "nb", "sv", "pl"];

/** Month names and their abbreviations, in the languages of the rigs we know of, made on first use. */
let months: Map<string, number> | undefined;

function monthNamed(word: string): number | undefined {
  if (!months) {
    months = new Map();
    for (const language of LANGUAGES) {
      for (const month of ["long", "short"] as const) {
        // Alone and beside a day: Polish has two forms, `listopad` and `21 listopada`.
        for (const day of [undefined, "numeric"] as const) {
          const format = new Intl.DateTimeFormat(language, { day, month, timeZone: "UTC" });
          for (let index = 0; index < 12; index++) {
            const parts = format.formatToParts(Date.UTC(2026, index, 15));
            const name = plainWord(parts.find(({ type }) => type === "month")?.value ?? "");
            if (!months.has(name)) months.set(name, index + 1);
          }
        }
      }
    }
    months.set("sept", 9);
  }
  return months.get(word);
}

/** Lower case, without accents and points. */
function plainWord(text: string): string {
  return text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^\p{L}]/gu, "");
}

/** The longest cell that can hold a date. */
const LENGTH_MAX = 60;

type Parts = [first: string, second: string, third: string];

/** The three numbers of a date, or of a date whose month is a word; null if the cell has no such form. */
function partsOf(cell: string): { parts: Parts; order: DateOrder | null } | null {
  if (cell.length > LENGTH_MAX) return null;
  const text = cell
    .normalize("NFKC")
    .trim()
    // A spreadsheet's time of day.
    .replace(/(?:[,\s]+|T)\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\s*(?:[ap]\.?m\.?)?\s*(?:Z|[+-]\d{2}:?\d{2})?$/i, "")
    .replace(/^\p{L}+[.,]?\s+(?=\d)/u, (word) => (monthNamed(plainWord(word)) ? word : "")); // a day of the week
  const compact = /^((?:19|20)\d{2})(\d{2})(\d{2})$/.exec(text);
  const numbers = compact ?? /^(\d{1,4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,4})[.日]?$/.exec(text);
  if (numbers) {
    const [, first = "", second = "", third = ""] = numbers;
    const isYearFirst = first.length === 4 || (first.length <= 2 && Number(first) > 31);
    if (isYearFirst && third.length > 2) return null;
    return { parts: [first, second, third], order: isYearFirst ? "ymd" : null };
  }
  return withMonthName(text);
}

/** `21 Nov 2026`, `21. November 2026`, `21-Nov-26`, `Nov 21, 2026`, `21 de noviembre de 2026`. */
function withMonthName(text: string): { parts: Parts; order: DateOrder } | null {
  const words = text.replace(/\b(?:de|of|the)\b/gi, " ").match(/\p{L}+|\d+/gu) ?? [];
  const named = words.flatMap((word) => (/\d/.test(word) ? [] : [monthNamed(plainWord(word))]));
  const [month] = named.filter((number) => number !== undefined);
  const [first = "", second = "", ...others] = words.filter((word) => /^\d+$/.test(word));
  if (!month || !second || others.length > 0 || named.length > 3) return null;
  if (first.length === 4) return { parts: [first, String(month), second], order: "ymd" };
  return { parts: [first, String(month), second], order: "dmy" };
}

/** What the dates of a column tell about their order. */
type FoundOrder =
  | { order: DateOrder; ambiguous: null }
  /** Several orders are possible, or none for all cells: `ambiguous` is a cell that shows it. */
  | { order: null; ambiguous: string };

/** A date such as `03.09.2026`. */
const DOTTED = /\d\s?\.\s?\d{1,2}\s?\.\s?\d/;

/** The order of the dates in a column. A day or a month over 12 tells it, and so do points; slashes and dashes do not. */
export function orderOf(cells: Iterable<string>): FoundOrder {
  const open: Parts[] = [];
  let ambiguous: string | null = null;
  let mixed = "";
  for (const cell of cells) {
    const found = partsOf(cell);
    if (!found || found.order) continue;
    open.push(found.parts);
    mixed = cell;
    const [first, second] = found.parts;
    // Where a date has points, the day comes first.
    const isOpen = Number(first) <= 12 && Number(second) <= 12 && first !== second && !DOTTED.test(cell);
    if (isOpen) ambiguous ??= cell;
  }
  const dayFirst = open.some(([first]) => Number(first) > 12);
  const monthFirst = open.some(([, second]) => Number(second) > 12);
  if (dayFirst && monthFirst) return { order: null, ambiguous: ambiguous ?? mixed };
  if (dayFirst) return { order: "dmy", ambiguous: null };
  if (monthFirst) return { order: "mdy", ambiguous: null };
  if (ambiguous !== null) return { order: null, ambiguous };
  return { order: open.length > 0 ? "dmy" : "ymd", ambiguous: null }; // 03/03/2026 is one day in both orders
}

/** The calendar date in a cell, `YYYY-MM-DD`; null if it is none in this order. */
export function readDate(cell: string, order: DateOrder): string | null {
  const found = partsOf(cell);
  if (!found) return null;
  const [first, second, third] = found.parts;
  const [year, month, day] = {
    ymd: [first, second, third],
    dmy: [third, second, first],
    mdy: [third, first, second],
  }[found.order ?? order] as Parts;
  if (year.length !== 2 && year.length !== 4) return null;
  const date = `${fullYear(year)}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isCalendarDate(date) && isOfOurTime(date) ? date : null;
}

function fullYear(year: string): string {
  if (year.length > 2) return year;
  return String(Number(year) + (Number(year) < CENTURY_TURNS ? 2000 : 1900));
}
