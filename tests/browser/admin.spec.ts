import { expect, inWay, runAdmin, signUp, test, WAYS_WITHOUT_ISLAND } from "./admin-person.ts";

for (const way of WAYS_WITHOUT_ISLAND) {
  test.describe(way, () => {
    test.use({ ...inWay(way), viewport: { width: 360, height: 740 } });

    test("the header has one line of tabs at 320 px", async ({ admin: { page } }) => {
      await page.setViewportSize({ width: 320, height: 740 });
      await page.goto("/profile");
      expect((await page.locator("header.top").boundingBox())?.height).toBeLessThanOrEqual(120);
      await expect(page.getByRole("link", { name: "Admin" })).toBeInViewport({ ratio: 1 });
    });

    test("the tab of each list is in view", async ({ admin: { page } }) => {
      for (const path of ["/admin", "/admin?tab=certificates", "/admin/progress", "/admin/system"]) {
        await page.goto(path);
        const current = page.getByRole("navigation", { name: "Lists" }).locator("[aria-current]");
        await expect(current).toBeInViewport({ ratio: 1 });
      }
    });

    test("an admin finds a user, confirms the dialog, and deletes the user with all entries", async ({
      admin,
      browser,
      baseURL,
    }) => {
      const { page, api } = admin;
      const elsewhere = await browser.newContext({ ...(baseURL && { baseURL }) });
      const name = `Żaneta ${crypto.randomUUID()}`;
      const other = await signUp(elsewhere, baseURL ?? "", { name, employeeNumber: "NDT-1" });
      await other.addEntries({}, {});

      await page.goto("/profile");
      await page.getByRole("link", { name: "Admin" }).click();
      await expect(page.getByRole("heading", { name: "Admin", level: 1 })).toBeVisible();
      await page.getByLabel("Search").fill(name.toUpperCase());
      await page.getByLabel("Search").press("Enter");
      await expect(page.getByRole("row")).toHaveCount(2);
      await page.getByLabel(`More for ${name}`).click();
      await page.getByRole("row", { name }).getByRole("button", { name: "Delete" }).click();
      const dialog = page.getByRole("dialog", { name: "Delete user" });
      await expect(dialog).toContainText("Deleting a user also deletes that user's entries.");
      await expect(dialog).toContainText(
        "2 entries, 0 rope hours records, 0 training records, 0 certificates and tests and 0 supervisors",
      );
      await dialog.getByRole("link", { name: "Cancel" }).click();
      await expect(page.getByRole("row", { name })).toHaveCount(1);
      await page.getByLabel(`More for ${name}`).click();
      await page.getByRole("row", { name }).getByRole("button", { name: "Delete" }).click();
      await dialog.getByRole("button", { name: "Delete user" }).click();
      await expect(page.getByRole("status")).toHaveText("User deleted");
      await expect(page.getByText("No users match")).toBeVisible();
      await expect(page.getByLabel("Search")).toHaveValue(name.toUpperCase());
      expect((await other.api.get("/api/user")).status()).toBe(401);
      const left = await (await api.get("/api/admin/users")).json();
      expect(left.map(({ email }: { email: string }) => email)).not.toContain(other.email);
      await elsewhere.close();
    });

    test("an admin deletes an entry from the Entries tab", async ({ admin: { page, addEntries, entries } }) => {
      const location = `Pier ${crypto.randomUUID()}`;
      await addEntries({ location }, { location: "Dock 4" });
      await page.goto(`/admin?search=${location}`);
      await page.getByRole("link", { name: "Entries" }).click();
      await page.getByRole("row", { name: location }).getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog", { name: "Delete entry" }).getByRole("button", { name: "Delete entry" }).click();
      await expect(page.getByRole("status")).toContainText("Entry deleted");
      expect(await entries()).toMatchObject([{ location: "Dock 4" }]);
    });
  });
}

test("npm run admin makes a user an admin while the app runs, from the next page on", async ({
  technician: { page, email },
}) => {
  await page.goto("/profile");
  await expect(page.getByRole("link", { name: "Admin" })).toHaveCount(0);
  await runAdmin(email);
  await page.reload();
  await page.getByRole("link", { name: "Admin" }).click();
  await expect(page.getByRole("heading", { name: "Admin", level: 1 })).toBeVisible();
});

