import { extractText } from "unpdf";
import { describe, expect, test } from "vitest";
import { embeddedFonts, LANGUAGES, verifiedLog } from "#tests/pdf/languages.ts";
import { nodePdf } from "#tests/pdf/node-pdf.tsx";
import { makeForm } from "./form.ts";

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
  const pdf = await nodePdf(makeForm("ojt", user, [{ ...entry, location, verifiedBy: location }], "2026-11-21"));
  return (await extractText(pdf, { mergePages: true })).text;
}

// Catches a font embedded again for each run of text: pdfkit identifies fonts by their names alone.
describe.each([
  ...LANGUAGES.map((language) => ({ language, entries: verifiedLog(language, COUNT) })),
  {
    language: "several languages in one cell",
    entries: verifiedLog("Polish", 12).map((entry) => ({ ...entry, location: "Łódź Πειραιάς Ростов 横浜 Cần Thơ" })),
  },
])("$entries.length entries in $language", async ({ language, entries }) => {
  const form = makeForm("ojt", { ...user, name: entries[0]?.verifiedBy ?? "" }, entries, "2026-11-21");
  const isJapanese = /Japanese|several/.test(language);
  const pdf = await nodePdf(form);
  const dictionaries = Buffer.from(pdf).toString("latin1");
  const text = squeezed((await extractText(pdf.slice(), { mergePages: true })).text);

  // Catches Helvetica, which was not embedded, and a font that is embedded again for each run of text.
  test("every font is embedded, each file once, in one family for each script", () => {
    const fonts = embeddedFonts(pdf);
    expect(fonts).toContain("noto-sans-latin-700");
    expect(fonts).toEqual([...new Set(fonts)]);
    expect(dictionaries.match(/\/FontFile/g)).toHaveLength(fonts.length);
    expect(dictionaries.match(/\/Subtype \/Type0/g)).toHaveLength(fonts.length);
    expect(dictionaries).not.toMatch(/\/Subtype \/Type1/);
    const families = new Set(fonts.map((name) => /^[a-z]+-[a-z]+/.exec(name)?.[0]));
    expect([...families].sort()).toEqual(isJapanese ? ["biz-udpgothic", "noto-sans"] : ["noto-sans"]);
  });

  test("the file has at most 250,000 bytes", () => {
    expect(pdf.length).toBeLessThanOrEqual(250_000);
  });

  test("every location and supervisor can be read and copied", () => {
    for (const { texts, supervisor } of form.rows) {
      for (const typed of texts) expect(text).toContain(squeezed(typed));
      expect(text).toContain(squeezed(supervisor));
    }
    expect(text).toContain(squeezed(form.signature));
  });
});
