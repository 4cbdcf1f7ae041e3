import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "./technician.ts";

test.use({ serviceWorkers: "allow", viewport: { width: 360, height: 740 } });

/** Opens the log and touches its form, which installs the service worker, and waits for its forms. */
async function installWorker(page: Page): Promise<void> {
  await page.goto("/profile");
  await page.getByLabel("Job Location").focus();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const isControlled = () => navigator.serviceWorker.controller !== null;
    while (!isControlled()) await new Promise((done) => setTimeout(done, 20));
  });
}

async function saveEntry(page: Page, location: string, hours = "7.25"): Promise<void> {
  await page.getByLabel("Job Date").fill("2026-03-02");
  await page.getByLabel("NDT Method").selectOption("UT_THK");
  await page.getByLabel("Hours", { exact: true }).fill(hours);
  await page.getByLabel("Job Location").fill(location);
  await page.getByRole("button", { name: "Save Entries" }).click();
}

const placesOf = (list: { location: string }[]) => list.map(({ location }) => location).sort();

test("hours saved without a signal are sent once when there is one", async ({ technician: { page, entries } }) => {
  await installWorker(page);
  await page.context().setOffline(true);
  await page.goto("/profile");
  await expect(page.getByRole("heading", { name: "No signal" })).toBeVisible();
  for (const place of ["Hangar 1", "Hangar 2", "Hangar 3"]) await saveEntry(page, place);
  await expect(page.getByRole("heading", { name: "3 not sent yet" })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "not sent yet" })).toHaveCount(0);
  expect(placesOf(await entries())).toEqual(["Hangar 1", "Hangar 2", "Hangar 3"]);
});
