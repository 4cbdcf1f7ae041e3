import fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import writeExcelFile from "write-excel-file/node";
import { METHODS } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { readImport } from "./preview.ts";
import { readSource, type Upload, uploadOfFile, uploadOfText } from "./source.ts";

/*
 * Logs that other programs write, in each form that people upload, are read as they were. `npm run safe` tries 1,000.
 */

const LOGS = Number(process.env.SAFE_LOGS) || 50;

const places = [
  ...["Mongstad", "Kårstø", "Zürich", "São Paulo", "Nîmes", "La Coruña", "rig 7", "’t Hof", "12 °C", "=1+1", "00123"],
  ...["a, b", "x; y", "a|b", 'the "old" rig', "Total Antwerp", "7,5", "#12"],
];

const log = fc.array(
  fc.record({
    date: fc
      .date({ min: new Date("1995-01-01"), max: new Date("2030-12-31"), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10)),
    location: fc.constantFrom(...places),
    method: fc.constantFrom(...METHODS),
    hours: fc.integer({ min: 10, max: 2_400 }).map((hundredths) => hundredths / 100),
  }),
  { minLength: 1, maxLength: 30 },
);
type Log = typeof log extends fc.Arbitrary<infer Rows> ? Rows : never;

const HEADER = ["Date", "Location", "Method", "Hours"];

async function workbookOf(rows: Log): Promise<Upload> {
  const cells = rows.map(({ date, location, method, hours }) => [
    { value: new Date(date), type: Date, format: "dd/mm/yyyy" },
    { value: location, type: String },
    { value: methodLabel(method), type: String },
    { value: hours, type: Number },
  ]);
  return uploadOfFile(await writeExcelFile([HEADER, ...cells]).toBuffer());
}

const textOf = (rows: Log, delimiter: string) =>
  Papa.unparse(
    [HEADER, ...rows.map(({ date, location, method, hours }) => [date, location, methodLabel(method), hours])],
    { delimiter },
  );

const WRITERS: { [name: string]: (rows: Log) => Upload | Promise<Upload> } = {
  "a workbook": workbookOf,
  "CSV in UTF-8": (rows) => uploadOfFile(Buffer.from(textOf(rows, ","))),
  "CSV in UTF-16": (rows) => uploadOfFile(Buffer.from(`\ufeff${textOf(rows, ";")}`, "utf16le")),
  // The places have one letter beyond Latin-1, in which the two encodings differ.
  "CSV in Windows-1252": (rows) => uploadOfFile(Buffer.from(textOf(rows, ";").replaceAll("’", "\x92"), "latin1")),
  "pasted text": (rows) => uploadOfText(textOf(rows, "\t")),
};

test.each(Object.entries(WRITERS))("random logs as %s are read as they were", async (_, write) => {
  await fc.assert(
    fc.asyncProperty(log, async (rows) => {
      const { records, problems } = readImport("entry", await readSource(await write(rows)));
      expect(problems).toEqual([]);
      expect(records.map(({ values }) => values)).toMatchObject(rows);
    }),
    { numRuns: LOGS, seed: 53 },
  );
});
