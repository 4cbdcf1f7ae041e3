import { formatDate } from "#app/calendar-date.ts";
import { choiceLabel, type Field } from "#app/records/kind.ts";
import { methodNamed, plainHeading } from "./columns.ts";
import { type DateOrder, readDays } from "./read-date.ts";
import { type Cell, readHours, shorten } from "./read-hours.ts";

/* The meanings of cells without hours: dates, choices, marks, words. */

/** How the message about a word for a method that is not known ends. */
export const NOT_A_METHOD = "is not a known method. Choose what it means, or correct it.";

/** The words that people write for a certificate without an end. */
const NO_END =
  /^(?:n ?a|none|never|no expiry|does not expire|not applicable|unlimited|indefinite|kein[e]?|unbegrenzt|nie|aucune?|geen|ingen|brak)$/;

/** How the dates of a file are read. */
export interface DateReading {
  order: DateOrder;
  /** The time zone of the days of instants; null for the day as it is written. */
  timeZone: string | null;
  /** How a period in one cell is treated, by the kind and its columns: read, or a problem. */
  period: "read" | "two columns" | "several rows";
}

/** Reads a cell of any type but hours. */
export function readCell(
  { type, choices = [] }: Pick<Field, "type" | "choices">,
  cell: string,
  { order, timeZone, period }: DateReading,
): Cell {
  if (cell.trim() === "") return { value: type === "flag" ? undefined : "" };
  const shown = `“${shorten(cell)}”`;
  if (type === "date" || type === "expiry") {
    if (type === "expiry" && (NO_END.test(plainHeading(cell)) || /^[\s./\p{Pd}]+$/u.test(cell)))
      return { value: "", said: "read as no expiry date" };
    const days = readDays(cell, order, timeZone);
    if ("problem" in days) return { message: `${shown} ${days.problem}` };
    const said = days.said && `read as ${formatDate(days.from)}, ${days.said}`;
    if (days.from === days.to || period === "read") return { value: days.from, to: days.to, said };
    return {
      message:
        period === "two columns"
          ? `${shown} is a period: write its first and its last day in two columns.`
          : `${shown} is a period: write a row for each day.`,
    };
  }
  if (type === "method") {
    const method = methodNamed(cell);
    return method ? { value: method } : { message: `${shown} ${NOT_A_METHOD}` };
  }
  if (type === "choice") {
    const choice = choiceNamed(choices, cell);
    return choice ? { value: choice } : { message: `${shown} is none of ${choices.map(choiceLabel).join(", ")}.` };
  }
  if (type === "score") {
    // At most 100, so its point or comma is the decimal mark. `\s*` before the unit would take minutes for a MiB of spaces.
    const number = cell.trimEnd().replace(/(?:%|\/\s*100|of 100)$/i, "");
    const score = readHours(number, cell.includes(",") ? "," : ".");
    return score === null ? { message: `${shown} cannot be read as a mark from 0 to 100.` } : { value: score };
  }
  if (type === "flag") {
    const text = cell.trim().toLowerCase();
    if (["yes", "y", "true", "1", "x"].includes(text)) return { value: true };
    return ["no", "n", "false", "0", "-"].includes(text)
      ? { value: undefined }
      : { message: `${shown} is not yes or no.` };
  }
  return { value: cell };
}

/** A level as people write it, as `plainHeading` leaves it: `II`, `2`, `L2`, `Level 2`, `Niveau II`, `Stufe 2`. */
const LEVEL = /^(?:level|lvl|l|niveau|nivel|stufe|stopien|poziom|niva)? ?(i{1,3}|[123])$/;
const NUMERALS: Record<string, string> = { "1": "i", "2": "ii", "3": "iii" };

/** The choice that a cell means, as it is stored or as people read it. */
function choiceNamed(choices: readonly string[], cell: string): string | undefined {
  const plain = (text: string) =>
    plainHeading(text).replace(LEVEL, (_, number: string) => `level ${NUMERALS[number] ?? number}`);
  return choices.find((choice) => plain(choiceLabel(choice)) === plain(cell.replaceAll("_", " ")));
}
