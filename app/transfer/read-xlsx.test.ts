import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { partsOf, row, workbook, zipped } from "#tests/worker/workbook.ts";
import { readImport } from "./preview.ts";
import { readSource, uploadOfFile } from "./source.ts";

const read = async (bytes: Uint8Array, sheet: string | null = null, kind = "entry") =>
  readImport(kind, await readSource({ ...uploadOfFile(bytes), sheet }));
const valuesOf = async (bytes: Uint8Array, sheet?: string) =>
  (await read(bytes, sheet)).records.map(({ values }) => values);
const HEADER = row("Date", "Location", "Method", "Hours");
const sheetOf = (...rows: string[]) => ({ rows: HEADER + rows.join("") });

/** The texts of one row, each cell with a format of its own. */
async function textsOf(cells: [value: number, format: string | number][], is1904 = false) {
  const xml = cells.map(([value], index) => `<c s="${index + 1}"><v>${value}</v></c>`);
  const book = workbook({ sheets: [sheetOf(row(...xml))], formats: cells.map(([, format]) => format), is1904 });
  const { table, notes } = await readSource(uploadOfFile(book));
  return { texts: typeof table === "string" ? [] : table[1]?.cells, notes: notes.map(({ message }) => message) };
}

test("a day is a date and a duration hours, by the format of the cell", async () => {
  const book = workbook({
    sheets: [
      sheetOf(
        row('<c s="1"><v>46346</v></c>', "Mongstad", "MT", 7.5),
        row('<c s="2"><v>46347.3125</v></c>', "Sture", "PT", '<c s="3"><v>1.3125</v></c>'),
      ),
    ],
    formats: [14, "dd/mm/yyyy\\ hh:mm", "[h]:mm"],
  });
  const { records, dateOrder, ambiguous, problems } = await read(book);
  expect(records.map(({ values }) => values)).toMatchObject([
    { date: "2026-11-20", location: "Mongstad", method: "MT", hours: 7.5 },
    { date: "2026-11-21", location: "Sture", method: "PT", hours: 31.5 },
  ]);
  expect([dateOrder, ambiguous, problems]).toEqual(["ymd", null, []]);
});

test("a number has the text that its format means", async () => {
  const { texts, notes } = await textsOf([
    [46346, "d/m"],
    [46346, "[$-809]dd mmmm yyyy;@"],
    [46346, 31],
    [46346.3125, 22],
    [46346, "mmm-yy"],
    [46346, "yyyy"],
    [0.3125, 20],
    [46346.3125, "h:mm AM/PM"],
    [1.5, "[hh]:mm:ss"],
    [0.0127893518518519, "mm:ss"],
    [0.8, 9],
    [123, "00000"],
    [90, '0" min"'],
    [7.125, "0.0"],
    [0.30000000000000004, 0],
    [7.25, '#,##0.00\\ "€"'],
    [7.5, '0.00;[Red]-0.00;"day"'],
    [1500, "General"],
  ]);
  expect(texts).toEqual([
    ...["2026-11-20", "2026-11-20", "2026-11-20", "2026-11-20 7:30", "Nov 2026", "2026", "7:30", "7:30"],
    ...["36:00", "0:18:25", "80%", "00123", "90 min", "7.1250", "0.3", "7.25", "7.5", "1500"],
  ]);
  expect(notes).toEqual([]);
});

test("a format that hides whole days is said, and a workbook of 1904 has its own days", async () => {
  expect(await textsOf([[1.3125, "h:mm"]])).toEqual({
    texts: ["31:30"],
    notes: ["Cell A2 shows 7:30 and holds 31:30: its format hides whole days."],
  });
  expect((await textsOf([[44884, 14]], true)).texts).toEqual(["2026-11-20"]);
  expect(
    (
      await textsOf([
        [59, 14],
        [61, 14],
      ])
    ).texts,
  ).toEqual(["1900-02-28", "1900-03-01"]);
});

test("shared, rich and escaped texts are read as they are shown, without how they are pronounced", async () => {
  const shared =
    "<si><t>Date</t></si><si><t>Location</t></si><si><r><t>Meth</t></r><r><t>od</t></r></si><si><t>Hours</t></si>" +
    '<si><t>川崎</t><rPh sb="0" eb="2"><t>カワサキ</t></rPh></si><si><t>A &amp; B_x0009_&lt;1&gt;</t></si><si/>';
  const at = (index: number) => `<c t="s"><v>${index}</v></c>`;
  const rows =
    row(at(0), at(1), at(2), at(3)) +
    row("2026-11-20", at(4), "MT", '<c t="str"><f>1+1</f><v>7,5</v></c>') +
    row('<c t="d"><v>2026-11-21T00:00:00</v></c>', at(5), "MT", 8);
  expect(await valuesOf(workbook({ sheets: [{ rows }], shared }))).toMatchObject([
    { location: "川崎", hours: 7.5 },
    { date: "2026-11-21", location: "A & B <1>", hours: 8 },
  ]);
});

