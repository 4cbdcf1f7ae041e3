import fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import { parseTable } from "./parse-table.ts";

const rowsOf = (text: string) =>
  parseTable(
    text,
    () => 0,
    () => false,
  ).rows.map(({ cells }) => cells);

const pieces = fc.constantFrom('"', '"', '""', ",", ",", " ", "\u00a0", "\n", "a");

// A first pass looks for quotation marks that close no cell. It takes none for another one than the parser does.
test("quotation marks are read as papaparse reads them, and its first problem is the one that is named", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (list) => {
      const text = list.join("");
      const { data, errors } = Papa.parse<string[]>(text, { delimiter: ",", newline: "\n" });
      const [wrong] = errors.filter(({ type }) => type === "Quotes");
      const filled = data.filter((cells) => cells.some((cell) => cell.trim() !== ""));
      if (wrong) expect(() => rowsOf(text)).toThrow(`Row ${(wrong.row ?? 0) + 1} has a quotation mark`);
      else if (filled.length < 2) expect(() => rowsOf(text)).toThrow(/^There is /);
      else expect(rowsOf(text)).toEqual(filled.slice(1));
    }),
    { numRuns: 2_000 },
  );
});

test("a tab that separates ends the spaces after a closed quotation mark, and any other one is a space", () => {
  expect(rowsOf('a\tb\n"1" \t"2"\n')).toEqual([["1", "2"]]);
  expect(rowsOf('a,b\n"1"\t ,"2"\n')).toEqual([["1", "2"]]);
});
