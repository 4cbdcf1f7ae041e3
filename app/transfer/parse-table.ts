import Papa from "papaparse";
import { AppError } from "#app/errors.ts";
import { withoutMarks } from "#app/server/csv.ts";

/** The most rows and columns of an import. */
export const ROWS_MAX = 5_000;
export const COLUMNS_MAX = 100;

/** Far more than 5,000 rows with line breaks in their cells. A row costs memory even if it is empty. */
const LINES_MAX = 100_000;

/** How many rows, and of how long a text, are searched for the header. */
const HEADER_ROWS = 20;
const HEADER_LENGTH = 100_000;

const DELIMITERS = [",", ";", "\t", "|"];

/** A row of a file, numbered as a spreadsheet numbers it, from 1. */
export interface TableRow {
  number: number;
  /** One more than an import may have at most: of a longer row the last one, instead of those between. */
  cells: string[];
}

/** A row whose cells are cut, and how many it has up to the last one with text. */
export interface ReadRow extends TableRow {
  width: number;
}

export interface Table {
  /** The names in the header. */
  columns: string[];
  /** The number of the header's row; 0 if the file has none. */
  header: number;
  /** The rows above the header. */
  above: TableRow[];
  /** The rows with anything in them. */
  rows: TableRow[];
}

/**
 * Finds the table in the rows of a sheet, or in a text whose rows have commas, semicolons, tabs or bars. `score` says how many
 * columns of an import a row names: it finds the header under the title of a form, and the right delimiter. `isData` says
 * whether a row has no names but values.
 * @throws {AppError} 400 for a text that cannot be imported
 */
export function parseTable(
  source: string | ReadRow[],
  score: (cells: string[]) => number,
  isData: (cells: string[]) => boolean,
): Table {
  const rows = typeof source === "string" ? rowsOfText(source, score) : source;
  const [first] = rows;
  if (!first) throw new AppError("invalid", "There is nothing in it. Choose another file, or paste the rows.");
  const scores = rows.slice(0, HEADER_ROWS).map(({ cells }) => score(cells.slice(0, COLUMNS_MAX)));
  const best = Math.max(...scores);
  const header = best > 1 ? (rows[scores.indexOf(best)] ?? first) : isData(first.cells) ? null : first;
  const below = header ? rows.slice(rows.indexOf(header) + 1) : rows;
  const units = header && below[0] && areUnits(below[0]) ? below[0] : null;
  const data = units ? below.slice(1) : below;
  if (data.length === 0) throw new AppError("invalid", "There is a header, but no row below it.");
  if (data.length > ROWS_MAX) throw tooManyRows();
  const { width } = header ?? first;
  if (width > COLUMNS_MAX) {
    throw new AppError(
      "invalid",
      `There are ${width.toLocaleString("en")} columns: at most ${COLUMNS_MAX} can be imported.`,
    );
  }
  const columns = header
    ? header.cells.slice(0, width)
    : first.cells.slice(0, COLUMNS_MAX).map((_, index) => `Column ${index + 1}`);
  return {
    columns: columns.map((name, index) => `${name.trim()} ${units?.cells[index]?.trim() ?? ""}`.trim()),
    header: header?.number ?? 0,
    above: header ? rows.slice(0, rows.indexOf(header)) : [],
    rows: data,
  };
}

/** Whether a row below the header has the units of its columns and nothing else: `(min)`. */
function areUnits({ cells }: TableRow): boolean {
  const some = cells.filter((cell) => cell.trim() !== "");
  return some.length > 0 && some.every((cell) => UNIT.test(cell));
}

const UNIT =
  /^\s*[([]?(?:min|mins|minutes?|minuten|minuty|h|hrs?|hours?|std|stunden|uren|heures|horas|days?|tage)\.?[)\]]?\s*$/i;

function rowsOfText(text: string, score: (cells: string[]) => number): ReadRow[] {
  if ((text.match(/\n/g)?.length ?? 0) > LINES_MAX) throw tooManyRows();
  return rowsOf(text, delimiterOf(text, score));
}

export function tooManyRows(): AppError {
  const max = ROWS_MAX.toLocaleString("en");
  return new AppError("invalid", `There are more than ${max} rows. Import them in parts of at most ${max}.`);
}