test("a file of another program, with prefixes and without references, is read the same", async () => {
  const parts = partsOf({ sheets: [sheetOf(row("2026-11-20", "Sture", "MT", 8))] });
  const name = "xl/worksheets/sheet1.xml";
  const prefixed = (parts[name] ?? "").replace(/<(\/?)/g, "<$1x:").replace("xmlns=", "xmlns:x=");
  expect(await valuesOf(zipped({ ...parts, [name]: prefixed }))).toMatchObject([{ location: "Sture", hours: 8 }]);
});

test("an error of a formula is a problem of its cell, and a formula without a value is said", async () => {
  const book = workbook({
    sheets: [
      sheetOf(
        row("2026-11-20", '<c t="e"><f>A1</f><v>#REF!</v></c>', "MT", 8),
        row("2026-11-20", "Sture", "MT", '<c t="e"><v>#N/A</v></c>'),
        row("2026-11-20", "Sture", "MT", '<c r="D4"><f>SUM(A1)</f></c>'),
      ),
    ],
  });
  const { records, problems, notes } = await read(book);
  expect(records).toEqual([]);
  expect(problems.map(({ row: number, column, message }) => [number, column, message])).toEqual([
    [2, "Location", "“#REF!” is an error of the spreadsheet. Correct its formula, or write the value."],
    [3, "Hours", "“#N/A” is an error of the spreadsheet. Correct its formula, or write the value."],
    [4, "Hours", expect.any(String)],
  ]);
  expect(notes.map(({ message }) => message)).toEqual([
    "A formula in D4 has no saved value, and is read as empty. Open the file in a spreadsheet, save it and upload it again.",
  ]);
});

test("a merged date, place or method fills its rows; merged hours are those of one row", async () => {
  const merged = '<mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="C2:C3"/><mergeCell ref="D3:D4"/></mergeCells>';
  const rows = [row("2026-11-20", "Sture", "MT", 8), row("", "Mongstad", "", 4), row("2026-11-21", "Sture", "PT", "")];
  const { records, problems } = await read(workbook({ sheets: [{ ...sheetOf(...rows), after: merged }] }));
  expect(records.map(({ values }) => values)).toMatchObject([
    { date: "2026-11-20", location: "Sture", method: "MT", hours: 8 },
    { date: "2026-11-20", location: "Mongstad", method: "MT", hours: 4 },
  ]);
  expect(problems.map((one) => [one.row, one.column])).toEqual([[4, "Hours"]]);
});

test("the first sheet with rows is read, and any other one by its name; those that are hidden come last", async () => {
  const book = workbook({
    sheets: [
      { name: "Lists", state: "hidden", ...sheetOf(row("2026-01-01", "Hidden", "MT", 1)) },
      { name: "Cover", rows: row("Logbook of J. Smith") },
      { name: "Chart", type: "chartsheet", rows: "" },
      { name: "2025", ...sheetOf(row("2025-11-20", "Sture", "MT", 8)) },
      { name: "2026", ...sheetOf(row("2026-11-20", "Mongstad", "PT", 4)) },
    ],
  });
  const first = await read(book);
  expect([first.source.sheets, first.source.sheet]).toEqual([["Cover", "2025", "2026", "Lists"], "2025"]);
  expect(await valuesOf(book, "2026")).toMatchObject([{ location: "Mongstad" }]);
  expect(await valuesOf(book, "Lists")).toMatchObject([{ location: "Hidden" }]);
  await expect(read(book, "Chart")).rejects.toThrow("The workbook has no sheet “Chart”.");
  const many = Array.from({ length: 50 }, (_, index) => sheetOf(row("2026-11-20", `Rig ${index}`, "MT", 8)));
  expect((await read(workbook({ sheets: many }))).source.sheets).toHaveLength(50);
});

