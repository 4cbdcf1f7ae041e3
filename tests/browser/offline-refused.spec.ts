import { readFile } from "node:fs/promises";
import type { Page, Route } from "@playwright/test";
import type { Row } from "#app/offline/row.ts";
import { goOffline, installWorker, notSent, saveEntry, storedRows, storeRows } from "./offline-device.ts";
import { expect, NO_NETWORK, REFUSED_PAGE, test } from "./technician.ts";

// These tests cut the network, and answer in place of the server.
test.beforeEach(({ consoleErrors }) =>
  consoleErrors.expect(
    NO_NETWORK,
    REFUSED_PAGE,
    /\/api\/entries/,
    /portal\.invalid/,
    /ServiceWorkerRegistration is not defined/, // on about:blank, in a script of the tests
    /^Failed to load resource: .*\/auth/,
  ),
);

/*
 * What becomes of hours in the queue if the server refuses one of them, if something between the browser and the app
 * answers in its place, and if the app asks to wait.
 */

test.use({ viewport: { width: 360, height: 740 } });

const CALL = "**/api/entries";
const REFUSED = "Hangar refused";

/** Stores rows that were saved without a signal, oldest first, and opens the log, which sends them. */
async function send(page: Page, ...rows: (Partial<Row> & { place: string })[]): Promise<void> {
  await page.goto("/profile");
  const userId = (await page.locator("[data-draft]").getAttribute("data-draft")) ?? "";
  await storeRows(
    page,
    rows.map(({ place, ...over }, index) => ({
      key: `u${userId}-${crypto.randomUUID()}`,
      userId,
      kind: "entry",
      at: 1_700_000_000_000 + index,
      state: "saved",
      body: [{ date: "2026-03-02", location: place, method: "PT", hours: "7" }],
      ...over,
    })),
  );
  await page.goto("/profile");
}

/** Handles the calls that send hours of this place, and lets all others through. */
async function onPlace(page: Page, place: string, handle: (route: Route) => Promise<void>): Promise<void> {
  await page.route(CALL, (route) => (route.request().postData()?.includes(place) ? handle(route) : route.fallback()));
}

/** Ways in which the app itself refuses a row, whatever its hours are. */
const REFUSALS: Record<string, { change: (route: Route) => Promise<void>; reason: RegExp }> = {
  "403, from another site": {
    change: async (route) => {
      const headers = { ...(await route.request().allHeaders()), "sec-fetch-site": "cross-site" };
      await route.fulfill({ response: await route.fetch({ headers }) });
    },
    reason: /came from another site/,
  },
  "404, an address of another version": {
    change: (route) => route.continue({ url: route.request().url().replace("entries", "hours") }),
    reason: /There is no such call/,
  },
  "405, a method that is not taken": {
    change: (route) => route.continue({ method: "PUT" }),
    reason: /does not take that method/,
  },
  "413, too large": {
    change: (route) => route.continue({ postData: `${route.request().postData()}${" ".repeat(3 * 1024 * 1024)}` }),
    reason: /too large/,
  },
  "415, another type": {
    change: (route) => route.continue({ headers: { ...route.request().headers(), "content-type": "text/plain" } }),
    reason: /Send application\/json/,
  },
  "421, another host": {
    change: (route) => route.fulfill({ status: 421, json: { message: "This is another host." } }),
    reason: /This is another host/,
  },
};

test("a row that is refused holds up no other and says why, whatever the reason", async ({
  technician: { page, entries },
}) => {
  const refused = Object.keys(REFUSALS).map((status) => ({ place: `Hangar ${status}` }));
  for (const [status, { change }] of Object.entries(REFUSALS)) await onPlace(page, `Hangar ${status}`, change);
  await send(page, ...refused, { place: "Hangar 2" });
  await expect(page.getByRole("status").filter({ hasText: "1 sent" })).toBeVisible();
  expect(await entries()).toMatchObject([{ location: "Hangar 2" }]);
  await notSent(page, refused.length);
  for (const [status, { reason }] of Object.entries(REFUSALS)) {
    await expect(page.locator(".not-sent tr").filter({ hasText: `Hangar ${status}` })).toContainText(reason);
  }
  expect((await storedRows(page)).map(({ state }) => state)).toEqual(refused.map(() => "rejected"));
});

test("a refused row is saved as a file that the import reads, opened again as a form, or removed", async ({
  technician: { page, entries, api },
}) => {
  await onPlace(page, REFUSED, (route) => route.continue({ method: "PUT" }));
  await send(page, { place: REFUSED }, { place: `${REFUSED} too` });
  await notSent(page, 2);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: `Save 2 Mar 2026, ${REFUSED} as a file` }).click();
  const file = await readFile((await (await downloading).path()) ?? "", "utf8");
  const imported = await api.post("/api/imports", { headers: { "Content-Type": "text/csv" }, data: file });
  expect((await imported.json()).rows).toMatchObject([{ records: [{ location: REFUSED, hours: 7 }] }]);
  await page.getByRole("button", { name: `Delete 2 Mar 2026, ${REFUSED} too` }).click();
  await notSent(page, 1);
  await page.getByRole("button", { name: `Edit 2 Mar 2026, ${REFUSED}` }).click();
  await expect(page.getByLabel("Job Location")).toHaveValue(REFUSED);
  expect(await entries()).toEqual([]); // opening sends nothing
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page.getByRole("status")).toContainText("Entries added");
  expect(await entries()).toMatchObject([{ location: REFUSED, hours: 7 }]);
  await expect.poll(() => storedRows(page)).toEqual([]);
});