/** The delimiter by which the header has the most names that we know, or else by which rows have the most cells. */
function delimiterOf(text: string, score: (cells: string[]) => number): string {
  const start = text.slice(0, HEADER_LENGTH);
  const points = DELIMITERS.map((delimiter) => {
    const options = { delimiter, newline: "\n" as const, preview: HEADER_ROWS };
    const { data } = Papa.parse<string[]>(soundPart(withQuotes(start, delimiter), delimiter), options);
    return Math.max(...data.map((cells) => score(cells.slice(0, COLUMNS_MAX)) * 1_000 + Math.min(cells.length, 999)));
  });
  return DELIMITERS[points.indexOf(Math.max(...points))] ?? ",";
}

/**
 * Text that a spreadsheet copies is separated by tabs, and quotes cells with line breaks alone. Returns it with every other
 * cell quoted that begins with a quotation mark: a ditto mark, which would join the rows up to the next one, and
 * `"Stena Don" rig`.
 */
function withQuotes(text: string, delimiter: string): string {
  if (delimiter !== "\t" || !text.includes(delimiter)) return text;
  const isEnd = (at: number) => at >= text.length || text[at] === "\t" || text[at] === "\n";
  const parts: string[] = [];
  let kept = 0; // all before it is in `parts`
  for (let from = text.indexOf('"'); from !== -1; ) {
    const next = from + 1;
    if (from > 0 && !isEnd(from - 1)) {
      from = text.indexOf('"', next);
      continue;
    }
    let closing = isEnd(next) ? -1 : text.indexOf('"', next);
    while (closing !== -1 && text[closing + 1] === '"') closing = text.indexOf('"', closing + 2);
    let behind = closing + 1;
    while (closing !== -1 && text[behind] === " ") behind += 1;
    if (closing !== -1 && isEnd(behind)) {
      from = text.indexOf('"', behind);
      continue;
    }
    let end = next;
    while (!isEnd(end)) end += 1;
    parts.push(text.slice(kept, from), `"${text.slice(from, end).replaceAll('"', '""')}"`);
    kept = end;
    from = text.indexOf('"', end);
  }
  return parts.join("") + text.slice(kept);
}

/**
 * The text up to the first cell with text after its closing quotation mark; all of it if there is none. Papaparse goes on after such
 * a mark, as if it were text, and looks for the end of the line again each time: a line of a MiB would take minutes.
 */
function soundPart(text: string, delimiter: string): string {
  const isEnd = (at: number) => at === text.length || text[at] === delimiter || text[at] === "\n";
  for (let from = 0; ; ) {
    const opening = text.indexOf('"', from);
    if (opening === -1) return text;
    from = opening + 1;
    if (opening > 0 && !isEnd(opening - 1)) continue; // a mark inside a cell is text
    let closing = text.indexOf('"', from);
    while (closing !== -1 && text[closing + 1] === '"') closing = text.indexOf('"', closing + 2);
    if (closing === -1) return text;
    from = closing + 1;
    while (!isEnd(from) && text[from]?.trim() === "") from += 1;
    if (!isEnd(from)) return text.slice(0, opening);
  }
}

/** The rows with text. They are cut before anything looks at their cells: one MiB can be 500,000 of them. */
function rowsOf(original: string, delimiter: string): ReadRow[] {
  const text = withQuotes(original, delimiter);
  const sound = soundPart(text, delimiter);
  const { data, errors } = Papa.parse<string[]>(sound, { delimiter, newline: "\n" });
  const isOpen = errors.some(({ type }) => type === "Quotes");
  if (isOpen || sound.length < text.length) {
    const row = Math.max(1, data.length); // the last one
    throw new AppError(
      "invalid",
      `Row ${row} has a quotation mark that is not closed, or text after a closed one. Correct it and try again.`,
    );
  }
  return data.flatMap((cells, index) => {
    const width = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
    if (width === 0) return [];
    const cut = width > COLUMNS_MAX ? [...cells.slice(0, COLUMNS_MAX), cells[width - 1] ?? ""] : cells;
    const texts = cut.slice(0, COLUMNS_MAX + 1).map((cell) => (cell.includes("'") ? withoutMarks(cell) : cell));
    return { number: index + 1, cells: texts, width };
  });
}
