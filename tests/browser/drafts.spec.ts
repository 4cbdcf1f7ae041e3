import type { Page } from "@playwright/test";
import { logIn, storedRows } from "./offline-device.ts";
import { expect, NO_NETWORK, PASSWORD, signUp, test } from "./technician.ts";

/** Types one entry and waits until the browser has stored it. */
async function typeEntry(page: Page, location = "Hangar 2"): Promise<void> {
  await page.goto("/profile");
  await page.getByLabel("Job Date").fill("2026-03-02");
  await page.getByLabel("NDT Method").selectOption("PT");
  await page.getByLabel("Hours", { exact: true }).fill("7.25");
  await page.getByLabel("Job Location").fill(location);
  await expect.poll(() => storedDrafts(page)).toContain(location);
}

/** Returns all that the browser stores for the app, as text. */
async function storedDrafts(page: Page): Promise<string> {
  return JSON.stringify(await storedRows(page));
}

test("entries typed before a crash are offered, restored and saved once", async ({ technician: { page, entries } }) => {
  await typeEntry(page);
  await page.close({ runBeforeUnload: false });
  const again = await page.context().newPage();
  await again.goto("/profile");
  await expect(again.getByText(/You have an unsaved entry from/)).toBeVisible();
  await again.getByRole("button", { name: "Restore" }).click();
  await expect(again.getByLabel("Job Location")).toHaveValue("Hangar 2");
  await expect(again.getByLabel("Hours", { exact: true })).toHaveValue("7.25");
  await expect(again.getByText("is required")).toHaveCount(0);
  await again.getByRole("button", { name: "Save Entries" }).click();
  await expect(again.getByRole("status")).toContainText("Entries added");
  expect(await entries()).toMatchObject([{ date: "2026-03-02", location: "Hangar 2", method: "PT", hours: 7.25 }]);
  await expect.poll(() => storedDrafts(again)).toBe("[]");
});

test("entries saved after the session has ended are sent after the next login", async ({
  technician: { page, email, entries },
}) => {
  await typeEntry(page);
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page).toHaveURL("/auth");
  await expect(page.getByRole("alert")).toHaveText(
    "You were signed out, so this was not saved. If this browser has kept your hours, they are sent once you log in.",
  );
  await logIn(page, email);
  await expect.poll(() => storedDrafts(page)).toBe("[]");
  expect(await entries()).toMatchObject([{ date: "2026-03-02", location: "Hangar 2", method: "PT", hours: 7.25 }]);
});

test.describe("when its script does not arrive", () => {
  test.use({ scriptsArrive: false });

  // Catches saved hours that the next page shows as not sent, and sends again, because nothing has removed them yet.
  test("hours that were saved are kept no longer", async ({ technician: { page } }) => {
    await typeEntry(page);
    await page.getByRole("button", { name: "Save Entries" }).click();
    await expect(page.getByRole("status")).toContainText("Entries added");
    await expect.poll(() => storedDrafts(page)).toBe("[]");
    // The rows that the tab sent last, too: another technician may have it next.
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });
});

// Catches a draft that is stored only when the page handles the end of the transaction, which a crashed page never does.
test("typed text survives a crash in the very task of the last keystroke", async ({ technician: { page } }) => {
  await typeEntry(page);
  const cdp = await page.context().newCDPSession(page);
  const typing = cdp.send("Runtime.evaluate", {
    expression: `(async () => {
      const field = document.querySelector("[name$=location]");
      field.value = "the last words";
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      for (let turn = 0; turn < 30; turn += 1) await null; // microtasks of the same task
      const start = performance.now();
      while (performance.now() - start < 3000);
    })()`,
  });
  typing.catch(() => {}); // the page crashes before it answers
  await page.waitForTimeout(1_000);
  cdp.send("Page.crash").catch(() => {});
  await page.waitForEvent("crash");
  const again = await page.context().newPage();
  await again.goto("/profile");
  expect(await storedDrafts(again)).toContain("the last words");
});

