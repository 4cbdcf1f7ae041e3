import { readFile } from "node:fs/promises";
import { type Page, request as requests } from "@playwright/test";
import { extractText } from "unpdf";
import { FORM_METHODS } from "#app/db/enumerations.ts";
import type { Entry } from "#app/records/entry/entry.kind.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { expect, type Technician, test } from "./technician.ts";

const EXPORT = { name: "Export Verified Hours as PDF" };

/** Logs and verifies entries of every method at distinct locations, and one more that stays unverified. */
async function verifiedLog({ addEntries, verifyAll }: Technician, count: number): Promise<void> {
  const drafts = Array.from({ length: count }, (_, index) => ({
    date: new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10),
    location: `Mongstad unit ${index + 1}.`,
    method: FORM_METHODS[index % FORM_METHODS.length] ?? "ET",
    hours: 0.13 + (index % 60) / 8,
  }));
  await verifyAll(await addEntries(...drafts));
  await addEntries({ location: "Nowhere yet" });
}

/** Exports, and reads the file back: its name and the text of each page. */
async function exportPdf(page: Page): Promise<{ name: string; pages: string[] }> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", EXPORT).click();
  const file = await download;
  const { text } = await extractText(new Uint8Array(await readFile(await file.path())));
  return { name: file.suggestedFilename(), pages: text };
}

function totalsOf(entries: Entry[]): string[] {
  return FORM_METHODS.map((method) =>
    formatHours(
      entries
        .filter((entry) => entry.verified && entry.method === method)
        .reduce((sum, { hours }) => sum + toHundredths(hours), 0),
    ),
  );
}

/** Numbers of entries, each with its number of pages. 400 take long: `npm run safe` has them. */
const SIZES: [entries: number, pages: number][] = [
  [3, 1],
  [60, 5],
];
if (process.env.SAFE) SIZES.push([400, 30]);

for (const [count, pageCount] of SIZES) {
  test(`${count} verified entries become a PDF of ${pageCount} pages with the header, and each location and total`, async ({
    technician,
  }) => {
    test.slow();
    const { page, entries } = technician;
    await verifiedLog(technician, count);
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto("/profile");
    const { name, pages } = await exportPdf(page);

    const today = await page.evaluate(() => new Intl.DateTimeFormat("sv-SE").format(new Date()));
    expect(name).toBe(`OJT_Log_Marta Nowak_${today}.pdf`);
    expect(pages).toHaveLength(pageCount);
    for (const [index, text] of pages.entries()) {
      expect(text).toContain(`Page ${index + 1} of ${pageCount}`);
      expect(text).toContain("100-FORM-95 Rev 0");
    }
    const whole = pages.join(" ").replace(/\s+/g, " ");
    for (let unit = 1; unit <= count; unit++) expect(whole.split(`Mongstad unit ${unit}.`)).toHaveLength(2);
    expect(whole).not.toContain("Nowhere yet");
    expect(whole).toContain(`Total Hours ${totalsOf(await entries()).join(" ")}`);
    const [made] = await (await technician.api.get("/api/exports")).json();
    for (const text of pages) expect(text).toContain(made.code);
    expect(whole).toContain("The above is true and accurate to the best of my knowledge.");
    await expect(page.getByRole("status")).toContainText("Your verified hours have been exported as PDF.");
    // The page did not violate its content security policy.
    expect(complaints).toEqual([]);
  });
}

/** Verifies one entry, opens its page and returns the addresses of the scripts requested from then on. */
async function scriptsOf(technician: Technician): Promise<string[]> {
  const { page } = technician;
  await verifiedLog(technician, 1);
  const scripts: string[] = [];
  page.on("request", (request) => request.url().endsWith(".js") && scripts.push(request.url()));
  await page.goto("/profile", { waitUntil: "networkidle" });
  expect(scripts).toEqual([]);
  return scripts;
}

// Catches a builder that loads on the click: on a slow link a third of a megabyte is most of the wait.
for (const [how, intend] of [
  ["the pointer is over its button", (page: Page) => page.getByRole("button", EXPORT).hover()],
  ["its button has the focus", (page: Page) => page.getByRole("button", EXPORT).focus()],
] as const) {
  test(`React and the PDF builder are loaded when ${how}, not before, and the click loads no second copy`, async ({
    technician,
  }) => {
    const scripts = await scriptsOf(technician);
    const builder = technician.page.waitForResponse(/pdf-worker/);
    await intend(technician.page);
    await (await builder).finished();
    expect(scripts.some((url) => /\/react-/.test(url))).toBe(true);
    await exportPdf(technician.page);
    const sizes = await technician.page.evaluate(() =>
      performance.getEntriesByType("resource").flatMap((entry) => {
        const { name, transferSize } = entry as PerformanceResourceTiming; // as asked for
        return name.includes("pdf-worker") ? [transferSize] : [];
      }),
    );
    expect(sizes.filter((size) => size > 0)).toHaveLength(1);
  });
}

// Catches prefetching for everyone: with Save-Data on, users download only what they ask for.
test("with Save-Data on the PDF builder is loaded on the click and not before", async ({ technician }) => {
  const { page } = technician;
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Emulation.setDataSaverOverride", { dataSaverEnabled: true });
  const scripts = await scriptsOf(technician);
  await page.getByRole("button", EXPORT).hover();
  // The test's own request: any request that hovering causes was sent before it.
  const marker = page.waitForRequest(/robots\.txt/);
  await page.evaluate(() => fetch("/robots.txt").then(() => {}));
  await marker;
  expect(scripts).toEqual([]);
  await page.getByRole("button", EXPORT).focus();
  await expect(page.locator('[data-island="pdf/export-button"]')).toHaveAttribute("data-hydrated", "");
  expect(scripts.some((url) => url.includes("pdf-worker"))).toBe(false);
  const builder = page.waitForRequest(/pdf-worker/);
  await exportPdf(page);
  await builder;
});