test("rows that are hidden are read, and said", async () => {
  const hidden = row("2026-11-20", "Sture", "MT", 8).replace("<row>", '<row hidden="1">');
  const { records, notes } = await read(workbook({ sheets: [sheetOf(hidden, row("2026-11-21", "Sture", "MT", 8))] }));
  expect([records.length, notes.map(({ message, rows }) => [message, rows])]).toEqual([
    2,
    [["Rows that are hidden in the sheet are read, too.", 1]],
  ]);
});

test("a text that looks like a formula, or has a mark before it, is kept as it is", async () => {
  const book = workbook({ sheets: [sheetOf(row("2026-11-20", "'=A1", "MT", 8), row("2026-11-20", "=A1", "MT", 8))] });
  expect(await valuesOf(book)).toMatchObject([{ location: "'=A1" }, { location: "=A1" }]);
});

const refused: [what: string, file: () => Uint8Array, message: string][] = [
  [
    "a cell in the last column and row",
    () => workbook({ sheets: [{ rows: '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>' }] }),
    "Cell XFD1048576 is beyond what can be imported at once: at most 100 columns",
  ],
  [
    "16,384 columns",
    () => workbook({ sheets: [{ rows: row(...Array.from({ length: 16_384 }, () => 1)) }] }),
    "Cell CW1 is beyond",
  ],
  [
    "more rows than an import has",
    () => workbook({ sheets: [{ rows: row(1).repeat(5_021) }] }),
    "Cell A5021 is beyond what can be imported at once: at most 5,000 rows",
  ],
  [
    "one long text in many cells",
    () =>
      workbook({
        sheets: [{ rows: row('<c t="s"><v>0</v></c>').repeat(200) }],
        shared: `<si><t>${"x".repeat(32_000)}</t></si>`,
      }),
    "at most 3 million characters",
  ],
  [
    "30 MB of XML",
    () => workbook({ sheets: [{ rows: row("x".repeat(30_000)).repeat(1_000) }] }),
    "This workbook unfolds to more than 20 MB.",
  ],
  [
    "30 MB that its directory hides",
    () => lying(workbook({ sheets: [{ rows: `${"x".repeat(500_000)}<row/>`.repeat(42) }] })),
    "This workbook unfolds to more than 20 MB.",
  ],
  [
    "15 MB of tags inside each other",
    () => workbook({ sheets: [{ rows: "<a>".repeat(5_000_000) }] }),
    "This workbook is damaged",
  ],
  [
    "a text of 15 MB without an end",
    () => workbook({ sheets: [{ rows: `<row><c t="inlineStr"><is><t>${"x".repeat(15_000_000)}` }] }),
    "This workbook is damaged",
  ],
  ["half of a workbook", () => workbook({ sheets: [sheetOf()] }).subarray(0, 300), "This workbook is damaged"],
  [
    "an archive that says it is elsewhere",
    () => {
      const bytes = workbook({ sheets: [sheetOf()] });
      return bytes.fill(255, bytes.length - 8, bytes.length - 2);
    },
    "This workbook is damaged",
  ],
  [
    "a workbook of charts",
    () => workbook({ sheets: [{ type: "chartsheet", rows: "" }] }),
    "This workbook has no sheet with cells, only charts.",
  ],
  ["an empty workbook", () => workbook({ sheets: [{ rows: "" }] }), "There is nothing in it."],
  ["a header alone", () => workbook({ sheets: [{ rows: HEADER }] }), "There is a header, but no row below it."],
  [
    "a binary workbook",
    () => zipSync({ "xl/workbook.bin": strToU8("x") }),
    "This file is a binary workbook (.xlsb). Save it as Excel workbook (.xlsx)",
  ],
  [
    "a sheet of LibreOffice",
    () => zipSync({ "content.xml": strToU8("x") }),
    "This file is an OpenDocument file (.ods). Save it as",
  ],
  [
    "a document of Word",
    () =>
      zipSync({
        "_rels/.rels": strToU8('<R><Relationship Type="x/officeDocument" Target="word/document.xml"/></R>'),
        "word/document.xml": strToU8("x"),
      }),
    "This file is a Word document.",
  ],
  [
    "any other archive",
    () => zipSync({ "log.csv": strToU8("x") }),
    "This file is a ZIP archive, but no Excel workbook.",
  ],
  [
    "a workbook with a password",
    () => ole("EncryptedPackage"),
    "This workbook has a password. Open it, remove the password",
  ],
  [
    "an old workbook",
    () => ole("Workbook"),
    "This file is an old Excel workbook (.xls). Save your spreadsheet as .xlsx",
  ],
];