test("a save whose response is lost leaves one entry, however often it is sent again", async ({
  consoleErrors,
  technician: { page, entries },
}) => {
  consoleErrors.expect(/net::ERR_CONNECTION_RESET/);
  await typeEntry(page);
  // The server saves; the browser never gets the response.
  await page.route("**/profile/entries/*", async (route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect.poll(async () => (await entries()).length).toBe(1);
  await page.unroute("**/profile/entries/*");
  await page.context().clearCookies({ name: "flash" });
  await page.goto("/profile");
  await expect.poll(() => storedDrafts(page)).toBe("[]");
  expect(await entries()).toHaveLength(1);
});

test("offline, Save sends nothing, says so and keeps the form as it is", async ({
  consoleErrors,
  technician: { page, entries },
}) => {
  consoleErrors.expect(NO_NETWORK);
  await typeEntry(page);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page.getByRole("alert")).toContainText("You are offline");
  await expect(page.getByLabel("Job Location")).toHaveValue("Hangar 2");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Save Entries" }).click();
  // The form and the queue send it with the same key: whichever is answered last says so.
  await expect(page.getByRole("status")).toContainText(/Entries added|1 sent/);
  expect(await entries()).toHaveLength(1);
});

// Catches a second toast that replaces the first: the queue and the form send the same row with one key.
test("a save that the queue has sent too is said once", async ({ technician: { page, entries } }) => {
  await typeEntry(page);
  await page.evaluate(() => sessionStorage.setItem("sent", "1")); // as the queue leaves it for the page that opens
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page.getByRole("status")).toContainText("Entries added");
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("sent"))).toBeNull();
  await expect(page.getByRole("status")).toContainText("Entries added");
  expect(await entries()).toHaveLength(1);
});

// Catches a single slot for all drafts of a user: the next keystroke replaced the offered draft.
test("an offered draft stays until it is restored or discarded, whatever is typed meanwhile", async ({
  technician: { page, entries },
}) => {
  await typeEntry(page, "Hangar 2");
  await page.goto("/profile");
  await expect(page.getByRole("button", { name: "Restore" })).toHaveCount(1);
  await page.getByLabel("Job Date").fill("2026-03-04");
  await page.reload();
  await expect(page.getByRole("button", { name: "Restore" })).toHaveCount(1);
  await page.getByLabel("Job Location").fill("Dock 4");
  await expect.poll(() => storedDrafts(page)).toContain("Dock 4");
  await page.reload();
  await expect(page.getByText("1 more, typed before")).toBeVisible();
  await expect(page.getByRole("button", { name: "Restore" })).toHaveCount(1);

  for (const left of [1, 0]) {
    await page.getByRole("button", { name: "Restore" }).first().click();
    await page.getByLabel("Job Date").fill("2026-03-02");
    await page.getByLabel("NDT Method").selectOption("PT");
    await page.getByLabel("Hours", { exact: true }).fill("7.25");
    await page.getByRole("button", { name: "Save Entries" }).click();
    await expect(page.getByRole("status")).toContainText("Entries added");
    await expect(page.getByRole("button", { name: "Restore" })).toHaveCount(left);
  }
  expect((await entries()).map(({ location }: { location: string }) => location).sort()).toEqual([
    "Dock 4",
    "Hangar 2",
  ]);
  await expect.poll(() => storedDrafts(page)).toBe("[]");
});

test("of many offered drafts the newest one stands above the form, and the others are folded away", async ({
  technician: { page },
}) => {
  for (const place of ["Hangar 1", "Hangar 2", "Hangar 3", "Hangar 4"]) {
    await page.goto("/profile");
    await page.getByLabel("Job Location").fill(place);
    await expect.poll(() => storedDrafts(page)).toContain(place);
  }
  await page.goto("/profile");
  await expect(page.getByRole("button", { name: "Restore" })).toHaveCount(1);
  await page.getByText("3 more, typed before").click();
  await expect(page.getByRole("button", { name: "Restore" })).toHaveCount(4);
});

