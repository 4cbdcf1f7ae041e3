import type { Form, FormRow } from "./form.ts";
import { linesOf } from "./lines.ts";
import { CELL, inEm, NOTE, PADDING, rowHigh, runHigh, SIZE, SMALL, SUM, textWidth, widthsOf } from "./paper.ts";
import { besideOf, type FormRun, runsOf, type Sums, sumsByVia, sumsOf } from "./runs.ts";
import type { Face } from "./typeface.ts";

/*
 * Which rows are on which sheet of the PDF. Every sheet shows its own sums and the running totals, so its rows must be known
 * before it is drawn (docs/decisions/0053-export-codes.md).
 */

/** The fonts by which texts are divided into lines. */
export type Faces = Record<"regular" | "bold", Pick<Face, "legible" | "widthOf">>;

/** A line of the supervisor's cell. The domain may be beside the last line of the name. */
export interface CellLine {
  text: string;
  as: "name" | "stated" | "entered";
  domain?: string;
}

/** The rows of one answer, laid out. */
interface LaidRun extends FormRun {
  key: string;
  /** Below the line above its rows. */
  noteLines: string[];
  cell: CellLine[];
  /** The heights of its own line and of the supervisor's cell, in millimetres. */
  head: number;
  cellHeight: number;
}

/** A row with its texts as lines. A row of very many lines is several: only the first has date and hours. */
export interface LaidRow {
  key: string;
  run: LaidRun;
  row: FormRow;
  isFirst: boolean;
  texts: string[][];
  /** Small, beside the last line of the first text, or below it. */
  beside: string;
  below: string[];
  /** Every second record of a run is shaded. */
  isShaded: boolean;
  /** In millimetres. */
  height: number;
}

/** The rows of a run that are on one sheet. */
export interface Block {
  run: LaidRun;
  isContinued: boolean;
  rows: LaidRow[];
  /** In millimetres: with the line above the rows, and at least as much as the supervisor's cell. */
  height: number;
}

export interface Sheet {
  number: number;
  blocks: Block[];
  /** The running totals of the sheets before. */
  brought: Sums | null;
  /** The sums of this sheet, and the running totals. */
  sums: Sums;
  running: Sums;
  isLast: boolean;
}

/** A row never has more lines than this, so that every row fits on a sheet. A location has no more. */
const MOST_LINES = 10;

/** The rows of a form, by answer, laid out with the widths of a typeface. */
export function laidRows(form: Form, faces: Faces): LaidRow[] {
  return runsOf(form).flatMap((run, index) => {
    const laid = laidRun(run, form, faces, `${index}`);
    return run.rows.flatMap((row, place) => laidRow(row, place % 2 === 1, laid, form, faces));
  });
}

function laidRun(run: FormRun, { name }: Form, faces: Faces, key: string): LaidRun {
  const { supervisor, rest } = widthsOf(name);
  const { legible, widthOf } = faces.regular;
  const lines = (text: string, width: number) => linesOf(legible(text), widthOf, inEm(width, NOTE));
  const noteLines = run.notes ? lines(run.notes.join("; "), rest - 2 * PADDING.side) : [];
  const width = supervisor - 2 * PADDING.side;
  const cell = [
    ...nameLines(run, width, faces),
    ...(run.stated ? lines(run.stated, width).map((text): CellLine => ({ text, as: "stated" })) : []),
    ...(run.entered ? lines(run.entered, width - 1).map((text): CellLine => ({ text, as: "entered" })) : []),
  ];
  return {
    ...{ ...run, key, noteLines, cell },
    head: runHigh(noteLines.length),
    cellHeight: CELL.top + cell.length * CELL.line + CELL.bottom,
  };
}

/** The lines of a supervisor's name, with the domain of the mailbox behind it, or below it where it has no room. */
function nameLines({ supervisor, domain }: FormRun, width: number, { regular, bold }: Faces): CellLine[] {
  const lines = linesOf(bold.legible(supervisor), bold.widthOf, inEm(width, SIZE));
  const name = lines.map((text): CellLine => ({ text, as: "name" }));
  if (!domain) return name;
  const shown = regular.legible(domain);
  const last = name.at(-1);
  const used = bold.widthOf(last?.text ?? "") * SIZE + regular.widthOf(` ${shown}`) * NOTE;
  if (last && used <= inEm(width, 1)) {
    last.domain = shown;
    return name;
  }
  const below = linesOf(shown, regular.widthOf, inEm(width, NOTE));
  return [...name, ...below.map((text): CellLine => ({ text, as: "stated" }))];
}