test.each(refused)("%s is refused with what to do", async (_, file, message) => {
  await expect(read(file())).rejects.toThrow(message);
});

test("a workbook with macros, whatever its name and its main part are called, is read the same", async () => {
  const {
    "xl/workbook.xml": main = "",
    "xl/_rels/workbook.xml.rels": rels = "",
    ...parts
  } = partsOf({
    sheets: [sheetOf(row("2026-11-20", "Sture", "MT", 8))],
  });
  const file = zipped({
    ...parts,
    "_rels/.rels": (parts["_rels/.rels"] ?? "").replace("workbook.xml", "workbook22.xml"),
    "xl/workbook22.xml": main,
    "xl/_rels/workbook22.xml.rels": rels,
    "xl/vbaProject.bin": "macros",
  });
  expect(await valuesOf(file)).toMatchObject([{ location: "Sture", hours: 8 }]);
});

/** The archive with sizes of 1 kB in its directory. */
function lying(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length - 46; at += 1)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 1_000, true);
  return bytes;
}

/** The start of a file in the old container of Microsoft Office, with a stream of this name. */
function ole(stream: string): Uint8Array {
  return Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600), Buffer.from(stream, "utf16le")]);
}

// Seen to fail: 7.5¹ was read as 7.51 and 6² as 62.
test("a digit that is formatted as superscript is a problem, and cells that are struck through are said", async () => {
  const raised = (number: string, sign: string) =>
    `<is><r><t>${number}</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>${sign}</t></r></is>`;
  const shared = "<si><r><rPr><strike/></rPr><t>Sture</t></r></si>";
  const parts = partsOf({
    sheets: [
      sheetOf(
        row("2026-11-20", "Mongstad", "MT", `<c t="inlineStr">${raised("7.5", "1")}</c>`),
        row("2026-11-21", "Mongstad", "MT", `<c t="inlineStr">${raised("6", "2")}</c>`),
        row("2026-11-22", '<c t="s"><v>0</v></c>', "MT", '<c s="1"><v>8</v></c>'),
      ),
    ],
    shared,
  });
  const fonts = '<fonts><font/><font><strike val="0"/></font><font><strike/></font></fonts>';
  const styles = `<styleSheet>${fonts}<cellXfs><xf numFmtId="0" fontId="1"/><xf numFmtId="0" fontId="2"/></cellXfs></styleSheet>`;
  const { records, problems, notes } = await read(zipped({ ...parts, "xl/styles.xml": styles }));
  expect(records.map(({ row }) => row)).toEqual([4]);
  expect(problems).toMatchObject([
    { row: 2, column: "Hours", message: expect.stringContaining("“7.5¹” cannot be read as hours") },
    { row: 3, column: "Hours", message: expect.stringContaining("“6²” cannot be read as hours") },
  ]);
  expect(notes).toEqual([
    { column: "", message: "Cells that are struck through are read, too. The first one is B4.", rows: 2 },
  ]);
});

test("the other sheets with rows are named with the sum of their numbers, and hidden columns that are read", async () => {
  const month = (name: string, hours: number) => ({
    ...sheetOf(
      row("2026-11-20", "Mongstad", "MT", hours),
      row("2026-11-21", "Mongstad", "MT", '<c s="1"><v>0.3125</v></c>'),
    ),
    name,
  });
  const sheets = [
    month("Jan", 8),
    { ...month("Old", 2), state: "hidden" as const },
    { name: "Empty", rows: "" },
    month("Feb", 7.5),
    { name: "Notes", rows: row("Only a title") },
  ];
  const parts = partsOf({ sheets, formats: [20] });
  const first = parts["xl/worksheets/sheet1.xml"]?.replace(
    "<sheetData>",
    '<cols><col min="4" max="9" hidden="1"/></cols><sheetData>',
  );
  const { notes } = await read(zipped({ ...parts, "xl/worksheets/sheet1.xml": first ?? "" }));
  expect(notes.map(({ message }) => message)).toEqual([
    "Columns that are hidden in the sheet are read, too: D.",
    "2 other sheets are not read, here with the sums of their numbers: “Feb” (15.0), hidden “Old” (9.5).",
  ]);
  const feb = await read(workbook({ sheets: sheets.slice(0, 2), formats: [20] }), "Old");
  expect(feb.notes.map(({ message }) => message)).toEqual([
    "Another sheet is not read, here with the sum of its numbers: “Jan” (15.5).",
  ]);
});