// Catches a row that is opened under a new key: it was saved, its answer was lost, and then the app refused it.
test("a row that may be saved and is refused afterwards is still saved once", async ({
  technician: { page, entries },
}) => {
  let calls = 0;
  await page.route(CALL, async (route) => {
    calls += 1;
    if (calls > 1) return route.continue({ method: "PUT" });
    await route.fetch();
    await route.abort("connectionreset");
  });
  await send(page, { place: REFUSED });
  await expect(page.locator(".not-sent")).toContainText("Sent, no answer yet");
  expect(await entries()).toHaveLength(1);
  await page.getByRole("button", { name: "Send now" }).click();
  await expect(page.locator(".not-sent")).toContainText("does not take that method");
  await expect(page.locator(".not-sent")).toContainText("An earlier try may have saved them: look at your log first.");
  await page.getByRole("button", { name: /^Edit/ }).click();
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page.getByRole("status")).toContainText("Entries added");
  expect(await entries()).toHaveLength(1);
});

const LOGIN_PAGE = { contentType: "text/html", body: "<!doctype html><title>Airport Wi-Fi</title><h1>Welcome</h1>" };

/** Answers of something between the browser and the app. */
const STRANGERS: Record<string, (route: Route) => Promise<void>> = {
  "200 with a page": (route) => route.fulfill({ status: 200, ...LOGIN_PAGE }),
  "201 with a page": (route) => route.fulfill({ status: 201, ...LOGIN_PAGE }),
  "200 without a body": (route) => route.fulfill({ status: 200, body: "" }),
  "200 with other JSON": (route) => route.fulfill({ status: 200, json: { login: "required" } }),
  "200 with null": (route) => route.fulfill({ status: 200, contentType: "application/json", body: "null" }),
  "a redirect to its own page": (route) =>
    route.fulfill({ status: 302, headers: { Location: "http://portal.invalid/login" } }),
  "a redirect to a page here": (route) => route.fulfill({ status: 303, headers: { Location: "/auth" } }),
  ...Object.fromEntries(
    [400, 401, 403, 404, 405, 409, 413, 415, 421, 429, 511].map((status) => [
      `${status} with a page`,
      (route: Route) => route.fulfill({ status, ...LOGIN_PAGE }),
    ]),
  ),
  "400 with other JSON": (route) => route.fulfill({ status: 400, json: { error: "login required" } }),
};

// Catches a page of a captive portal taken for a success, which lost the hours, or for a refusal.
test("whatever a network answers in the app's place, nothing is lost, and the page says that it asks to sign in", async ({
  technician: { page, entries },
}) => {
  let answer: ((route: Route) => Promise<void>) | undefined = STRANGERS["200 with a page"];
  let calls = 0;
  await page.route(CALL, (route) => {
    calls += 1;
    return route.request().method() === "POST" && answer ? answer(route) : route.continue();
  });
  await send(page, { place: "Hangar 1" }, { place: "Hangar 2" });
  for (const [what, stranger] of Object.entries(STRANGERS)) {
    answer = stranger;
    const before = calls;
    await page.getByRole("button", { name: "Send now" }).click();
    await expect.poll(() => calls, what).toBeGreaterThan(before);
    await expect(page.locator(".not-sent"), what).toContainText("This network asks you to sign in");
    const rows = await storedRows(page);
    expect([what, rows.map(({ state }) => state).sort()]).toEqual([what, ["saved", "sent"]]);
    expect([what, await entries()]).toEqual([what, []]);
  }
  answer = undefined;
  await page.getByRole("button", { name: "Send now" }).click();
  await expect.poll(() => storedRows(page)).toEqual([]);
  expect((await entries()).map(({ location }: { location: string }) => location).sort()).toEqual([
    "Hangar 1",
    "Hangar 2",
  ]);
});

test("an error page of a server in between is not called a network that asks to sign in", async ({
  technician: { page, entries },
}) => {
  await page.route(CALL, (route) => route.fulfill({ status: 502, ...LOGIN_PAGE }));
  await send(page, { place: "Hangar 1" });
  await expect(page.locator(".not-sent")).toContainText("The server is not ready");
  await page.unroute(CALL);
  await page.getByRole("button", { name: "Send now" }).click();
  await expect.poll(() => storedRows(page)).toEqual([]);
  expect(await entries()).toHaveLength(1);
});

