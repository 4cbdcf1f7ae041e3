import type { Page } from "@playwright/test";
import { extractText } from "unpdf";
import { FORM_METHODS } from "#app/db/enumerations.ts";
import { expect, type Technician, test } from "./technician.ts";

/* The printable form at /profile/print: on a phone, on a wide screen, and as Chromium prints it. */

/** Prints the page, and returns the text of each sheet of paper. */
async function printed(page: Page, paper: Parameters<Page["pdf"]>[0]): Promise<string[]> {
  return (await extractText(new Uint8Array(await page.pdf(paper)))).text;
}

const LONG = "AREA-51/UNIT-7/PIPE-RACK-3/LINE-20-HC-1001-A1A/".repeat(5).slice(0, 200);

async function printPage({ page, addEntries, verifyAll }: Technician, count: number, location = "Mongstad unit") {
  const entries = Array.from({ length: count }, (_, index) => ({
    date: new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10),
    location: `${location} ${index + 1}.`.slice(-200),
    method: FORM_METHODS[index % FORM_METHODS.length] ?? "ET",
    hours: 12.25,
  }));
  await verifyAll(await addEntries(...entries));
  await page.goto("/profile/print");
}

test.describe("at 360 px", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("each entry is a card with its method, hours and supervisor, and nothing scrolls sideways", async ({
    technician,
  }) => {
    const { page } = technician;
    await printPage(technician, 9, LONG);
    const run = page.locator("tbody", { has: page.getByText("1 Jan 2025", { exact: true }) });
    await expect(run.locator(".answer").getByText("Piet van der Berg")).toBeVisible();
    await expect(run.getByText(/^VER-\d{8}-/)).toBeVisible();
    const card = run.locator("tr", { has: page.getByText("1 Jan 2025", { exact: true }) });
    await expect(card.locator(".hours:visible")).toHaveText("12.25");
    const method = await card.locator(".hours:visible").evaluate((cell) => getComputedStyle(cell, "::before").content);
    expect(method).toContain("ET");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test("each number of the totals stands beside its method, and the sum below them", async ({ technician }) => {
    const { page } = technician;
    await printPage(technician, 9);
    const totals = page.locator(".totals");
    const boxes = await totals.locator(".hours").evaluateAll((cells) =>
      cells.map((cell) => ({
        method: getComputedStyle(cell, "::before").content,
        fits: cell.getBoundingClientRect().right <= 344.5,
      })),
    );
    expect(boxes.map(({ fits }) => fits)).toEqual(Array(9).fill(true));
    expect(boxes[0]?.method).toContain("ET");
    await expect(totals.getByText("110.25 h")).toBeVisible();
    await expect(totals.getByText("9 records")).toBeVisible();
  });

  test("with text of twice the size nothing scrolls sideways", async ({ technician }) => {
    const { page, addEntries, verifyAll } = technician;
    await verifyAll(await addEntries({ location: LONG, hours: 99_999 }, { hours: 10_000.5, method: "UT_THK" }));
    await page.goto("/profile/print");
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe("32px");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});

test("at 1200 and 1280 px no column head is broken inside a word, and no text leaves its cell", async ({
  technician,
}) => {
  const { page } = technician;
  await printPage(technician, 9, LONG);
  for (const width of [1200, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(page.getByRole("columnheader", { name: "UTSW" }).first()).toBeVisible();
    const outside = await page.locator("th, td").evaluateAll((cells) =>
      cells.flatMap((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        const words = range.getBoundingClientRect();
        const box = cell.getBoundingClientRect();
        return words.width && (words.left < box.left - 0.5 || words.right > box.right + 0.5) ? [cell.textContent] : [];
      }),
    );
    expect(outside).toEqual([]);
    const heads = await page
      .locator("thead .hours")
      .evaluateAll((heads) => heads.map((head) => [head.textContent, head.scrollWidth <= head.clientWidth + 1]));
    expect(heads.filter(([, fits]) => !fits)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

const PAPERS = {
  "A4, as the page asks": { preferCSSPageSize: true },
  "Letter, landscape": { format: "Letter", landscape: true },
} as const;

// Catches a last page with a signature and no hours, a page that does not say whose it is, and a code or a sum on each page.
for (const count of [3, 60]) {
  test(`${count} entries printed by the browser: every page names the technician, and the last one has the sums above the signature`, async ({
    technician,
  }) => {
    const { page } = technician;
    await page.emulateMedia({ colorScheme: "dark" });
    await printPage(technician, count);
    for (const [paper, options] of Object.entries(PAPERS)) {
      const pages = await printed(page, options);
      expect([paper, pages.length > 1]).toEqual([paper, count > 3]);
      for (const text of pages) {
        for (const fact of ["Experience Hours (OJT)", "Marta Nowak", "NDT-0417", "Job Location"])
          expect(text).toContain(fact);
      }
      const whole = pages.join(" ").replace(/\s+/g, " ");
      for (let unit = 1; unit <= count; unit++) expect(whole.split(`Mongstad unit ${unit}.`)).toHaveLength(2);
      for (const once of ["100-FORM-95 Rev 0", "Total Hours", "Exported without a code"]) {
        expect(whole.split(once), once).toHaveLength(2);
        expect(pages.at(-1), once).toContain(once);
      }
      expect(pages.at(-1)).toContain(count === 3 ? "36.75 h" : "735.0 h");
      expect(pages.at(-1)).toContain("The above is true and accurate to the best of my knowledge.");
      expect(whole).not.toMatch(/Back to the log|This page|forward/);
    }
  });
}

const LONG_PLACES = [
  "W".repeat(190),
  LONG,
  "مصفاة الرويس، وحدة التقطير ".repeat(8).slice(0, 190),
  "東京都千代田区丸の内一丁目第三製油所の配管ラック上部".repeat(8).slice(0, 190),
  "Rig 🏗️ Alpha 👩🏽‍🏭 "
    .repeat(12)
    .slice(0, 190)
    .replace(/[\ud800-\udbff]$/, ""),
  "Rafineria Gdańska, wymiennik ciepła, zbiornik ciśnieniowy ".repeat(4).slice(0, 190),
];

// Catches a place that is cut at the end of a sheet, and text that runs out of the paper.
test("locations of 190 characters in any script are printed whole, and every page has the heads", async ({
  technician,
}) => {
  const { page, addEntries, verifyAll } = technician;
  const day = (index: number) => new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10);
  // Those of one script after the other, so that most sheets have one script alone.
  const places = LONG_PLACES.flatMap((place) => Array.from({ length: 16 }, (_, n) => `${place} ${n}.`.slice(-200)));
  await verifyAll(await addEntries(...places.map((location, index) => ({ date: day(index), location, hours: 12.25 }))));
  await page.goto("/profile/print");
  for (const options of Object.values(PAPERS)) {
    const pages = await printed(page, options);
    for (const text of pages) expect(text).toContain("Job Location");
    const whole = pages.join("").replace(/\s/g, "");
    expect(whole.split("W".repeat(190))).toHaveLength(17);
  }
});
