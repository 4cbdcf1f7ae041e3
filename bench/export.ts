import type { Browser } from "@playwright/test";
import { visitor } from "./browser.ts";
import { languages } from "./export-languages.ts";
import { inDigits, median, type Row, told } from "./table.ts";
import type { World } from "./world.ts";

/** Runs in the page: keeps the longest time between two frames. */
const WATCH = `
  window.longest = 0;
  let last = performance.now();
  const frame = (now) => {
    window.longest = Math.max(window.longest, now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
`;

/**
 * `npm run measure -- export`: how long the page answers nobody while it makes a PDF of 416 verified entries, and what
 * letters beyond Latin-1 cost.
 */
export async function exporting(browser: Browser, world: World, runs: number): Promise<Row[]> {
  const gaps: number[] = [];
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const { page, open, close } = await visitor(browser, world, { as: "fiveHundred" });
    await open("/profile");
    const button = page.getByRole("button", { name: "Export Verified Hours as PDF" });
    await button.focus();
    await page.locator('[data-island="pdf/export-button"][data-awake]').waitFor();
    await page.evaluate(WATCH);
    const start = performance.now();
    const download = page.waitForEvent("download", { timeout: 120_000 });
    await button.click();
    await download;
    times.push(performance.now() - start);
    gaps.push((await page.evaluate("window.longest")) as number);
    await close();
  }
  const note = `runs: ${gaps.map((gap) => Math.round(gap)).join(", ")}; ${inDigits(Math.round(median(times)))} ms to the download`;
  return [
    told("longest gap between frames during an export of 416 entries", Math.round(median(gaps)), " ms", note),
    ...(await languages(browser, world, runs)),
  ];
}
