import { Zip, ZipDeflate } from "fflate";
import { othersTurn } from "./others-turn.ts";

/*
 * Writes workbooks (.xlsx: ECMA-376) of one sheet, while they are sent. Cells have types: a text is no formula, whatever it
 * begins with, so it needs no mark as in a CSV.
 */

export type Cell = string | number | null;

/** How many rows are written before others have their turn. */
const ROWS_AT_ONCE = 500;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The styles of cells: 0 is none. */
const DATE = 1;
const HEADING = 2;

/** The parts besides the sheet. */
const PARTS: [name: string, content: string][] = [
  [
    "[Content_Types].xml",
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
  ],
  ["_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]])],
  [
    "xl/workbook.xml",
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Log" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    "xl/_rels/workbook.xml.rels",
    relations([
      ["worksheet", "worksheets/sheet1.xml"],
      ["styles", "styles.xml"],
    ]),
  ],
  [
    "xl/styles.xml",
    `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`,
  ],
];

function relations(list: [type: string, target: string][]): string {
  const all = list.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${all.join("")}</Relationships>`;
}

/** Every workbook has this time, so that the same rows give the same file. */
const NO_TIME = new Date(1980, 0, 1);

/**
 * The bytes of a workbook with a heading and rows. In the columns of `dates`, days `YYYY-MM-DD` become dates of the spreadsheet;
 * numbers stay numbers, all else is text.
 */
export async function* xlsxOf(
  columns: readonly string[],
  dates: ReadonlySet<number>,
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    made.push(piece);
  });
  const part = (name: string) => {
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = NO_TIME;
    zip.add(file);
    return (text: string, isLast: boolean) => file.push(new TextEncoder().encode(text), isLast);
  };
  for (const [name, content] of PARTS) part(name)(XML + content, true);
  const sheet = part("xl/worksheets/sheet1.xml");
  sheet(
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${columns.length}" width="16" customWidth="1"/></cols><sheetData>`,
    false,
  );
  const names = columns.map((_, index) => columnName(index));
  sheet(
    rowXml(
      1,
      columns.map((column, index) => textXml(`${names[index]}1`, column, HEADING)),
    ),
    false,
  );
  let number = 1;
  for await (const page of pages) {
    for (let from = 0; from < page.length; from += ROWS_AT_ONCE) {
      const rows = page.slice(from, from + ROWS_AT_ONCE).map((cells) => {
        number += 1;
        return rowXml(
          number,
          cells.map((cell, index) => cellXml(`${names[index]}${number}`, cell, dates.has(index))),
        );
      });
      sheet(rows.join(""), false);
      for (const piece of made) yield piece;
      made = [];
      await othersTurn();
    }
  }
  sheet("</sheetData></worksheet>", true);
  zip.end();
  for (const piece of made) yield piece;
}

function rowXml(number: number, cells: readonly string[]): string {
  return `<row r="${number}">${cells.join("")}</row>`;
}

/** The first day that a spreadsheet counts without doubt: its calendar has a 29 February 1900. */
const FIRST_DAY = "1900-03-01";
const DAY_0 = Date.UTC(1899, 11, 30);

function cellXml(at: string, cell: Cell, isDate: boolean): string {
  if (cell === null || cell === "") return "";
  if (typeof cell === "number") return `<c r="${at}"><v>${cell}</v></c>`;
  if (!isDate || !/^\d{4}-\d\d-\d\d$/.test(cell) || cell < FIRST_DAY) return textXml(at, cell, 0);
  return `<c r="${at}" s="${DATE}"><v>${(Date.parse(cell) - DAY_0) / 86_400_000}</v></c>`;
}

function textXml(at: string, text: string, style: number): string {
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

const ENTITIES: { [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/**
 * Returns a text as XML. Characters that XML cannot have are written as `_x000D_`, and a text that looks so with its
 * `_` as `_x005F_`.
 */
function escapeXml(text: string): string {
  return text
    .replace(/_(?=x[\da-f]{4}_)/gi, "_x005F_")
    .replace(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
      /[\0-\x08\x0b-\x1f\ufffe\uffff]|\p{Cs}/gu,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
    )
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? "");
}

/** The letters of a column, counted from 0: A, Z, AA. */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26) - 1;
  return (rest >= 0 ? columnName(rest) : "") + String.fromCharCode(65 + (column % 26));
}
