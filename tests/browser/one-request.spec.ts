import type { Page } from "@playwright/test";
import { expect, test } from "./technician.ts";

/*
 * A page is one request until somebody reaches for something. Catches an entry script that every page asks for (it cost
 * 1.2 kB and a round trip), an icon that is a file, a font, and a starter that fetches at load what only a touch needs.
 */

/** The paths that the page asks for from now on. What it has in itself is no request. */
function requestsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    const { protocol, pathname } = new URL(request.url());
    if (protocol.startsWith("http")) paths.push(pathname);
  });
  return paths;
}

test("a first visit to any page is one request", async ({
  technician: { page, addEntries, request },
  browser,
  baseURL,
}) => {
  const [entry, other] = await addEntries({}, {});
  const link = await request(entry?.id ?? 0);
  const supervisor = await (await browser.newContext({ ...(baseURL && { baseURL }) })).newPage();
  for (const path of ["/auth", "/auth?tab=register", "/reset-password", link, "/success", "/nowhere"]) {
    const paths = requestsOf(supervisor);
    await supervisor.goto(path, { waitUntil: "networkidle" });
    expect(paths).toEqual([path.split("?")[0]]);
    supervisor.removeAllListeners("request");
  }
  for (const path of ["/profile", "/rope-hours", `/profile?request=${other?.id}`]) {
    const paths = requestsOf(page);
    await page.goto(path, { waitUntil: "networkidle" });
    expect(paths).toEqual([path.split("?")[0]]);
    page.removeAllListeners("request");
  }
  await supervisor.context().close();
});

test("nothing moves while a page comes together", async ({ technician: { page, addEntries, request } }) => {
  const [entry] = await addEntries({}, {});
  await request(entry?.id ?? 0);
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      // A layout shift's `value` is not in TypeScript's list of what browsers have.
      for (const shift of list.getEntries()) Object.assign(window, { shift: (shift as { value?: number }).value });
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    for (const path of ["/profile", "/rope-hours", `/profile?request=${entry?.id}&link`, "/reset-password/x"]) {
      await page.goto(path, { waitUntil: "networkidle" });
      expect([path, width, await page.evaluate(() => Reflect.get(window, "shift"))]).toEqual([path, width, 0]);
    }
  }
});

// Catches a log that a phone lays out whole: 500 cards kept one busy for half a second more at the first paint.
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

test("the first press waits for its island, the first letter is kept, without any touch before", async ({
  technician: { page },
}) => {
  // The entry takes its time, as on a slow link.
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
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('\\"D\\"');
  await page.getByRole("button", { name: "Add Another Entry" }).click();
  await expect(page.locator('[data-island="records/entry/entry-form"]')).toHaveAttribute("aria-busy", "true");
  arrive();
  await expect(page.getByLabel("Job Location")).toHaveCount(2);
  await expect(page.getByLabel("Job Location").first()).toHaveValue("D");
  await expect(page).toHaveURL("/profile");
});

test("an entry that does not arrive leaves the press to the page's own HTML", async ({ technician: { page } }) => {
  await page.route("**/assets/entry.client*", (route) => route.abort());
  await page.goto("/profile", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Add Another Entry" }).click();
  await expect(page).toHaveURL(/\/profile\/entries\//);
  await expect(page.getByLabel("Job Location")).toHaveCount(2);
});

test("an entry that gets lost once is asked for again", async ({ technician: { page } }) => {
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
