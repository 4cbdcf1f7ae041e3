import { extractText } from "unpdf";
import { describe, expect, test } from "vitest";
import { BEYOND_LATIN_1, embeddedFonts, verifiedLog } from "#bench/languages.ts";
import { experienceForm } from "./form.ts";
import { nodePdf } from "./node-pdf.tsx";
import { typefaceFor } from "./typeface.ts";

const user = { name: "Kari Nordmann", email: "kari@example.com", employeeNumber: "NDT-7" };

/** As many entries as the target of `npm run safe`; otherwise fewer, which embed the same fonts in seconds less. */
const COUNT = process.env.SAFE ? 400 : 40;

const squeezed = (text: string) => text.replace(/\s/g, "");

// Two PDFs before any other, because the fonts of the others have met every letter.
await copiedFrom("ή");
const second = await copiedFrom("Ελένη");

test("a letter that the first PDF of a process had only with an accent can be copied from the second", () => {
  expect(second).toContain("Ελένη");
});

async function copiedFrom(location: string): Promise<string> {
  const [entry] = verifiedLog("Greek", 1);
  if (!entry) throw new Error("there is no entry");
  const pdf = await nodePdf(experienceForm(user, [{ ...entry, location, verifiedBy: location }], "2026-11-21"));
  return (await extractText(pdf, { mergePages: true })).text;
}

// Catches a font embedded again for each run of text: pdfkit identifies fonts by their names alone.
describe.each([
  ...BEYOND_LATIN_1.map((language) => ({ language, entries: verifiedLog(language, COUNT) })),
  {
    language: "several languages in one cell",
    entries: verifiedLog("Polish", 12).map((entry) => ({ ...entry, location: "Łódź Πειραιάς Ростов 横浜 Cần Thơ" })),
  },
])("$entries.length entries in $language", async ({ entries }) => {
  const form = experienceForm(user, entries, "2026-11-21");
  const { files } = await typefaceFor(form);
  const pdf = await nodePdf(form);
  const dictionaries = Buffer.from(pdf).toString("latin1");
  const text = squeezed((await extractText(pdf.slice(), { mergePages: true })).text);

  test("each font file is embedded once", () => {
    expect(embeddedFonts(pdf).sort()).toEqual(files.map(({ family }) => family).sort());
    expect(dictionaries.match(/\/FontFile/g)).toHaveLength(files.length);
  });

  test("the file has at most 250,000 bytes", () => {
    expect(pdf.length).toBeLessThanOrEqual(250_000);
  });

  test("every location and supervisor can be read and copied", () => {
    for (const { texts, supervisor } of form.rows) {
      for (const typed of texts) expect(text).toContain(squeezed(typed));
      expect(text).toContain(squeezed(supervisor));
    }
  });
});
