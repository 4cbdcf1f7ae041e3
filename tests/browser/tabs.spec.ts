import type { Page } from "@playwright/test";
import { expect, test } from "./technician.ts";

/** Returns the addresses that the page has told the browser to prefetch. */
function prefetching(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isAsked = document.querySelectorAll('script[type="speculationrules"]').length === 1;
    return isAsked ? [...document.querySelectorAll<HTMLAnchorElement>("a.soon")].map(({ pathname }) => pathname) : [];
  });
}

/** Returns how the current document was loaded: `navigational-prefetch`, or "" if the click itself loaded it. */
function deliveryType(page: Page): Promise<unknown> {
  return page.evaluate(() => Reflect.get(performance.getEntriesByType("navigation")[0] ?? {}, "deliveryType"));
}

/** Resolves when the browser has prefetched a page, which only the DevTools protocol reports. */
async function prefetched(page: Page, path: string): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await new Promise<void>((resolve, reject) => {
    cdp.on("Preload.prefetchStatusUpdated", ({ status, prefetchUrl }) => {
      if (new URL(prefetchUrl).pathname !== path) return;
      if (status === "Ready" || status === "Success") resolve();
      if (status === "Failure") reject(new Error(`${path} was not prefetched`));
    });
    cdp.send("Preload.enable").catch(reject); // reports earlier prefetches, too
  });
  await cdp.detach();
}

const tab = (page: Page, name: string) => page.getByRole("navigation").getByRole("link", { name });

test.beforeEach(async ({ technician: { page } }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
});

// Catches a rule for every link, which would open a supervisor's link before anyone presses it.
test("a tab is prefetched when the mouse is over it, and no other address is", async ({
  technician: { page, addEntries, request },
}) => {
  const [entry] = await addEntries({});
  const link = await request(entry?.id ?? 0);
  await page.goto("/profile", { waitUntil: "networkidle" });
  await page.evaluate((href) => {
    document.querySelector("main")?.insertAdjacentHTML("afterbegin", `<a href="${href}">the link</a>`);
  }, link);
  await page.getByRole("link", { name: "the link" }).hover();
  await tab(page, "OJT Hours").hover();
  await tab(page, "Rope Hours").hover();
  await expect.poll(() => prefetching(page)).toEqual(["/rope-hours"]);
  await prefetched(page, "/rope-hours");
  await tab(page, "Rope Hours").click();
  await expect(page.getByRole("heading", { name: "Rope Hours", exact: true })).toBeVisible();
  expect(await deliveryType(page)).toBe("navigational-prefetch");
});

// Catches `<link rel="prefetch">`, whose copy in the HTTP cache would still be shown after a save.
test("a page prefetched before a save is not shown after it", async ({ technician: { page, addEntries } }) => {
  await page.goto("/rope-hours", { waitUntil: "networkidle" });
  await tab(page, "OJT Hours").hover();
  await expect.poll(() => prefetching(page)).toEqual(["/profile"]);
  await prefetched(page, "/profile");
  await addEntries({ location: "Hangar 9" });
  await page.getByRole("button", { name: "Log Rope Hours" }).click();
  await page.reload();
  await tab(page, "OJT Hours").click();
  await expect(page.getByRole("cell", { name: "Hangar 9" })).toBeVisible();
});

test("a prefetched tab that is not opened within 10 seconds is dropped", async ({
  technician: { page, addEntries },
}) => {
  await page.clock.install();
  await page.goto("/rope-hours", { waitUntil: "networkidle" });
  await tab(page, "OJT Hours").hover();
  await expect.poll(() => prefetching(page)).toEqual(["/profile"]);
  await addEntries({ location: "Hangar 9" });
  await page.clock.runFor(10_000);
  expect(await prefetching(page)).toEqual([]);
  await tab(page, "OJT Hours").dispatchEvent("click");
  await expect(page.getByRole("cell", { name: "Hangar 9" })).toBeVisible();
});
