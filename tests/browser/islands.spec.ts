import type { Page } from "@playwright/test";
import { expect, test } from "./technician.ts";

const EXPORT = { name: "Export Verified Hours as PDF" };
const ADD = { name: "Add Another Entry" };

/** Opens /profile with its first form changed by `edit`, which receives the page's HTML. */
async function openEdited(page: Page, edit: (html: string) => string): Promise<void> {
  await page.route("**/profile", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: edit(await response.text()) });
  });
  await page.goto("/profile");
}

/** Returns the export button's island as the server rendered it. */
function exportIsland(html: string): string {
  return /<div data-island="pdf\/export-button".*?<\/form><\/div>/s.exec(html)?.[0] ?? "";
}

test("a chunk that fails to load once is requested again, and the waiting click is handled", async ({
  consoleErrors,
  technician: { page },
}) => {
  consoleErrors.expect(/net::ERR_FAILED: .*entry-form/);
  let lost = 0;
  await page.route("**/assets/entry-form.island*", (route) => {
    lost += 1;
    return lost === 1 ? route.abort() : route.continue();
  });
  await page.goto("/profile", { waitUntil: "networkidle" });
  await page.getByRole("button", ADD).click();
  await expect(page.getByLabel("Job Location")).toHaveCount(2);
  await expect(page).toHaveURL("/profile");
});

test("a chunk that never loads leaves a working form, dispatches one event, and breaks no other island", async ({
  consoleErrors,
  technician: { page },
}) => {
  consoleErrors.expect(/net::ERR_FAILED: .*entry-form/);
  await page.addInitScript(() => {
    addEventListener("island:error", (event) => {
      document.documentElement.dataset.failed = (event.target as HTMLElement).dataset.island; // dispatched on the island
    });
  });
  await page.route("**/assets/entry-form.island*", (route) => route.abort());
  await page.goto("/profile", { waitUntil: "networkidle" });
  await page.getByLabel("Job Location").focus();
  await expect(page.locator("html")).toHaveAttribute("data-failed", "records/entry/entry-form");
  // The server handles the button instead.
  await page.getByRole("button", ADD).click();
  await expect(page).toHaveURL(/\/profile\/entries\//);
  await expect(page.getByLabel("Job Location")).toHaveCount(2);

  await page.goto("/profile", { waitUntil: "networkidle" });
  await page.locator('[data-island="pdf/export-button"]').evaluate((island) => {
    island.dispatchEvent(new PointerEvent("pointerdown"));
  });
  await expect(page.locator('[data-island="pdf/export-button"]')).toHaveAttribute("data-hydrated", "");
});

test("two islands of one component hydrate independently", async ({ technician: { page, addEntries, verifyAll } }) => {
  await verifyAll(await addEntries({}));
  await openEdited(page, (html) => html.replace(exportIsland(html), exportIsland(html).repeat(2)));
  const islands = page.locator('[data-island="pdf/export-button"]');
  await expect(islands).toHaveCount(2);
  await page.getByRole("button", EXPORT).nth(1).focus();
  await expect(islands.nth(1)).toHaveAttribute("data-hydrated", "");
  expect(await islands.nth(0).getAttribute("data-hydrated")).toBeNull();
  await page.getByRole("button", EXPORT).nth(0).focus();
  await expect(islands.nth(0)).toHaveAttribute("data-hydrated", "");
});

test("an island of an unknown component fails alone", async ({ technician: { page } }) => {
  await openEdited(page, (html) => html.replace('data-island="pdf/export-button"', 'data-island="pdf/nothing"'));
  await page.getByRole("button", ADD).click();
  await expect(page.getByLabel("Job Location")).toHaveCount(2);
});
