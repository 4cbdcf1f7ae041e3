import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { nodePdf } from "#tests/pdf/node-pdf.tsx";
import { makeForm } from "./form.ts";

/* The sheet's size, shading and marks, read from the PDF's own operators. */

async function pdfOf(count: number): Promise<Buffer> {
  const entries = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    date: "2026-11-20",
    location: "Mongstad",
    method: "MT" as const,
    hours: 8,
    verified: true,
    verifiedBy: "Ola Hansen",
  }));
  const form = makeForm(
    "ojt",
    { name: "Kari", email: "kari@example.com", employeeNumber: null },
    entries,
    "2026-11-21",
  );
  return Buffer.from(await nodePdf(form));
}

/** Returns the operators of a page: every stream of the PDF except the fonts. */
function operatorsOf(pdf: Buffer): string {
  const text = pdf.toString("latin1");
  return [...text.matchAll(/stream\r?\n/g)]
    .map(({ 0: { length }, index }) => {
      try {
        return inflateSync(pdf.subarray(index + length), { finishFlush: 2 }).toString("latin1");
      } catch {
        return ""; // the word in `endstream`, or an uncompressed stream
      }
    })
    .join("\n");
}

test("the sheet is A4, landscape: 297 by 210 mm", async () => {
  const box = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec((await pdfOf(1)).toString("latin1"));
  const millimetres = box?.slice(1).map((points) => Math.round((Number(points) * 25.4) / 72));
  expect(millimetres).toEqual([297, 210]);
});

test.each([
  [1, 0],
  [2, 1],
  [7, 3],
])("of %i rows every second one is shaded", async (count, shaded) => {
  const operators = operatorsOf(await pdfOf(count));
  expect(operators.match(/0\.964\d* 0\.964\d* 0\.956\d* (rg|scn|sc)/g) ?? []).toHaveLength(shaded);
});

test("each run has the mark of how it was verified, and so have its sum and the legend", async () => {
  // The link of a chain: two open rectangles and a bar.
  const links = operatorsOf(await pdfOf(7)).match(/^(\S+ \S+ m\n(\S+ \S+ l\n){3}){2}\S+ \S+ m\n\S+ \S+ l\n/gm);
  expect(links).toHaveLength(3);
});
