import { formatHours } from "#app/records/hours.ts";
import type { Form, FormRow } from "./form.ts";
import { linesOf, type WidthOf } from "./lines.ts";
import { inEm, PADDING, rowHigh, SIZE, SMALL, SUPERVISOR, textWidth, widthsOf } from "./paper.ts";

/** Sums of hours in hundredths, so that they are exact: of each column of hours, and of all. */
export interface Sums {
  columns: number[];
  all: number;
}

/** Adds rows to sums of the rows before, or to nothing. */
export function sumsOf(rows: readonly FormRow[], { columns }: Pick<Form, "columns">, before?: Sums): Sums {
  const sums = { columns: before?.columns.slice() ?? columns.map(() => 0), all: before?.all ?? 0 };
  for (const { column, hundredths } of rows) {
    sums.columns[column] = (sums.columns[column] ?? 0) + (hundredths ?? 0);
    sums.all += hundredths ?? 0;
  }
  return sums;
}

/** The sums as they are shown, rounded once: a cell for each column, and the whole. */
export function shownSums({ columns, all }: Sums): { hours: string[]; total: string } {
  return { hours: columns.map(formatHours), total: `${formatHours(all)} h` };
}

/** The cells of a row's hours: empty but for its own column. */
export function hoursOf({ column, hundredths }: FormRow, { columns }: Pick<Form, "columns">): string[] {
  return columns.map((_, index) => (index === column && hundredths !== null ? formatHours(hundredths) : ""));
}

/*
 * Which rows are on which sheet. Every sheet shows its own sums and the running totals, so its rows must be known
 * before it is drawn (docs/decisions/0053-export-codes.md).
 */

/** A row with its texts as lines. A row of very many lines is several: only the first has date, hours and mark. */
export interface LaidRow {
  key: string;
  row: FormRow;
  isFirst: boolean;
  texts: string[][];
  /** When it was logged and verified, below the first text. */
  times: string[];
  supervisor: string[];
  /** Beside the name. It is below it, as the first note, where the name has fewer lines that way. */
  domain: string[];
  isDomainBelow: boolean;
  /** What is noted, below the supervisor and the domain. */
  notes: string[];
  /** In millimetres. */
  height: number;
}

export interface Sheet {
  number: number;
  /** Every second record is shaded. */
  rows: (LaidRow & { isShaded: boolean })[];
  /** The running totals of the sheets before. */
  brought: Sums | null;
  /** The sums of this sheet, and the running totals. */
  sums: Sums;
  running: Sums;
  isLast: boolean;
}

/** A row never has more lines than this, so that every row fits on a sheet. A location has no more. */
const MOST_LINES = 10;

/** The rows of a form, laid out with the widths of a typeface. */
export function laidRows(form: Form, widthOf: WidthOf): LaidRow[] {
  return form.rows.flatMap((row) => laidRow(row, form, widthOf));
}

/** A row of a form, laid out. */
export function laidRow(row: FormRow, form: Form, widthOf: WidthOf): LaidRow[] {
  const room = inEm(textWidth(form) - 2 * PADDING.side, SIZE);
  const texts = row.texts.map((text) => valueLines(text, widthOf, room));
  const nameLines = (width: number) => linesOf(row.supervisor, widthOf, inEm(width, SIZE));
  const beside = nameLines(nameWidth(row, form));
  const above = row.via ? nameLines(nameWidth(row, form) + SUPERVISOR.domain) : beside;
  const isDomainBelow = above.length < beside.length;
  const supervisor = isDomainBelow ? above : beside;
  const domain = row.domain && !isDomainBelow ? linesOf(row.domain, widthOf, inEm(SUPERVISOR.domain, SMALL)) : [];
  const below = [...(row.domain && isDomainBelow ? [row.domain] : []), ...(row.notes ?? [])];
  const notes = below.length > 0 ? valueLines(below.join("\n"), widthOf, inEm(noteWidth(form), SMALL)) : [];
  const times = row.times ? linesOf(row.times, widthOf, inEm(textWidth(form) - 2 * PADDING.side, SMALL)) : [];
  const head = Math.max(supervisor.length, domain.length);
  const first = texts[0]?.length ?? 0;
  const lines = Math.max(
    row.days.length,
    head + notes.length,
    first + times.length,
    ...texts.map((text) => text.length),
  );
  return Array.from({ length: Math.ceil(lines / MOST_LINES) }, (_, index): LaidRow => {
    const from = index * MOST_LINES;
    const part = (lines: string[]) => lines.slice(from, from + MOST_LINES);
    const parts = texts.map(part);
    const after = (before: number, lines: string[]) =>
      lines.slice(Math.max(0, from - before), Math.max(0, from + MOST_LINES - before));
    const noted = after(head, notes);
    const timed = after(first, times);
    const ofTexts = Math.max(index === 0 ? row.days.length : 1, ...parts.map(({ length }) => length));
    return {
      ...{
        key: `${row.id}.${index}`,
        row,
        isFirst: index === 0,
        texts: parts,
        times: timed,
        supervisor: part(supervisor),
        domain: part(domain),
        isDomainBelow,
        notes: noted,
      },
      height: Math.max(
        rowHigh(ofTexts),
        rowHigh(parts[0]?.length ?? 0, timed.length),
        rowHigh(part(supervisor.length < domain.length ? domain : supervisor).length, noted.length),
      ),
    };
  });
}