test("a failed export says so and links to the print page", async ({ consoleErrors, technician }) => {
  consoleErrors.expect(/net::ERR_FAILED: .*pdf-worker/, /the PDF worker could not be loaded/, /^Event/);
  const { page } = technician;
  await verifiedLog(technician, 1);
  await page.route("**/assets/pdf-worker*", (route) => route.abort());
  await page.goto("/profile");
  await page.getByRole("button", EXPORT).focus();
  await expect(page.locator('[data-island="pdf/export-button"]')).toHaveAttribute("data-hydrated", "");
  await page.getByRole("button", EXPORT).click();
  await expect(page.getByRole("alert")).toContainText("Failed to export PDF. Please try again.");
  await page.getByRole("link", { name: "Print the form instead" }).click();
  await expect(page.getByText("Mongstad unit 1.")).toBeVisible();
});

test("without verified hours the button is disabled, and the print page says what is missing", async ({
  technician: { page, addEntries },
}) => {
  await addEntries({});
  await page.goto("/profile");
  await expect(page.getByRole("button", EXPORT)).toBeDisabled();
  await page.goto("/profile/print");
  await expect(page).toHaveURL("/profile");
  await expect(page.getByRole("alert")).toContainText("You need at least one verified entry to export as PDF.");
});

test("a name outside Latin-1 is readable in the PDF", async ({ technician }) => {
  const { page, addEntries, verifyAll } = technician;
  await verifyAll(await addEntries({ location: "Łódź, Ελευσίνα, Ростов, 横浜" }));
  await page.goto("/profile");
  const { pages } = await exportPdf(page);
  for (const place of ["Łódź", "Ελευσίνα", "Ростов", "横浜"]) expect(pages[0]?.replace(/\s/g, "")).toContain(place);
});

test("without an answer of the server the PDF has no code and says so, and the page too", async ({
  consoleErrors,
  technician,
}) => {
  consoleErrors.expect(/net::ERR_FAILED: .*\/api\/exports/);
  const { page, api } = technician;
  await verifiedLog(technician, 2);
  await page.route("**/api/exports", (route) => route.abort());
  await page.goto("/profile");
  const { pages } = await exportPdf(page);
  expect(pages[0]).toContain("Mongstad unit 2.");
  expect(pages[0]).toContain("Exported without a code: this form cannot be checked online.");
  await expect(page.getByRole("status")).toContainText("This file has no code");
  await expect(page.locator(".export .progress")).toContainText("Export again to get one.");
  expect(await (await api.get("/api/exports")).json()).toEqual([]);
});

test("an export whose first answer was lost is made once, with its code", async ({ consoleErrors, technician }) => {
  consoleErrors.expect(/net::ERR_FAILED: .*\/api\/exports/);
  const { page, api } = technician;
  await verifiedLog(technician, 1);
  let answers = 0;
  await page.route("**/api/exports", async (route) => {
    answers += 1;
    if (answers > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.goto("/profile");
  const { pages } = await exportPdf(page);
  const made = await (await api.get("/api/exports")).json();
  expect(made).toHaveLength(1);
  expect(pages[0]).toContain(made[0].code);
});

test("rope hours are exported from their own page", async ({ technician }) => {
  const { page, api } = technician;
  const period = { startDate: "2026-11-03", endDate: "2026-11-07" };
  const record = { ...period, location: "Gullfaks C", skills: "Rescue, rigging", hours: 12.25 };
  const { id } = await (await api.post("/api/rope-hours", { data: record })).json();
  const supervisor = { name: "Ola Hansen", email: "ola@example.com", phone: "+47 1234", company: "NDT Holland" };
  const { id: supervisorId } = await (
    await api.post("/api/supervisors", { data: { ...supervisor, certificationLevel: "Level III" } })
  ).json();
  const asked = await api.post(`/api/verify-request-rope/${id}`, { data: { supervisorId } });
  const { verificationToken } = await asked.json();
  const stranger = await requests.newContext({ baseURL: new URL(asked.url()).origin });
  const verified = await stranger.post(`/api/verify/${verificationToken}`, { data: { supervisorName: "Ola Hansen" } });
  expect(verified.status()).toBe(200);
  await stranger.dispose();
  await page.goto("/rope-hours");
  const { name, pages } = await exportPdf(page);
  expect(name).toMatch(/^Rope_Log_Marta Nowak_/);
  for (const text of [
    "3 Nov 2026",
    "7 Nov 2026",
    "Gullfaks C",
    "Rescue, rigging",
    "12.25",
    "Ola Hansen",
    "Total Hours",
  ]) {
    expect(pages[0]).toContain(text);
  }
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the button makes an export and leads to its page to print, with code and QR code", async ({ technician }) => {
    const { page, api } = technician;
    await verifiedLog(technician, 1);
    await page.goto("/profile");
    await page.getByRole("button", EXPORT).click();
    const [made] = await (await api.get("/api/exports")).json();
    await expect(page).toHaveURL(`/profile/print/${made.id}`);
    await expect(page.getByText(made.code)).toBeVisible();
    await expect(page.getByRole("img", { name: "QR code: check this form" })).toBeVisible();
    await expect(page.getByText("Mongstad unit 1.")).toBeVisible();
  });
});
