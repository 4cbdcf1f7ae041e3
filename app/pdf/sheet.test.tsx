import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { nodePdf } from "#tests/pdf/node-pdf.tsx";
import { makeForm } from "./form.ts";

/* The sheet's size, scale, shading and ticks, read from the PDF's own operators. */

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
  expect(operators.match(/0\.945\d* 0\.945\d* 0\.933\d* (rg|scn|sc)/g) ?? []).toHaveLength(shaded);
});

test("the title stands on a scale with a graduation every 2 mm, from the first to the last millimetre", async () => {
  // A dashed line whose dashes are the graduations: dash and gap together are 2 mm, and it starts in the middle of a dash.
  const dashed = /\[([\d.]+) ([\d.]+)\] ([\d.]+) d\n([\d.-]+) ([\d.]+) m\n([\d.]+) \5 l/g;
  const lines = [...operatorsOf(await pdfOf(1)).matchAll(dashed)].map((line) => line.slice(1).map(Number));
  const millimetres = lines.map(([dash = 0, gap = 0, phase = 0, from = 0, _y, to = 0]) =>
    [dash + gap, Math.abs(dash - 2 * phase), from, to].map((points) => Math.round((points * 254) / 72) / 10),
  );
  expect(millimetres).toEqual([
    [2, 0, 0, 273],
    [10, 0, 0, 273],
    [20, 0, 0, 273],
  ]);
});

test.each([1, 7])("each of %i supervisors has a tick, and so has the legend", async (count) => {
  const ticks = operatorsOf(await pdfOf(count)).match(
    /^\S+ \S+ m\n\S+ \S+ l\n\S+ \S+ l\n(\/.*\n|.* (SCN|RG|G)\n)*S$/gm,
  );
  expect(ticks).toHaveLength(count + 1);
});