/** The lines of a cell, whose values stand below each other. The last line of each but the last ends with a line break. */
function valueLines(text: string, widthOf: WidthOf, room: number): string[] {
  const values = text.split("\n");
  return values.flatMap((value, index) => {
    const lines = linesOf(value, widthOf, room);
    if (index < values.length - 1) lines.push(`${lines.pop() ?? ""}\n`);
    return lines;
  });
}

/** The width of a supervisor's name: beside a mark before it, or one behind it with its domain. */
function nameWidth({ via }: FormRow, { name }: Form): number {
  const { before, behind, tick, via: mark, domain } = SUPERVISOR;
  return widthsOf(name).supervisor - before - PADDING.side - (via ? behind + mark + domain : tick);
}

/** The width of what is noted, which is as wide as its column. */
function noteWidth({ name }: Form): number {
  return widthsOf(name).supervisor - SUPERVISOR.before - PADDING.side;
}

/** The room of a sheet in millimetres: for its rows and sums, and what the signature of the last one takes of it. */
interface Room {
  rows: number;
  closing: number;
}

/** The sums of a sheet: its own, and the running totals between bold lines. */
const SUMS = rowHigh(1) + rowHigh(1) + 1;

/**
 * Groups the rows into sheets, the last of which has room for the signature. No signed sheet is without hours: the last
 * two rows stay with it, or as many as fit.
 */
export function sheetsOf(form: Form, laid: LaidRow[], room: Room): Sheet[] {
  const sheets: Sheet[] = [];
  let next = 0;
  let height = heightOf(laid);
  let isLast = false;
  while (!isLast) {
    const brought = sheets.at(-1)?.running ?? null;
    const capacity = room.rows - SUMS - (brought ? rowHigh(1) : 0);
    isLast = next === laid.length || height <= capacity - room.closing;
    const rows = laid.slice(next, isLast ? laid.length : next + countOf(laid, next, capacity));
    next += rows.length;
    height -= heightOf(rows);
    const counted = rows.filter(({ isFirst }) => isFirst).map(({ row }) => row);
    const running = sumsOf(counted, form, brought ?? undefined);
    sheets.push({
      number: sheets.length + 1,
      rows: shaded(rows),
      brought,
      sums: sumsOf(counted, form),
      running,
      isLast,
    });
  }
  return sheets;
}

function shaded(rows: LaidRow[]): Sheet["rows"] {
  let records = 0;
  return rows.map((row) => {
    if (row.isFirst) records += 1;
    return { ...row, isShaded: records > 0 && records % 2 === 0 };
  });
}

const heightOf = (rows: LaidRow[]) => rows.reduce((sum, { height }) => sum + height, 0);

/** How many of the rows from `start` are on a sheet that is not the last: at least one, and if possible not all but one. */
function countOf(rows: LaidRow[], start: number, capacity: number): number {
  let height = 0;
  let end = start;
  for (; end < rows.length; end += 1) {
    height += rows[end]?.height ?? 0;
    if (height > capacity) break;
  }
  return Math.max(1, Math.min(end, rows.length - 2) - start);
}
