import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { visitor } from "./browser.ts";
import { BEYOND_LATIN_1, embeddedFonts, type Language, verifiedLog } from "./languages.ts";
import { atMost, median, type Row } from "./table.ts";
import type { World } from "./world.ts";

const ENTRIES = 400;
const TIMES_AS_LONG = 1.5;
const BYTES = 250_000;

interface Made {
  milliseconds: number;
  pdf: Uint8Array;
}

/** The PDF of 400 entries in each language, by turns: how long it takes beside the one in English, and what is in it. */
export async function languages(browser: Browser, world: World, runs: number): Promise<Row[]> {
  const { page, open, close } = await visitor(browser, world, { as: "fifty" });
  await open("/profile");
  const all: Language[] = ["English", ...BEYOND_LATIN_1];
  const made = new Map<Language, Made[]>(all.map((language) => [language, []]));
  // The first round fetches the builder and the fonts; it is not counted.
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
    return [
      atMost(
        `${what}: times as long as in English`,
        time / latin,
        TIMES_AS_LONG,
        "",
        `${Math.round(time)} and ${Math.round(latin)} ms`,
      ),
      atMost(`${what}: bytes`, pdf.length, BYTES, " B"),
      atMost(`${what}: fonts embedded again`, fonts.length - new Set(fonts).size, 0, "", `${fonts.length} embedded`),
    ];
  });
}

/** From the click to the download. The server's answer is replaced, so that every log has the same shape. */
async function makeOne(page: Page, language: Language): Promise<Made> {
  await page.unroute("**/api/entries");
  await page.route("**/api/entries", (route) => route.fulfill({ json: verifiedLog(language, ENTRIES) }));
  const button = page.getByRole("button", { name: "Export Verified Hours as PDF" });
  await button.focus();
  await page.locator('[data-island="pdf/export-button"][data-awake]').waitFor();
  const start = performance.now();
  const download = page.waitForEvent("download", { timeout: 600_000 });
  await button.click();
  const file = await download;
  const milliseconds = performance.now() - start;
  const pdf = await readFile(await file.path());
  await page.getByRole("button", { name: "Export Verified Hours as PDF" }).waitFor();
  return { milliseconds, pdf };
}
