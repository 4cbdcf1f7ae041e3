import type { Form } from "./form.ts";
import { linesOf, type WidthOf } from "./lines.ts";
import { closingHeight, FACT, inEm, roomOnPage, SIGNED } from "./paper.ts";
import { laidRows, type Sheet, sheetsOf } from "./sheets.ts";

/*
 * The sheets of the print page. The fonts are the browser's, so its rows are counted with widths that no usual font
 * exceeds, and each sheet has room to spare: a browser that divided one would print pages without a number.
 */

/** How much lower than the PDF's a sheet is filled, in millimetres: browsers round the heights of lines and rows up. */
const SPARE = 7;

/** Type is a little wider in some fonts than in Arial, and bold type is wider. */
const WIDER = 1.06;
const BOLD = 1.1;

/** The widths of classes of characters in em: of the widest in Arial, and for other scripts in any usual font. */
const CLASSES: [characters: RegExp, width: number][] = [
  [/[\p{Mn}\p{Me}\p{Cf}]/u, 0],
  [/[\sfijlrtI.,:;'’|!()[\]/\\-]/u, 0.34],
  [/[mwMWGOQ@%&—…]/u, 0.95],
  [/[a-z0-9\p{P}\p{Sc}+=<>~^]/u, 0.56],
  [/[A-Z]/u, 0.73],
  [/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u, 0.8],
  [/\p{Extended_Pictographic}/u, 1.4],
];
const WIDEST = 1.1;

/** About the width of a text in the browser's font, in em, and rarely less. */
export const widthAtMost: WidthOf = (text) =>
  WIDER * Array.from(text).reduce((sum, character) => sum + widthOfOne(character), 0);

/** The widths of the first thousand characters: a form of 10,000 records has a million of few different ones. */
const WIDTHS = new Map<string, number>();

function widthOfOne(character: string): number {
  const known = WIDTHS.get(character);
  if (known !== undefined) return known;
  const width = CLASSES.find(([characters]) => characters.test(character))?.[1] ?? WIDEST;
  if (WIDTHS.size < 1_000) WIDTHS.set(character, width);
  return width;
}

/** The sheets that a browser prints a form on. */
export function printSheets(form: Form): Sheet[] {
  const boldLines = (text: string, { width, size }: typeof FACT) =>
    linesOf(text, (part) => widthAtMost(part) * BOLD, inEm(width, size)).length;
  const facts = Math.max(boldLines(form.employeeName, FACT), boldLines(form.employeeNumber, FACT));
  return sheetsOf(form, laidRows(form, widthAtMost), {
    rows: roomOnPage(facts, form.proof?.qr.size ?? null) - SPARE,
    closing: closingHeight(boldLines(form.signature, SIGNED), form.proof?.statementQr?.size ?? null) + 2,
  });
}