/** How much faster than the clock the page's waits between two attempts end, the shortest of which takes 15 to 30 seconds. */
const FASTER = 30;

for (const [what, status, retryAfter] of [
  ["429 and a number of seconds", 429, () => "60"],
  ["503 and a date", 503, () => new Date(Date.now() + 61_000).toUTCString()],
] as const) {
  test(`after ${what} the rows wait for that time and are then sent without a touch`, async ({
    technician: { page, entries },
  }) => {
    await page.addInitScript((faster) => {
      const setTimer = window.setTimeout.bind(window);
      window.setTimeout = ((work: () => void, ms = 0) =>
        setTimer(work, ms < 15_000 ? ms : ms / faster)) as typeof setTimeout;
    }, FASTER);
    const at: number[] = [];
    await page.route(CALL, (route) => {
      at.push(Date.now());
      if (at.length > 1) return route.continue();
      return route.fulfill({ status, headers: { "Retry-After": retryAfter() }, json: { message: "Busy." } });
    });
    await send(page, { place: "Hangar 1" }, { place: "Hangar 2" });
    await expect(page.locator(".not-sent")).toContainText("The server is not ready");
    await expect.poll(() => storedRows(page)).toEqual([]);
    expect(await entries()).toHaveLength(2);
    // Longer than the first wait between two attempts, which ends after half of this time.
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(59_000 / FASTER);
  });
}

// Catches a wait of more milliseconds than a timer has, which ends at once and is asked for again without end.
test("a wait of years is not taken for none", async ({ technician: { page } }) => {
  let calls = 0;
  await page.route(CALL, (route) => {
    calls += 1;
    return route.fulfill({ status: 503, headers: { "Retry-After": "99999999" }, json: { message: "Busy." } });
  });
  await send(page, { place: "Hangar 1" });
  await expect(page.locator(".not-sent")).toContainText("The server is not ready");
  await page.evaluate(() => new Promise((done) => setTimeout(done, 1_000))); // in which timers that are over would run
  expect(calls).toBe(1);
});

test("a row that makes the server fail holds up no other, and is sent again", async ({
  technician: { page, entries },
}) => {
  await onPlace(page, REFUSED, (route) => route.fulfill({ status: 500, json: { message: "Something went wrong." } }));
  await send(page, { place: REFUSED }, { place: "Hangar 2" });
  await expect(page.getByRole("status").filter({ hasText: "1 sent" })).toBeVisible();
  expect(await entries()).toMatchObject([{ location: "Hangar 2" }]);
  await expect(page.locator(".not-sent")).toContainText("The server failed to save these hours");
  await page.unroute(CALL);
  await page.getByRole("button", { name: "Send now" }).click();
  await expect.poll(entries).toHaveLength(2);
});

test.describe("on the page without a signal", () => {
  test.use({ serviceWorkers: "allow" });

  test("a network that asks to sign in is named, and what is saved there waits", async ({
    technician: { page, entries },
  }) => {
    // Without Background Sync the page sends the rows itself: a route sees no requests of the service worker.
    await page.addInitScript(() =>
      Object.defineProperty(ServiceWorkerRegistration.prototype, "sync", { value: undefined }),
    );
    await installWorker(page);
    await goOffline(page);
    await page.route(CALL, (route) => route.fulfill({ status: 200, ...LOGIN_PAGE }));
    await saveEntry(page, "Hangar 1");
    await saveEntry(page, "Hangar 2");
    await page.context().setOffline(false);
    await expect(page.getByRole("heading", { name: "This network asks you to sign in" })).toBeVisible();
    expect(await entries()).toEqual([]);
    await notSent(page, 2);
    await page.unroute(CALL);
    await page.getByRole("button", { name: "Send now" }).click();
    await expect(page.getByRole("heading", { name: "Sent", exact: true })).toBeVisible();
    expect(await entries()).toHaveLength(2);
  });

  test("a refused row says why, and is opened again in the form", async ({ technician: { page, entries } }) => {
    await page.addInitScript(() =>
      Object.defineProperty(ServiceWorkerRegistration.prototype, "sync", { value: undefined }),
    );
    await installWorker(page);
    await goOffline(page);
    await onPlace(page, REFUSED, (route) => route.continue({ method: "PUT" }));
    await saveEntry(page, REFUSED);
    await saveEntry(page, "Hangar 2");
    await page.context().setOffline(false);
    await expect(page.locator(".not-sent")).toContainText("does not take that method");
    await expect.poll(entries).toMatchObject([{ location: "Hangar 2" }]);
    await page.getByRole("button", { name: `Edit 2 Mar 2026, ${REFUSED}` }).click();
    await expect(page.getByLabel("Job Location")).toHaveValue(REFUSED);
    await saveEntry(page, "Hangar 3");
    await expect.poll(entries).toHaveLength(2);
    expect(await storedRows(page)).toEqual([]);
  });
});
