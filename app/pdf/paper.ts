import type { FormName } from "#app/db/enumerations.ts";
import { FORMS } from "./forms.ts";

/* A sheet of the PDF, in millimetres and, for type, in points. The print page leaves its sheets to the browser. */

export const PAPER = { width: 297, height: 210 };
/** At the left and right. */
export const MARGIN = 12;
export const TOP = 9;
export const BOTTOM = 8;

/** The size of the type in a row, of what is said about it, and of labels. */
export const SIZE = 8;
export const NOTE = 7;
export const SMALL = 6.5;
export const LINE_HEIGHT = 1.25;

export const MM_OF_POINT = 25.4 / 72;

/** Returns the height of this number of lines of type, in millimetres. */
export const linesHigh = (count: number, size: number) => count * size * LINE_HEIGHT * MM_OF_POINT;

/** The space around the text of a cell. */
export const PADDING = { side: 1.2, top: 0.64 };

/** The height of a row beyond its lines: the library leaves out a line that does not quite fit. */
const SPARE = 0.1;

/**
 * Returns the height of a row of this number of lines, and of small ones below them. A row of one line is 4.9 mm high.
 */
export const rowHigh = (lines: number, small = 0) =>
  linesHigh(lines, SIZE) + linesHigh(small, SMALL) + 2 * PADDING.top + SPARE;

/** Returns the height of the line above a run, with this number of lines of notes. */
export const runHigh = (notes: number) => rowHigh(1) + linesHigh(notes, NOTE);

/** The supervisor's cell: the space above its lines and below them, and the height of each. */
export const CELL = { top: 0.9, bottom: 0.5, line: 3.35 };

/** The rows of sums: of a page, of each way of verification, and the total. */
export const SUM = { page: rowHigh(1), via: 5.4, total: 5.6 };

/** The height of the column heads, up to the line below them. */
export const COLUMN_HEADS = 7;

/** The widths of the columns of a form; those of the texts share the rest. */
export function widthsOf(name: FormName): { dates: number; hours: number; supervisor: number; rest: number } {
  const { dates, hours, supervisors } = FORMS[name];
  const rest = PAPER.width - 2 * MARGIN - supervisors.width;
  return { dates: dates.width, hours: hours.width, supervisor: supervisors.width, rest };
}

/** The width of the hours of the first form, which has room for `DIGITS` of them (document.tsx). */
export const HOURS_WIDTH = FORMS.ojt.hours.width;

/** The width of a mark, and of its place. */
export const MARK = { width: 3.4, height: 2.4, place: 5 };

/** The line above a run: the widths of its first parts. */
export const RUN = { when: 30, how: 46 };

/** The width of a column of text. */
export function textWidth({ name, texts, columns }: { name: FormName; texts: string[]; columns: string[] }): number {
  const { dates, hours, rest } = widthsOf(name);
  return (rest - dates - columns.length * hours) / texts.length;
}

/** Returns the room in a line of this length in millimetres, in em, less a little for kerning. */
export const inEm = (length: number, size: number) => length / MM_OF_POINT / size - 0.2;

export const FACT = { width: 80, size: 9.5 };
export const SIGNED = { width: 53, size: 9.5 };
/** The side of a module of a QR code, in millimetres. */
export const MODULE = 0.55;

/** The space below the facts, the space above the footer, and the height of a footer without a code. */
const BELOW_FACTS = 2;
const ABOVE_FOOTER = 2;
const FOOTER_WITHOUT_CODE = 8;

/** Returns the height of a footer with this number of lines of notes, and with a QR code of this size, if any. */
export const footerHigh = (qrSize: number | null, notes: number) =>
  Math.max(qrSize === null ? FOOTER_WITHOUT_CODE : (qrSize - 4) * MODULE, linesHigh(notes, NOTE));

/**
 * The height of a page's rows and sums, in millimetres.
 * @param facts the lines of the longer fact in the heading
 * @param footer the height of the footer
 */
export function roomOnPage(facts: number, footer: number): number {
  const heading = linesHigh(1, SMALL) + linesHigh(facts, FACT.size) + BELOW_FACTS;
  return PAPER.height - TOP - heading - COLUMN_HEADS - ABOVE_FOOTER - footer - BOTTOM;
}

/** Below the table of the last page: the widths of what is signed, and of the text beside the statement's QR code. */
export const CLOSING = { top: 6, signature: 86, gap: 8, statement: 36 };

/**
 * Returns the height of the part below the table of the last page.
 * @param signed the lines of the signature's name
 * @param worth the lines of what the sums are worth
 */
export function closingHeight(signed: number, worth: number, qrSize: number | null): number {
  const signature = linesHigh(1, 8.5) + 11 + linesHigh(signed, SIGNED.size) + 1.6 + linesHigh(1, SMALL);
  const texts = linesHigh(1, SIZE) + linesHigh(worth, NOTE) + 4;
  return CLOSING.top + Math.max(signature, texts, qrSize === null ? 0 : (qrSize - 8) * MODULE);
}