function laidRow(row: FormRow, isShaded: boolean, run: LaidRun, form: Form, { regular }: Faces): LaidRow[] {
  const width = textWidth(form) - 2 * PADDING.side;
  const { legible, widthOf } = regular;
  const texts = row.texts.map((text) => valueLines(text.split("\n").map(legible), widthOf, inEm(width, SIZE)));
  const remark = legible(besideOf(row, run));
  const first = texts[0] ?? [];
  const used = widthOf(first.at(-1)?.trimEnd() ?? "") * SIZE + widthOf(` · ${remark}`) * SMALL;
  const isBeside = used <= inEm(width, 1);
  const below = remark && !isBeside ? linesOf(remark, widthOf, inEm(width, SMALL)) : [];
  const lines = Math.max(row.days.length, first.length + below.length, ...texts.map(({ length }) => length));
  const parts = Math.ceil(lines / MOST_LINES);
  return Array.from({ length: parts }, (_, index): LaidRow => {
    const from = index * MOST_LINES;
    const part = texts.map((lines) => lines.slice(from, from + MOST_LINES));
    const after = (place: number) => Math.max(0, place - first.length);
    const small = below.slice(after(from), after(from + MOST_LINES));
    const ofTexts = Math.max(index === 0 ? row.days.length : 1, ...part.map(({ length }) => length));
    return {
      ...{ key: `${row.id}.${index}`, run, row, isFirst: index === 0, isShaded },
      ...{ texts: part, beside: index === parts - 1 && isBeside ? remark : "", below: small },
      height: Math.max(rowHigh(ofTexts), rowHigh(part[0]?.length ?? 0, small.length)),
    };
  });
}

/**
 * Returns the lines of a cell, whose values are below each other. The last line of each but the last ends with a line
 * break.
 */
function valueLines(values: string[], widthOf: Face["widthOf"], room: number): string[] {
  return values.flatMap((value, index) => {
    const lines = linesOf(value, widthOf, room);
    if (index < values.length - 1) lines.push(`${lines.pop() ?? ""}\n`);
    return lines;
  });
}

/** The room of a sheet in millimetres: for its rows and sums, and what the signature of the last one takes of it. */
interface Room {
  rows: number;
  closing: number;
}

/** The number of rows on the last sheet of several, if there is room for them. */
const LAST_ROWS = 6;

/** Groups the rows into sheets, the last of which has room for the sums by answer and the signature. */
export function sheetsOf(form: Form, laid: LaidRow[], room: Room): Sheet[] {
  const vias = sumsByVia(form).length;
  const sheets: Sheet[] = [];
  let rest = laid;
  let isLast = false;
  while (!isLast) {
    const brought = sheets.at(-1)?.running ?? null;
    const capacity = room.rows - (brought ? SUM.page : 0) - SUM.page - SUM.total;
    isLast = rest.length === 0 || heightOf(rest) <= capacity - vias * SUM.via - room.closing;
    const count = isLast ? rest.length : countOf(rest, capacity);
    const rows = rest.slice(0, count);
    rest = rest.slice(count);
    const counted = rows.filter(({ isFirst }) => isFirst).map(({ row }) => row);
    const running = sumsOf(counted, form, brought ?? undefined);
    const number = sheets.length + 1;
    sheets.push({ number, blocks: blocksOf(rows), brought, sums: sumsOf(counted, form), running, isLast });
  }
  return sheets;
}

const heightOf = (rows: LaidRow[]) => blocksOf(rows).reduce((sum, { height }) => sum + height, 0);

/** Rows of one sheet by run. The last row of a run is as high as the supervisor's cell needs. */
function blocksOf(rows: LaidRow[]): Block[] {
  const blocks: Block[] = [];
  for (const row of rows) {
    const last = blocks.at(-1);
    if (last?.run === row.run) last.rows.push(row);
    else {
      const isContinued = row.row !== row.run.rows[0] || !row.isFirst;
      blocks.push({ run: row.run, isContinued, rows: [row], height: 0 });
    }
  }
  for (const block of blocks) {
    const rows = block.rows.reduce((sum, { height }) => sum + height, 0);
    block.height = Math.max(block.run.head + rows, block.run.cellHeight);
  }
  return blocks;
}

/**
 * Returns how many of the rows are on a sheet that is not the last: as many as fit, but no run is divided so that one
 * row of it is alone, and the last sheet has rows too. Where not all of that is possible, the next best.
 */
function countOf(rows: LaidRow[], capacity: number): number {
  const fitting: number[] = [];
  for (let count = 1; count < rows.length && heightOf(rows.slice(0, count)) <= capacity; count += 1)
    fitting.push(count);
  const leaves = (least: number) => (count: number) => rows.length - count >= least;
  const whole = fitting.filter((count) => isWhole(rows, count));
  return whole.findLast(leaves(LAST_ROWS)) ?? whole.at(-1) ?? fitting.at(-1) ?? 1;
}

/** Whether a sheet that ends after this number of rows leaves no row of a run alone. */
function isWhole(rows: LaidRow[], count: number): boolean {
  const run = rows[count]?.run;
  const before = rows.slice(0, count).filter((row) => row.run === run).length;
  return before === 0 || (before >= 2 && rows.slice(count).filter((row) => row.run === run).length >= 2);
}
