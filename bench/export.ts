import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { makeForm } from "#app/pdf/form.ts";
import { formProof } from "#app/pdf/form-proof.server.ts";
import { visitor } from "./browser.ts";
import { BEYOND_LATIN_1, embeddedFonts, type Language, verifiedLog } from "./languages.ts";
import { atMost, median, type Row } from "./table.ts";
import type { World } from "./world.ts";

const EXPORT = "Export Verified Hours as PDF";
const ENTRIES = 400;
const TIMES_AS_LONG = 1.5;
const BYTES = 250_000;

interface Made {
  milliseconds: number;
  pdf: Uint8Array;
}

/**
 * `npm run measure -- export`: the PDF of 400 entries in each language, in turns: its time compared with English, and its fonts.
 */
export async function exporting(browser: Browser, world: World, runs: number): Promise<Row[]> {
  const { page, open, close } = await visitor(browser, world, { as: "fifty" });
  await open("/profile");
  const all: Language[] = ["English", ...BEYOND_LATIN_1];
  const made = new Map<Language, Made[]>(all.map((language) => [language, []]));
  // The first round fetches the PDF worker and the fonts; it is not counted.
  for (let run = 0; run <= runs; run += 1) {
    for (const language of all) {
      const one = await makeOne(page, language);
      if (run > 0) made.get(language)?.push(one);
    }
  }
  await close();
  const timeOf = (language: Language) => median(made.get(language)?.map(({ milliseconds }) => milliseconds) ?? []);
  const latin = timeOf("English");
  return BEYOND_LATIN_1.flatMap((language) => {
    const pdf = made.get(language)?.[0]?.pdf ?? new Uint8Array();
    const fonts = embeddedFonts(pdf);
    const time = timeOf(language);
    const what = `the PDF of ${ENTRIES} entries in ${language}`;
    const note = `${Math.round(time)} and ${Math.round(latin)} ms`;
    return [
      atMost(`${what}: times as long as in English`, time / latin, TIMES_AS_LONG, "", note),
      atMost(`${what}: bytes`, pdf.length, BYTES, " B"),
      atMost(`${what}: fonts embedded again`, fonts.length - new Set(fonts).size, 0, "", `${fonts.length} embedded`),
    ];
  });
}

const TECHNICIAN = { name: "Dana Kowalski", email: "dana@example.com", employeeNumber: "NDT-1042" };
const CALL = "**/api/exports";

/** The proof of every measured form. Its statement has about as many characters as a real one. */
const PROOF = formProof({
  code: "7K3M-Q9TX-2HVP-8RDN-4",
  url: "https://hours.example.com/c/7K3MQ9TX2HVP8RDN4",
  statement: "eyJhbGciOiJFZERTQSJ9.".padEnd(450, "statement"),
  checkpoint: { size: 123_456, root: "47DEQpj8HBSa+/TI" },
});

/**
 * The server's response to `POST /api/exports` is replaced, so that every log has the same structure. The form has codes,
 * as a real export has.
 */
async function makeOne(page: Page, language: Language): Promise<Made> {
  const form = makeForm("ojt", TECHNICIAN, verifiedLog(language, ENTRIES), "2026-11-21", PROOF);
  let wasAsked = false;
  await page.unroute(CALL);
  await page.route(CALL, async (route) => {
    wasAsked = true;
    await route.fulfill({ status: 201, json: { form } });
  });
  const { milliseconds, path } = await exportFrom(page);
  if (!wasAsked) throw new Error("the PDF is not of the measured log: the page did not call POST /api/exports");
  await page.getByRole("button", { name: EXPORT }).waitFor();
  return { milliseconds, pdf: await readFile(path) };
}

/** Exports from a page: returns the time from the click to the download. */
async function exportFrom(page: Page): Promise<{ milliseconds: number; path: string }> {
  const button = page.getByRole("button", { name: EXPORT });
  await button.focus();
  await page.locator('[data-island="pdf/export-button"][data-hydrated]').waitFor();
  const start = performance.now();
  const download = page.waitForEvent("download", { timeout: 600_000 });
  await button.click();
  const file = await download;
  return { milliseconds: performance.now() - start, path: await file.path() };
}
