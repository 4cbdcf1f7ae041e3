import fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import { csvLine, withoutMark } from "./csv.ts";

test("a cell that a spreadsheet would compute gets one apostrophe, and so does one that begins with an apostrophe", () => {
  expect(csvLine(["=1+1", "+47 55", "-5", "@SUM(A1)", "'quoted", "plain"])).toBe(
    "'=1+1,'+47 55,'-5,'@SUM(A1),''quoted,plain\r\n",
  );
});

test("a cell with a comma, a quotation mark or a line break is quoted", () => {
  expect(csvLine(["Rig, deck 2", 'the "old" one', "two\nlines", 7.5, null])).toBe(
    '"Rig, deck 2","the ""old"" one","two\nlines",7.5,\r\n',
  );
});

test("reading removes one apostrophe, and only one that writing has added", () => {
  expect(["'=1+1", "''quoted", "'t Hart", "'", "plain"].map(withoutMark)).toEqual([
    "=1+1",
    "'quoted",
    "'t Hart",
    "'",
    "plain",
  ]);
});

test("any text is the same after it was written and read", () => {
  const texts = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[=+\-@'",\r\n a]{0,6}$/));
  fc.assert(
    fc.property(fc.array(texts, { minLength: 2, maxLength: 4 }), (cells) => {
      const [read = []] = Papa.parse<string[]>(csvLine(cells), { delimiter: ",", newline: "\r\n" }).data;
      expect(read.map(withoutMark)).toEqual(cells);
    }),
  );
});
