import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { findWhole } from "#tests/chromium.ts";
import { test as base, expect, signUp } from "./technician.ts";

/*
 * The installable app in a Chromium that is not private: a private one, as in all other tests, requests no manifest and
 * offers nothing. What is in the files, app/install/manifest.worker.test.ts checks. A Chromium without windows cannot install
 * anything, so `npm test` itself offers to; `npm run safe` lets a whole Chromium judge the app.
 */
const isWhole = Boolean(process.env.SAFE);

/** Fixture: a browser with a profile of its own, which offers to install at once, not after days of use. */
const test = base.extend<{ device: BrowserContext }>({
  device: async ({ baseURL, launchOptions, extraHTTPHeaders, consoleErrors }, use) => {
    const profile = mkdtempSync(join(tmpdir(), "hours-tracker-profile-"));
    const device = await chromium.launchPersistentContext(profile, {
      ...launchOptions,
      ...(isWhole && { executablePath: findWhole() ?? "" }),
      args: [...(launchOptions.args ?? []), "--bypass-app-banner-engagement-checks"],
      ...(baseURL && { baseURL }),
      ...(extraHTTPHeaders && { extraHTTPHeaders }),
    });
    consoleErrors.watch(device);
    await use(device);
    await device.close();
    rmSync(profile, { recursive: true, force: true });
  },
});

/** The paths of what the device fetches for installing. */
function fetchedFor(device: BrowserContext): string[] {
  const paths: string[] = [];
  device.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/manifest|icon-/.test(pathname)) paths.push(pathname);
  });
  return paths;
}

/** Points at a tab, which loads the script that makes the page installable, and waits for the offer to install. */
async function touch(page: Page): Promise<void> {
  const offered = page.evaluate(() => new Promise((done) => addEventListener("beforeinstallprompt", () => done(true))));
  await page.mouse.move(0, 0);
  await page.getByRole("link", { name: "Progress" }).hover();
  await page.locator("link[rel=manifest]").waitFor({ state: "attached" });
  if (!isWhole) await page.evaluate(() => dispatchEvent(new Event("beforeinstallprompt", { cancelable: true })));
  expect(await offered).toBe(true);
  await page.evaluate(() => indexedDB.databases()); // the hint asks for them first
}

/** What Chromium finds missing for installing the page; without windows it finds nothing, ever. */
async function problemsOf(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  return installabilityErrors.map(({ errorId }) => errorId);
}

// Catches a link in the page itself, for which Chromium requests the manifest and an icon before anybody touches the page,
// and `img-src data:`, with which it refuses the icon.
test("the app can be installed from a page that somebody has touched, and is offered below the form once", async ({
  device,
  baseURL,
}) => {
  const fetched = fetchedFor(device);
  const { page, addEntries } = await signUp(device, baseURL ?? "");
  const hint = page.getByRole("complementary", { name: "Install the app" });

  await page.goto("/profile", { waitUntil: "networkidle" });
  expect([fetched, await problemsOf(page)]).toEqual([[], isWhole ? ["no-manifest"] : []]);
  await touch(page);
  expect(await problemsOf(page)).toEqual([]);
  await expect(hint).toHaveCount(0); // nothing is logged yet

  await addEntries({});
  await page.reload();
  await touch(page);
  await expect(hint).toContainText("also without a signal");
  await expect(page.locator("section[aria-labelledby=new]").getByRole("button", { name: "Install" })).toBeVisible();
  await hint.getByRole("button", { name: "No, thanks" }).click();
  await expect(hint).toHaveCount(0);

  await page.reload();
  await touch(page);
  await expect(hint).toHaveCount(0);
});

test("Install opens the browser's own question and removes the hint", async ({ device, baseURL }) => {
  const { page, addEntries } = await signUp(device, baseURL ?? "");
  await addEntries({});
  await page.addInitScript(() => {
    addEventListener("beforeinstallprompt", (event) =>
      Object.assign(event, { prompt: () => Object.assign(document.documentElement.dataset, { asked: "yes" }) }),
    );
  });
  await page.goto("/profile");
  await touch(page);
  await page.getByRole("button", { name: "Install" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-asked", "yes");
  await expect(page.getByRole("button", { name: "Install" })).toHaveCount(0);
});
