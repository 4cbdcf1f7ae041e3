import type { FormName } from "#app/db/enumerations.ts";
import { FORMS } from "./forms.ts";

/*
 * A sheet of a form, in millimetres and, for type, in points: what the PDF is drawn with, and what the rows of the print
 * page are counted with (print.css has the same measures).
 */

export const PAPER = { width: 297, height: 210 };
/** At the left and right. */
export const MARGIN = 12;

/** The size of the type in a row, and of labels and domains. */
export const SIZE = 9;
export const SMALL = 7.5;
export const LINE_HEIGHT = 1.3;

const MM_OF_POINT = 25.4 / 72;

/** The height of so many lines of type. */
const linesHigh = (count: number, size: number) => count * size * LINE_HEIGHT * MM_OF_POINT;

/** The space around the text of a cell. */
export const PADDING = { side: 1.5, top: 0.6 };
const HAIRLINE = 0.15;

/** The height of a row of so many lines, and of notes below them. */
export const rowHigh = (lines: number, notes = 0) =>
  linesHigh(lines, SIZE) + linesHigh(notes, SMALL) + 2 * PADDING.top + HAIRLINE;

/** The height of the column heads, up to the line below them. */
export const COLUMN_HEADS = 9.5;

/** The widths of the columns of a form; those of the texts share the rest. */
export function widthsOf(name: FormName): { dates: number; hours: number; supervisor: number } {
  const { dates, hours, supervisors } = FORMS[name];
  return { dates: dates.width, hours: hours.width, supervisor: supervisors.width };
}

/** The width of the hours of the first form, which has room for `DIGITS` of them (document.tsx). */
export const HOURS_WIDTH = FORMS.ojt.hours.width;

/** The supervisor's column: the space before the name and behind it, and the widths of its marks and of a domain. */
export const SUPERVISOR = { before: 2.5, behind: 1, tick: 3.6, via: 5.2, domain: 26 };

/** The width of a column of text. */
export function textWidth({ name, texts, columns }: { name: FormName; texts: string[]; columns: string[] }): number {
  const { dates, hours, supervisor } = widthsOf(name);
  return (PAPER.width - 2 * MARGIN - dates - columns.length * hours - supervisor) / texts.length;
}

/** The room in a line of so many millimetres, in em, less a little for kerning. */
export const inEm = (length: number, size: number) => length / MM_OF_POINT / size - 0.2;

/** The space between the two lines below the running totals. */
export const DOUBLE = 0.6;

export const FACT = { width: 80, size: 10 };
export const SIGNED = { width: 100, size: 11 };
/** The side of a module of a QR code, in millimetres. */
export const MODULE = 0.68;
export const STATEMENT_MODULE = 0.55;

export const TOP = 10;
export const BOTTOM = 8;
const SCALE = 3;
/** The space above the footer. */
const ABOVE_FOOTER = 2;
const FOOTER_WITHOUT_CODE = 9;

/**
 * The height of a page's rows and sums, in millimetres.
 * @param facts the lines of the longer fact in the heading
 * @param notes the lines of the notes in the footer
 */
export function roomOnPage(facts: number, qrSize: number | null, notes = 0): number {
  const code = qrSize === null ? FOOTER_WITHOUT_CODE : (qrSize - 4) * MODULE;
  const footer = Math.max(code, linesHigh(notes, SMALL));
  const heading = linesHigh(1, SMALL) + linesHigh(facts, FACT.size) + 0.5 + SCALE;
  return PAPER.height - TOP - heading - COLUMN_HEADS - ABOVE_FOOTER - footer - BOTTOM;
}

/** The height of the signature block, or of the QR code beside it. @param signed the lines of the signature's name */
export function closingHeight(signed: number, qrSize: number | null): number {
  const signature = 7 + linesHigh(1, 10.5) + 10 + linesHigh(signed, SIGNED.size) + 0.8 + 1 + linesHigh(1, SMALL);
  return Math.max(signature, qrSize === null ? 0 : 5 + (qrSize - 8) * STATEMENT_MODULE);
}
