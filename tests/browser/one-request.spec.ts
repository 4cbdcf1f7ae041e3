import type { Page } from "@playwright/test";
import { storedRows } from "./offline-device.ts";
import { startSlowServer } from "./slow-server.ts";
import { expect, REFUSED_PAGE, test } from "./technician.ts";

/*
 * A page is one request until a user touches something. Catches an entry script that every page loads (it cost 1.2 kB
 * and a round trip), an icon in a file, a font, and an inline script that loads on page load what only a touch needs.
 */

/** Collects the paths that the page requests from now on. Data URLs are not requests. */
function requestsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    const { protocol, pathname } = new URL(request.url());
    if (protocol.startsWith("http")) paths.push(pathname);
  });
  return paths;
}

test("the first visit to any page is one request", async ({
  consoleErrors,
  technician: { page, addEntries, request },
  browser,
  baseURL,
}) => {
  consoleErrors.expect(REFUSED_PAGE);
  const [entry, other] = await addEntries({}, {});
  const link = await request(entry?.id ?? 0);
  const supervisor = await (await browser.newContext({ ...(baseURL && { baseURL }) })).newPage();
  for (const path of ["/auth", "/auth?tab=register", "/reset-password", link, "/success", "/nowhere"]) {
    const paths = requestsOf(supervisor);
    await supervisor.goto(path, { waitUntil: "networkidle" });
    expect(paths).toEqual([path.split("?")[0]]);
    supervisor.removeAllListeners("request");
  }
  for (const path of ["/profile", "/rope-hours", "/progress", `/profile?request=${other?.id}`]) {
    const paths = requestsOf(page);
    await page.goto(path, { waitUntil: "networkidle" });
    expect(paths).toEqual([path.split("?")[0]]);
    page.removeAllListeners("request");
  }
  await supervisor.context().close();
});

// Seen to fail: the account in the header filled the line until the tabs arrived. A word that moves within its line, because
// the page was cut inside it, is allowed: Chromium's value for that is below 0.005.
test("nothing on a page moves while it arrives in pieces", async ({ consoleErrors, technician, baseURL }) => {
  consoleErrors.expect(REFUSED_PAGE);
  const { page, addEntries, request } = technician;
  const [entry, other] = await addEntries({}, {});
  await request(entry?.id ?? 0);
  const slow = await startSlowServer(baseURL ?? "");
  await page.addInitScript(() => {
    const shifts: unknown[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      // TypeScript's DOM types lack a layout shift's `value` and `sources`.
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value?: number;
        sources?: { node?: Element }[];
      })[]) {
        if ((entry.value ?? 0) > 0.005)
          shifts.push([entry.value, entry.sources?.map(({ node }) => node?.outerHTML?.slice(0, 80))]);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    for (const path of [
      "/profile",
      "/rope-hours",
      "/progress",
      "/requests",
      `/profile?request=${entry?.id}&link=1`,
      `/profile?request=${other?.id}`,
      "/reset-password/x",
    ]) {
      await page.goto(`${slow.origin}${path}`);
      expect([path, width, await page.evaluate(() => Reflect.get(window, "shifts"))]).toEqual([path, width, []]);
    }
  }
  await slow.stop();
});

// Catches a log whose cards are all laid out at once: 500 of them delayed the first paint on a phone by half a second.
test("a card of the log is laid out when it comes near the screen", async ({ technician: { page, addEntries } }) => {
  await addEntries(...Array.from({ length: 100 }, (_, row) => ({ location: `Dock ${row}` })));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/profile");
  const last = page.locator(".log tbody tr").last();
  const isLaidOut = () => last.locator("a").evaluate((link) => link.checkVisibility({ contentVisibilityAuto: true }));
  expect(await isLaidOut()).toBe(false);
  await last.scrollIntoViewIfNeeded();
  await expect.poll(isLaidOut).toBe(true);
  await expect(last.getByRole("button", { name: "Request Verification" })).toBeInViewport();
});

test("the first press waits for its island, and the first typed letter is kept", async ({ technician: { page } }) => {
  // The entry script is slow, as on a slow link.
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route("**/assets/entry.client*", async (route) => {
    await arrival;
    await route.continue();
  });
  await page.goto("/profile", { waitUntil: "networkidle" });
  await page.getByLabel("Job Location").pressSequentially("D");
  await expect.poll(async () => JSON.stringify(await storedRows(page))).toContain('"D"');
  await page.getByRole("button", { name: "Add Another Entry" }).click();
  await expect(page.locator('[data-island="records/entry/entry-form"]')).toHaveAttribute("aria-busy", "true");
  arrive();
  await expect(page.getByLabel("Job Location")).toHaveCount(2);
  await expect(page.getByLabel("Job Location").first()).toHaveValue("D");
  await expect(page).toHaveURL("/profile");
});

test("if the entry script does not arrive, the page's own HTML handles the press", async ({
  consoleErrors,
  technician: { page },
}) => {
  consoleErrors.expect(/entry\.client/);
  await page.route("**/assets/entry.client*", (route) => route.abort());
  await page.goto("/profile", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Add Another Entry" }).click();
  await expect(page).toHaveURL(/\/profile\/entries\//);
  await expect(page.getByLabel("Job Location")).toHaveCount(2);
});

test("an entry script that fails to load once is requested again", async ({ consoleErrors, technician: { page } }) => {
  consoleErrors.expect(/net::ERR_FAILED: .*entry\.client/);
  let lost = 0;
  await page.route("**/assets/entry.client*", (route) => {
    lost += 1;
    return lost === 1 ? route.abort() : route.continue();
  });
  await page.goto("/profile", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Add Another Entry" }).click();
  await expect(page.getByLabel("Job Location")).toHaveCount(2);
  await expect(page).toHaveURL("/profile");
});
