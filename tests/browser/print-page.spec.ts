import type { Page } from "@playwright/test";
import { extractText } from "unpdf";
import { FORM_METHODS } from "#app/db/enumerations.ts";
import { expect, type Technician, test } from "./technician.ts";

/* The printable form at /profile/print: on a phone, on a wide screen, and as Chromium prints it. */

interface Printed {
  pages: string[];
  /** The page that each section says that it is. */
  sections: string[];
}

/** Prints the page, and returns the text of each sheet of paper. */
async function printed(page: Page, paper: Parameters<Page["pdf"]>[0]): Promise<Printed> {
  const { text: pages } = await extractText(new Uint8Array(await page.pdf(paper)));
  const sections = await page.locator("section.sheet").evaluateAll((all) => all.map((one) => one.ariaLabel ?? ""));
  return { pages, sections };
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
    const card = page.locator("tbody tr", { has: page.getByText("1 Jan 2025", { exact: true }) });
    await expect(card.getByText("Verified by Piet van der Berg")).toBeVisible();
    await expect(card.locator(".hours:visible")).toHaveText("12.25");
    const method = await card.locator(".hours:visible").evaluate((cell) => getComputedStyle(cell, "::before").content);
    expect(method).toContain("ET");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test("the totals are in three columns, each number below its method, the sum at the right", async ({
    technician,
  }) => {
    const { page } = technician;
    await printPage(technician, 9);
    const totals = page.locator(".totals");
    const boxes = await totals.locator(".hours").evaluateAll((cells) =>
      cells.map((cell) => {
        const { left, top, right } = cell.getBoundingClientRect();
        return { left: Math.round(left), top: Math.round(top), fits: right <= 344.5 };
      }),
    );
    expect(boxes).toHaveLength(9);
    expect(boxes.every(({ fits }) => fits)).toBe(true);
    expect(new Set(boxes.map(({ left }) => left)).size).toBe(3);
    expect(new Set(boxes.map(({ top }) => top)).size).toBe(3);
    const sum = await totals.getByText("110.25 h").boundingBox();
    const label = await totals.getByText("Total Hours").boundingBox();
    expect(sum?.y).toBe(label?.y);
    expect((sum?.x ?? 0) + (sum?.width ?? 0)).toBeCloseTo(344, 0);
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

test("at 960 and 1280 px no column head is broken inside a word, and no text leaves its cell", async ({
  technician,
}) => {
  const { page } = technician;
  await printPage(technician, 9, LONG);
  for (const width of [960, 1280]) {
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

// Catches a last page with a signature and no hours, a page that does not say whose it is, and a divided sheet.
for (const count of [3, 26, 60]) {
  test(`${count} entries printed by the browser: every page is complete and the signature has hours above it`, async ({
    technician,
  }) => {
    const { page } = technician;
    await page.emulateMedia({ colorScheme: "dark" });
    await printPage(technician, count);
    for (const [paper, options] of Object.entries(PAPERS)) {
      const { pages, sections } = await printed(page, options);
      expect(pages, paper).toHaveLength({ 3: 1, 26: 3, 60: 7 }[count] ?? 0);
      expect(sections).toEqual(pages.map((_, index) => `Page ${index + 1} of ${pages.length}`));
      for (const [index, text] of pages.entries()) {
        expect(text).toContain("Marta Nowak");
        const once = [
          "Experience Hours (OJT)",
          "NDT-0417",
          "100-FORM-95 Rev 0",
          `Page ${index + 1} of ${pages.length}`,
        ];
        for (const fact of [...once, "This page", "Exported without a code"]) {
          expect(text.split(fact), `${fact} on page ${index + 1}`).toHaveLength(2);
        }
      }
      const whole = pages.join(" ").replace(/\s+/g, " ");
      for (let unit = 1; unit <= count; unit++) expect(whole.split(`Mongstad unit ${unit}.`)).toHaveLength(2);
      expect(pages.at(-1)).toContain(`Mongstad unit ${count}.`);
      expect(pages.at(-1)).toContain("The above is true and accurate to the best of my knowledge.");
      expect(whole).not.toContain("Back to the log");
    }
    if (count === 60) await expectRunningTotals(page);
  });
}

/** Of 60 entries on seven sheets: the running totals of a page are those of the page before and its own. */
async function expectRunningTotals(page: Page): Promise<void> {
  const sums = await page
    .locator("section.sheet")
    .evaluateAll((sheets) =>
      sheets.map((sheet) =>
        ["brought", "this-page", "running"].map((name) =>
          Number(sheet.querySelector(`.${name} .total`)?.textContent?.replace(" h", "") ?? 0),
        ),
      ),
    );
  expect(sums).toHaveLength(7);
  for (const [index, [brought = 0, own = 0, running = 0]] of sums.entries()) {
    expect(brought).toBe(index === 0 ? 0 : sums[index - 1]?.[2]);
    expect(running).toBeCloseTo(brought + own, 0); // each is rounded once
  }
  expect(sums.at(-1)?.[2]).toBe(735); // 60 × 12.25
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

// Catches rows that are counted with too few lines: the browser then divides a sheet.
test("locations of 190 characters in any script print on as many pages as there are sheets", async ({ technician }) => {
  const { page, addEntries, verifyAll } = technician;
  const day = (index: number) => new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10);
  // Those of one script after the other, so that most sheets have one script alone.
  const places = LONG_PLACES.flatMap((place) => Array.from({ length: 16 }, (_, n) => `${place} ${n}.`.slice(-200)));
  await verifyAll(await addEntries(...places.map((location, index) => ({ date: day(index), location, hours: 12.25 }))));
  await page.goto("/profile/print");
  for (const [paper, options] of Object.entries(PAPERS)) {
    const { pages, sections } = await printed(page, options);
    expect(pages.length, paper).toBe(sections.length);
    for (const [index, text] of pages.entries()) expect(text).toContain(`Page ${index + 1} of ${pages.length}`);
  }
});
