import type { Browser, Page } from "@playwright/test";
import { makeForm } from "#app/pdf/form.ts";
import { formProof } from "#app/pdf/form-proof.server.ts";
import { LANGUAGES, type Language, verifiedLog } from "#tests/pdf/languages.ts";
import { visitor } from "./browser.ts";
import { atMost, median, type Row } from "./table.ts";
import type { World } from "./world.ts";

const EXPORT = "Export Verified Hours as PDF";
const ENTRIES = 400;
const TIMES_AS_LONG = 1.5;

/**
 * `npm run measure -- export`: the PDF of 400 entries in each language, in turns: its time compared with English.
 */
export async function exporting(browser: Browser, world: World, runs: number): Promise<Row[]> {
  const { page, open, close } = await visitor(browser, world, { as: "fifty" });
  await open("/profile");
  const times = new Map<Language, number[]>(LANGUAGES.map((language) => [language, []]));
  // The first round fetches the PDF worker and the fonts; it is not counted.
  for (let run = 0; run <= runs; run += 1) {
    for (const language of LANGUAGES) {
      const time = await timeOfOne(page, language);
      if (run > 0) times.get(language)?.push(time);
    }
  }
  await close();
  const timeOf = (language: Language) => median(times.get(language) ?? []);
  const latin = timeOf("English");
  return LANGUAGES.filter((language) => language !== "English").map((language) => {
    const time = timeOf(language);
    const what = `the PDF of ${ENTRIES} entries in ${language}: times as long as in English`;
    return atMost(what, time / latin, TIMES_AS_LONG, "", `${Math.round(time)} and ${Math.round(latin)} ms`);
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
async function timeOfOne(page: Page, language: Language): Promise<number> {
  const form = makeForm("ojt", TECHNICIAN, verifiedLog(language, ENTRIES), "2026-11-21", PROOF);
  let wasAsked = false;
  await page.unroute(CALL);
  await page.route(CALL, async (route) => {
    wasAsked = true;
    await route.fulfill({ status: 201, json: { form } });
  });
  const milliseconds = await exportFrom(page);
  if (!wasAsked) throw new Error("the PDF is not of the measured log: the page did not call POST /api/exports");
  await page.getByRole("button", { name: EXPORT }).waitFor();
  return milliseconds;
}

/** Exports from a page: returns the milliseconds from the click to the download. */
async function exportFrom(page: Page): Promise<number> {
  const button = page.getByRole("button", { name: EXPORT });
  await button.focus();
  await page.locator('[data-island="pdf/export-button"][data-hydrated]').waitFor();
  const start = performance.now();
  const download = page.waitForEvent("download", { timeout: 600_000 });
  await button.click();
  await download;
  return performance.now() - start;
}
