import { expect, type Page } from "@playwright/test";
import type { Row } from "#app/offline/row.ts";
import { PASSWORD } from "./technician.ts";

/**
 * Opens the log and touches its form, which installs the service worker, and opens the log again: a page that was on its way
 * while the worker started is not controlled by it.
 */
export async function installWorker(page: Page): Promise<void> {
  await page.goto("/profile");
  await page.getByLabel("Job Location").focus();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await page.goto("/profile");
  await page.getByLabel("Job Location").focus();
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

/**
 * Opens the form without a signal. On a busy machine a service worker that starts for this page hears of the cut later than
 * Playwright says, and still gets the server's page, which has the account's menu: then it is opened again.
 */
export async function goOffline(page: Page, path = "/profile"): Promise<void> {
  await page.context().setOffline(true);
  const withoutSignal = page.getByRole("heading", { name: "No signal" });
  do {
    await page.goto(path);
    await expect(withoutSignal.or(page.locator("header summary").first())).toBeVisible();
  } while (!(await withoutSignal.isVisible()));
}

export async function saveEntry(page: Page, location: string, hours = "7.25"): Promise<void> {
  await page.getByLabel("Job Date").fill("2026-03-02");
  await page.getByLabel("NDT Method").selectOption("UT_THK");
  await page.getByLabel("Hours", { exact: true }).fill(hours);
  await page.getByLabel("Job Location").fill(location);
  await page.getByRole("button", { name: "Save Entries" }).click();
}

export async function logIn(page: Page, email: string): Promise<void> {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page).toHaveURL(/\/profile/);
}

export function notSent(page: Page, count: number) {
  return expect(page.getByRole("heading", { name: `${count} not sent yet` })).toBeVisible();
}

/** The rows that this browser keeps, of all users, without the record of who is signed in. */
export function storedRows(page: Page): Promise<Row[]> {
  const read = () => page.evaluate(readRows);
  return read().catch(read); // the page may have been opened again meanwhile
}

/** Runs in the page. */
function readRows(): Promise<Row[]> {
  return new Promise((done) => {
    const opening = indexedDB.open("hours", 1);
    opening.onsuccess = () => {
      const reading = opening.result.transaction("rows").objectStore("rows").getAll();
      reading.onsuccess = () => {
        opening.result.close();
        done(reading.result.filter(({ key }) => key !== ""));
      };
    };
  });
}

/** Stores rows as the app would, without a page that typed them. */
export function storeRows(page: Page, rows: Partial<Row>[]): Promise<void> {
  return page.evaluate(
    (rows) =>
      new Promise<void>((done) => {
        const opening = indexedDB.open("hours", 1);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction("rows", "readwrite");
          for (const row of rows) transaction.objectStore("rows").put(row);
          transaction.oncomplete = () => {
            opening.result.close();
            done();
          };
        };
      }),
    rows,
  );
}