test("two tabs keep separate drafts", async ({ technician: { page } }) => {
  const second = await page.context().newPage();
  await typeEntry(page, "Hangar 2");
  await typeEntry(second, "Dock 4");
  await page.getByLabel("Job Location").fill("Hangar 22");
  await expect.poll(() => storedDrafts(page)).toContain("Hangar 22");
  for (const tab of [page, second]) await tab.close({ runBeforeUnload: false });
  const again = await page.context().newPage();
  await again.goto("/profile");
  await again.getByText("1 more, typed before").click();
  await expect(again.getByRole("button", { name: "Restore" })).toHaveCount(2);
});

test("a technician's draft is never offered to another user", async ({ technician: { page }, baseURL }) => {
  await typeEntry(page, "a secret hangar");
  const other = await signUp(page.context(), baseURL ?? "");
  await other.page.goto("/profile");
  await expect(other.page.getByLabel("Job Location")).toBeVisible();
  await expect(other.page.getByText(/unsaved entr/)).toHaveCount(0);
});

test("Discard deletes the draft beside it", async ({ technician: { page } }) => {
  await typeEntry(page, "Hangar 2");
  await typeEntry(page, "Dock 4");
  await page.goto("/profile");
  await page.getByText("1 more, typed before").click();
  await expect(page.getByRole("button", { name: "Discard" })).toHaveCount(2);
  await page.getByRole("button", { name: "Discard" }).first().click();
  await page.reload();
  await expect(page.getByRole("button", { name: "Discard" })).toHaveCount(1);
});

/** Answers a logout as the server does, but without Clear-Site-Data, which some browsers lack. */
async function withoutClearSiteData(page: Page): Promise<void> {
  await page.route("**/logout", async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 });
    const { "clear-site-data": _, ...headers } = answer.headers();
    await route.fulfill({ status: answer.status(), headers, body: "" });
  });
}

test("a logout on any page deletes that technician's drafts", async ({
  technician: { page, api, email, addEntries },
}) => {
  const [entry] = await addEntries({});
  await withoutClearSiteData(page);
  for (const path of ["/profile", "/rope-hours", "/account", "/supervisors", `/profile/record/${entry?.id}`]) {
    await api.post("/api/auth/login", { data: { email, password: PASSWORD } });
    await typeEntry(page, "a secret hangar");
    await page.goto("/rope-hours");
    await page.getByLabel("Skills").fill("a secret rescue");
    await expect.poll(() => storedDrafts(page)).toContain("a secret rescue");
    await page.goto(path);
    await page.evaluate(() => sessionStorage.setItem("rows", "what the form sent"));
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("status")).toContainText("Logged out successfully");
    await expect.poll(() => storedDrafts(page), path).toBe("[]");
  }
});

test("a logout deletes no other user's drafts", async ({ technician: { page }, baseURL }) => {
  await typeEntry(page, "a secret hangar");
  const other = await signUp(page.context(), baseURL ?? "");
  await typeEntry(other.page, "the other's dock");
  await other.page.getByRole("button", { name: "Logout" }).click();
  await expect(other.page).toHaveURL("/");
  await expect.poll(() => storedDrafts(page)).not.toContain("the other's dock");
  expect(await storedDrafts(page)).toContain("a secret hangar");
});

// Catches drafts that are deleted when Logout is pressed instead of when it has succeeded.
test("a logout that fails, or that is tried offline, deletes no draft", async ({
  consoleErrors,
  technician: { page },
}) => {
  consoleErrors.expect(NO_NETWORK, /status of 500 .*\/logout/, /ViewTransition opt-in disabled/);
  await typeEntry(page);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).not.toHaveURL("/profile");
  await page.context().setOffline(false);
  await page.goto("/profile");
  await expect(page.getByRole("button", { name: "Restore" })).toBeVisible();

  await page.route("**/logout", (route) => route.fulfill({ status: 500, contentType: "text/html", body: "<p>No" }));
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByText("No")).toBeVisible();
  await page.goto("/profile");
  await expect(page.getByRole("button", { name: "Restore" })).toBeVisible();
});
