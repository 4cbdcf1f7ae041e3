import { formatHours, hoursInWords, parseHours, plainNumber, toHundredths, withoutUnit } from "#app/records/hours.ts";
import { isTimeHeading } from "./columns.ts";

/* The hours of a file: how its numbers are written, what they count, and what must be asked before they are read. */

/** The longest part of a cell in a message. */
const SHOWN_MAX = 40;

export function shorten(cell: string): string {
  const text = cell.replace(/\s+/g, " ").trim();
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

/** How the numbers of a column are written, as far as its cells show. */
type DecimalMark = "." | "," | null;

const OTHER_MARK: { [mark: string]: DecimalMark } = { ".": ",", ",": "." };

/**
 * Finds the decimal mark of a column. `1,5`, `0,125` and `1.234,5` show it, and `1,234,567` shows that it is the other
 * one; `1,234` and `1.234` do not: they may be 1234 or 1.234.
 */
export function decimalMarkOf(cells: Iterable<string>): DecimalMark {
  let found: DecimalMark = null;
  for (const cell of cells) {
    const number = numberIn(cell);
    const [, group] = /^\d{1,3}([.,])\d{3}(?:\1\d{3})+$/.exec(number) ?? [];
    const [, decimal] = /([.,])(?:\d{1,2}|\d{4,})$/.exec(number) ?? /(?:^0|[.,]\d{3})([.,])\d+$/.exec(number) ?? [];
    const mark = group ? OTHER_MARK[group] : decimal;
    if (mark !== "." && mark !== ",") continue;
    if (found !== null && found !== mark) return null;
    found = mark;
  }
  return found;
}

/**
 * The hours in a cell, not rounded: as people type them in a form (`hoursInWords`), and numbers with groups of three, such as
 * `1 234,5`. Null if it is no number, or if it can be read as two.
 */
export function readHours(cell: string, mark: DecimalMark): number | null {
  const plain = plainNumber(cell);
  if (plain === null) return null;
  const hours = hoursInWords(plain);
  return hours === undefined ? parseHours(asDecimal(numberIn(cell), mark) ?? "") : hours;
}

/** The number with a point before its decimals; null if that is not certain. */
function asDecimal(text: string, mark: DecimalMark): string | null {
  // Groups of three: `1,234.5` and `1.234,5`, or `1,234` where the column has shown its decimal mark.
  const [, start = "", group, rest = "", other, end] =
    /^(\d{1,3})([.,])(\d{3}(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(text) ?? [];
  if (group && other && other !== group) return `${start}${rest.replaceAll(group, "")}.${end}`;
  if (group && !other && !/^0+$/.test(start)) {
    if (mark !== null && mark !== group) return `${start}${rest.replaceAll(group, "")}`;
    if (rest.includes(group)) return `${start}${rest.replaceAll(group, "")}`;
    if (mark === null) return null;
  }
  return text.replace(",", ".");
}

/** The cell without spaces, apostrophes between digits, and the unit. */
function numberIn(cell: string): string {
  const plain = plainNumber(cell);
  return plain === null ? cell.trim() : withoutUnit(plain).replace(/ |(?<=\d)['’](?=\d{3})/g, "");
}

/** A cell's value for the schema, and its note in the preview; or why it has none. `to` is the last day of a period. */
export type Cell = { value: unknown; to?: string; said?: string | null } | { message: string };

/** A fraction is a part of a day, as a spreadsheet stores 7:30: 0.3125. A clock has minutes behind its point: 7.30. */
export const HOURS_UNITS = ["hours", "minutes", "days", "fraction", "clock"] as const;
export type HoursUnit = (typeof HOURS_UNITS)[number];

const UNIT_MINUTES =
  /(?:^|[\s([,/])(?:min|mins|minutes?|minuten|minut[oi]s?|minuti|minutter|minuter|minuty)\.?[\s)\]]*$/i;
const DAYS = "(?:days?|tage?|jours?|d[ií]as?|giorni|giorno|dagen|dager|dagar|dni)\\.?";
const UNIT_DAYS = new RegExp(`(?:^|[\\s([,/])${DAYS}[\\s)\\]]*$`, "i");
const IN_DAYS = new RegExp(`^(\\d+(?:[.,]\\d+)?) ?(?:d|${DAYS})$`, "i");

/** A heading that names hours as well, or hours for something: `Hours (h:min)`, `Hours per day`, `Hours/day`. */
const HOURS_TOO = /\/|(?:^|[^\p{L}])(?:h|hrs?|hours?|std|stunden|uren|heures|horas|timer|per|pro|par|por)(?![\p{L}])/iu;

/** The unit that a heading names besides hours: `Duration (min)`, `Minutes`, `Days`. */
export function unitIn(heading: string): HoursUnit | null {
  if (HOURS_TOO.test(heading)) return null;
  return UNIT_MINUTES.test(heading) ? "minutes" : UNIT_DAYS.test(heading) ? "days" : null;
}

/** The number in a cell of days, `5 days` or `2,5 Tage`; undefined for any other cell. */
export function daysIn(cell: string): string | undefined {
  return IN_DAYS.exec(cell.trim())?.[1];
}

/** A cell of hours that is empty, 0 or a dash. */
export const NO_HOURS = /^[\s0.,:-]*$/;

/** The first number, where all are below 1, or one below 1 with more than two decimals: hours, or parts of a day. */
function fractionIn(cells: readonly string[]): string | undefined {
  const some = cells.filter((cell) => !NO_HOURS.test(cell));
  if (some.every((cell) => /^0?[.,]\d+$/.test(cell.trim()))) return some[0];
  return some.find((cell) => /^0?[.,]\d{2,20}[1-9]0*$/.test(cell.trim()));
}

/** The first number, where the decimals of all are quarters of an hour in minutes: 7.30 may be 7:30, or 7.3 hours. */
function clockIn(cells: readonly string[]): string | undefined {
  let found: string | undefined;
  for (const cell of cells) {
    const [, decimals] = /^\d{1,3}[.,](\d+)$/.exec(numberIn(cell)) ?? [];
    if (decimals === undefined) continue;
    if (!["00", "15", "30", "45"].includes(decimals.padEnd(2, "0"))) return undefined;
    if (decimals.length === 2 && decimals !== "00") found ??= cell;
  }
  return found;
}

/** The hours of a number whose decimals are minutes: `7.30`, and `7.3` as a spreadsheet writes it; null for any other. */
function hoursOfClock(cell: string): number | null {
  const [, hours, decimals = ""] = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(numberIn(cell)) ?? [];
  const minutes = Number(decimals.padEnd(2, "0"));
  return hours === undefined || minutes > 59 ? null : Number(hours) + minutes / 60;
}

/** Whether all cells that are not empty have the form of a time of day: `07:00`, `7:00 am`. */
export function areTimesOfDay(cells: readonly string[]): boolean {
  const some = cells.filter((cell) => cell.trim() !== "");
  return some.length > 0 && some.every((cell) => /^\s*\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?\s*$/i.test(cell));
}

interface HoursColumn {
  heading: string;
  cells: readonly string[];
}

/** The technician's choices, null as long as they made none. */
export interface UnitChoices {
  hoursUnit: HoursUnit | null;
  /** The hours of a day. */
  hoursPerDay: number | null;
}

export interface FoundUnits extends UnitChoices {
  /** The unit of each column. */
  units: HoursUnit[];
  isByHeading: boolean;
  /** Whether the file needs a choice, made or not. */
  asks: { hoursUnit: boolean; hoursPerDay: boolean };
  /** The choice that must be made before hours can be read. */
  question: { heading: string; message: string } | null;
}

/**
 * Returns the units of the numbers in these columns: as chosen, else by their headings, else hours if that is certain.
 */
export function unitsOf(columns: readonly HoursColumn[], chosen: UnitChoices): FoundUnits {
  const named = columns.map(({ heading }) => unitIn(heading));
  const cells = columns.flatMap((column) => column.cells);
  const fraction = named.every((unit) => unit === null) ? fractionIn(cells) : undefined;
  const times = columns.find((column) => isTimeHeading(column.heading) && areTimesOfDay(column.cells));
  const clocks = columns.find(({ cells }, index) => named[index] === null && clockIn(cells) !== undefined);
  const isOpen = fraction !== undefined || times !== undefined || clocks !== undefined;
  const byHeading = named.includes("days") ? "days" : (named.find((unit) => unit !== null) ?? "hours");
  const hoursUnit = chosen.hoursUnit ?? (isOpen ? null : byHeading);
  const units = named.map((unit) => chosen.hoursUnit ?? unit ?? "hours");
  const inDays = columns
    .flatMap(({ heading, cells }, index) => cells.map((cell) => ({ heading, cell, unit: units[index] })))
    .find(({ cell, unit }) => (unit === "days" && !NO_HOURS.test(cell)) || daysIn(cell) !== undefined);
  const questionOf = (): FoundUnits["question"] => {
    const choose = "Choose what the hours of this file are";
    if (hoursUnit === null && times) {
      const [cell = ""] = times.cells.filter((one) => one.trim() !== "");
      const message = `“${shorten(cell)}” may be hours or a time of day. ${choose}, or set this column to Ignored.`;
      return { heading: times.heading, message };
    }
    if (hoursUnit === null && fraction !== undefined) {
      const hours = formatHours(toHundredths(Number(fraction.trim().replace(",", ".")) * 24));
      const heading = columns.find((column) => column.cells.includes(fraction))?.heading ?? "";
      return { heading, message: `“${shorten(fraction)}” may be hours, or a part of a day (${hours} h). ${choose}.` };
    }
    if (hoursUnit === null && clocks) {
      const cell = clockIn(clocks.cells) ?? "";
      const [clock, decimal] = [hoursOfClock(cell) ?? 0, readHours(cell, decimalMarkOf(clocks.cells)) ?? 0];
      const [minutes, hours] = [Math.round((clock % 1) * 60), formatHours(toHundredths(decimal))];
      const message = `“${shorten(cell)}” may be ${Math.floor(clock)} hours and ${minutes} minutes, or ${hours} hours. ${choose}.`;
      return { heading: clocks.heading, message };
    }
    if (!inDays || chosen.hoursPerDay !== null) return null;
    return {
      heading: inDays.heading,
      message: `“${shorten(inDays.cell)}” is a number of days. Choose how many hours a day has.`,
    };
  };
  return {
    ...{ hoursUnit, units, isByHeading: chosen.hoursUnit === null },
    hoursPerDay: inDays ? chosen.hoursPerDay : null,
    asks: {
      hoursUnit: isOpen || named.includes("days") || chosen.hoursUnit !== null,
      hoursPerDay: inDays !== undefined,
    },
    question: questionOf(),
  };
}

interface HoursReading {
  mark: DecimalMark;
  /** A cell of the file that may have thousands or decimals; the same message for all such cells is said once. */
  unclear: string | undefined;
  unit: HoursUnit;
  /** Whether the heading names the unit. */
  isByHeading: boolean;
  /** The hours of a day; null where no cell has days. */
  hoursPerDay: number | null;
}

export function readHoursCell(cell: string, column: HoursReading): Cell {
  if (cell.trim() === "") return { value: "" };
  const { mark, unclear = cell, isByHeading, hoursPerDay } = column;
  const days = daysIn(cell);
  const number = days ?? cell;
  const hours = readHours(number, mark);
  if (hours === null) {
    if (unclearNumber(number)) return { message: unclearMessage(unclear) };
    return { message: `“${shorten(cell)}” cannot be read as hours. Write it as 7.5 or 7:30.` };
  }
  const plain = plainNumber(number) ?? "";
  const isInWords = hoursInWords(plain) !== undefined;
  if (column.unit === "clock" && !days && !isInWords) {
    const value = hoursOfClock(cell);
    if (value === null) return { message: `“${shorten(cell)}” cannot be read as hours and minutes. Write it as 7:30.` };
    return { value, said: value === hours ? null : `read as hours and minutes: ${formatHours(toHundredths(value))} h` };
  }
  const hasOwnUnit = isInWords || withoutUnit(plain) !== plain;
  const unit = days ? "days" : hasOwnUnit ? "hours" : column.unit;
  if (unit === "fraction" && hours >= 1)
    return { message: `“${shorten(cell)}” is no part of a day. Write its hours as 7:30.` };
  const value = { hours, clock: hours, minutes: hours / 60, days: hours * (hoursPerDay ?? 0), fraction: hours * 24 }[
    unit
  ];
  const amount = `${formatHours(toHundredths(value))} h`;
  if (unit === "minutes")
    return { value, said: `read as minutes${isByHeading ? ", as the heading says" : ""}: ${amount}` };
  if (unit === "days") return { value, said: `read as days of ${hoursPerDay} hours: ${amount}` };
  if (unit === "fraction") return { value, said: `read as a part of a day: ${amount}` };
  return { value, said: MINUTES_ALONE.test(plain) || column.unit !== "hours" ? `read as ${amount}` : null };
}

/** `20 min`, `18:25 min`. */
const MINUTES_ALONE = /^\d+(?::\d\d)? ?m/;

/** A number that may have thousands or three decimals, in its two parts: `7.500`. */
export function unclearNumber(cell: string): [start: string, end: string] | null {
  const [, start, end] = /^(?!0+[.,])(\d{1,3})[.,](\d{3})$/.exec(numberIn(cell)) ?? [];
  return start && end ? [start, end] : null;
}

function unclearMessage(cell: string): string {
  const [start, end] = unclearNumber(cell) ?? [];
  const decimal = Number(`${start}.${end}`).toFixed(2);
  return `“${shorten(cell)}” may be ${decimal} or ${start}${end} hours. Write the hours of this column with two decimals (${decimal}), or with none.`;
}