test("the search follows the typing from two letters on and keeps field, caret and address right", async ({
  admin: { page, addEntries },
}) => {
  const word = crypto.randomUUID();
  await addEntries({ location: `Hall ${word}` });
  await page.goto("/profile");
  // The clock stands still, so that the test and not a busy machine decides when the typing pauses.
  await page.clock.install();
  await page.goto("/admin?tab=entries");
  await page.clock.pauseAt(Date.now() + 10 * 60_000);
  const rest = () => page.clock.runFor(300);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/admin?")) asked.push(request.url());
  });
  const field = page.getByLabel("Search");
  await field.pressSequentially("h");
  await field.pressSequentially(`all ${word}`);
  // The script may still be loading; once loaded, it waits for a pause in the typing.
  await expect(async () => {
    await rest();
    expect(asked).not.toEqual([]);
  }).toPass();
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page).toHaveURL(`/admin?tab=entries&search=hall+${word}`);
  await expect(field).toBeFocused();
  expect(await field.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(`hall ${word}`.length);
  await expect(page.getByText("1 found in entries")).toBeAttached();
  // One request for the whole typing, none for the first letter.
  expect(asked).toHaveLength(1);

  await field.fill("");
  await rest();
  await expect(page).toHaveURL("/admin?tab=entries");
  await field.fill(`${word}%`);
  await rest();
  await expect(page.getByText(`No entries match “${word}%”.`)).toBeVisible();
  // Back returns to before the search, not to each letter.
  await page.goBack();
  await expect(page).toHaveURL("/profile");
});

test("a search after the session has ended redirects to the sign-in page", async ({ admin: { page } }) => {
  await page.goto("/admin");
  await page.context().clearCookies();
  await page.getByLabel("Search").pressSequentially("anything");
  await expect(page).toHaveURL("/auth?next=/admin");
});

for (const way of WAYS_WITHOUT_ISLAND) {
  test.describe(way, () => {
    test.use({ ...inWay(way), viewport: { width: 360, height: 740 } });

    test("an admin notes that a user has left, takes it back, and deletes them only with their number typed", async ({
      admin: { page },
      browser,
      baseURL,
    }) => {
      const elsewhere = await browser.newContext({ ...(baseURL && { baseURL }) });
      const name = `Ravi ${crypto.randomUUID()}`;
      const other = await signUp(elsewhere, baseURL ?? "", { name, employeeNumber: "NDT-77" });
      await other.addEntries({ hours: 7.5 });
      await page.goto(`/admin?search=${encodeURIComponent(name)}`);
      await page.getByLabel(`More for ${name}`).click();
      await page.getByRole("link", { name: "Has left" }).click();
      await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
      await page.getByLabel("Last day").fill("2026-01-31");
      await page.getByRole("button", { name: "Has left" }).click();
      await expect(page.getByRole("status")).toContainText("They have left");
      await expect(page.getByRole("main")).toContainText("Left on 31 Jan 2026");
      expect((await other.api.get("/api/user")).status()).toBe(401);
      await page.getByRole("link", { name: "Unlock" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Unlock" }).click();
      await expect(page.getByRole("main")).toContainText("Active");
      await page.getByText("Delete instead").click();
      await expect(page.getByText("This also deletes 1 entry,")).toBeVisible();
      await page.getByLabel("Type NDT-77").fill("NDT-7");
      await page.getByRole("button", { name: "Delete user" }).click();
      await expect(page.getByText("Nothing was deleted.")).toBeVisible();
      await page.getByLabel("Type NDT-77").fill("ndt-77");
      await page.getByRole("button", { name: "Delete user" }).click();
      await expect(page.getByRole("status")).toHaveText("User deleted");
      await elsewhere.close();
    });

    test("an admin undoes a deletion from the list of what was deleted", async ({
      admin: { page, addEntries, entries },
    }) => {
      const location = `Quay ${crypto.randomUUID()}`;
      const [entry] = await addEntries({ location });
      await page.goto(`/admin?tab=entries&delete=${entry?.id}`);
      await page.getByRole("button", { name: "Delete entry" }).click();
      await page.getByRole("link", { name: "Deleted within 24 hours" }).click();
      await page.getByRole("row", { name: location }).getByRole("button", { name: "Undo" }).click();
      await expect(page.getByRole("status")).toHaveText("Entry restored");
      expect(await entries()).toMatchObject([{ location }]);
    });
  });
}

test("a technician who opens /admin is redirected to their own page with a message", async ({
  technician: { page },
}) => {
  await page.goto("/admin");
  await expect(page).toHaveURL("/profile");
  await expect(page.getByRole("alert")).toContainText("Access Denied");
  await expect(page.getByRole("alert")).toContainText("You don't have permission to access the admin page.");
  await expect(page.getByRole("link", { name: "Admin" })).toHaveCount(0);
});

test("finding and deleting work without a pointer", async ({ admin: { page, addEntries, entries } }) => {
  const location = `Pier ${crypto.randomUUID()}`;
  await addEntries({ location });
  await page.goto("/admin?tab=entries");
  await page.getByLabel("Search").focus();
  await page.keyboard.type(location);
  await page.keyboard.press("Enter");
  const stop = page.locator(":focus");
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press("Tab");
      if ((await stop.count()) > 0 && (await stop.textContent()) === name) return;
    }
    throw new Error(`the keyboard does not reach ${name}`);
  };
  await expect(page.getByRole("row")).toHaveCount(2);
  await tabTo("Delete");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await tabTo("Delete entry");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toContainText("Entry deleted");
  expect(await entries()).toEqual([]);
});
