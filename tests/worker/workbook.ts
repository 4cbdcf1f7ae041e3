import { strToU8, zipSync } from "fflate";

/* Workbooks as files have them, part by part: files that spreadsheets write, and faulty ones. */

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

interface Sheet {
  name?: string;
  state?: "hidden" | "veryHidden";
  type?: "worksheet" | "chartsheet";
  /** The XML of its rows, and what follows `sheetData`. */
  rows: string;
  after?: string;
}

interface Book {
  sheets: Sheet[];
  /** The codes of number formats: cells have `s="1"` for the first. A number is the id of one that is built in. */
  formats?: (string | number)[];
  shared?: string;
  is1904?: boolean;
}

/** The parts of a workbook, by name. */
export function partsOf({ sheets, formats = [], shared, is1904 }: Book): { [name: string]: string } {
  const related = (list: [type: string, target: string][]) =>
    `<Relationships>${list.map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`).join("")}</Relationships>`;
  const codes = formats.map((code, index) =>
    typeof code === "string"
      ? `<numFmt numFmtId="${164 + index}" formatCode="${code.replaceAll('"', "&quot;")}"/>`
      : "",
  );
  const xfs = formats.map((code, index) => `<xf numFmtId="${typeof code === "string" ? 164 + index : code}"/>`);
  return {
    "_rels/.rels": related([["officeDocument", "/xl/workbook.xml"]]),
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr${is1904 ? ' date1904="1"' : ""}/><sheets>${sheets.map(({ name, state }, index) => `<sheet name="${name ?? `Sheet${index + 1}`}"${state ? ` state="${state}"` : ""} sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": related([
      ...sheets.map(({ type = "worksheet" }, index): [string, string] => [type, `worksheets/sheet${index + 1}.xml`]),
      ["styles", "styles.xml"],
      ...(shared === undefined ? [] : [["sharedStrings", "sharedStrings.xml"] as [string, string]]),
    ]),
    "xl/styles.xml": `<styleSheet xmlns="${MAIN}"><numFmts>${codes.join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs.join("")}</cellXfs></styleSheet>`,
    ...(shared !== undefined && { "xl/sharedStrings.xml": `<sst xmlns="${MAIN}">${shared}</sst>` }),
    ...Object.fromEntries(
      sheets.map(({ rows, after = "" }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData>${after}</worksheet>`,
      ]),
    ),
  };
}

/** The file with these parts. */
export function zipped(parts: { [name: string]: string | Uint8Array }): Uint8Array {
  const files = Object.entries(parts).map(([name, part]) => [name, typeof part === "string" ? strToU8(part) : part]);
  return zipSync(Object.fromEntries(files));
}

export function workbook(book: Book): Uint8Array {
  return zipped(partsOf(book));
}

/** A row of texts and numbers; what begins with `<` is the XML of a cell. */
export function row(...cells: (string | number)[]): string {
  const xml = cells.map((cell) =>
    typeof cell === "number"
      ? `<c><v>${cell}</v></c>`
      : cell.startsWith("<")
        ? cell
        : cell === ""
          ? "<c/>"
          : `<c t="inlineStr"><is><t>${cell}</t></is></c>`,
  );
  return `<row>${xml.join("")}</row>`;
}
