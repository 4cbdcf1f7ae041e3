import type { Page } from "@playwright/test";
import { storedRows } from "./offline-device.ts";
import { expect, inWay, REFUSED_PAGE, test, WAYS } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

/** Fills one row of the form. */
async function fillRow(page: Page, row: number, location: string, hours = "1"): Promise<void> {
  await unfold(page, row);
  await page.getByLabel("Job Location").nth(row).fill(location);
  await page.getByLabel("NDT Method").nth(row).selectOption("MT");
  await page.getByLabel("Hours", { exact: true }).nth(row).fill(hours);
}

/** Opens the day and the place of a further row, which are those of the row above. */
async function unfold(page: Page, row: number): Promise<void> {
  const folded = page.locator(".same details:not([open])");
  if (row > 0 && (await page.getByLabel("Job Location").nth(row).isHidden()))
    await folded.first().locator("summary").click();
}

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page.getByRole("status")).toContainText("Entries added");
}

/** Hydrates the form's island, so that the script and not the server does what follows. */
async function hydrate(page: Page): Promise<void> {
  await page.getByLabel("Job Location").first().focus();
  await expect(page.locator('[data-island="records/entry/entry-form"]')).toHaveAttribute("data-hydrated", "");
}

for (const way of WAYS) {
  test.describe(way, () => {
    test.use({ ...inWay(way), viewport: { width: 360, height: 740 } });

    test.beforeEach(async ({ technician: { page } }) => {
      await page.goto("/profile");
      if (way === "with its script") await hydrate(page);
    });

    test("each wrong field has its error beside it, the first one gets the focus, and the typed values stay", async ({
      technician: { page, entries },
    }) => {
      const posts: string[] = [];
      page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
      await page.getByLabel("Job Date").fill("");
      await page.getByLabel("Hours", { exact: true }).fill("-1");
      await page.getByRole("button", { name: "Save Entries" }).click();

      for (const [label, message] of [
        ["Job Date", "Date is required"],
        ["Job Location", "Location is required"],
        ["NDT Method", "Method is required"],
        ["Hours", "Hours must be greater than 0"],
      ] as const) {
        const field = page.getByLabel(label, { exact: true });
        await expect(field).toHaveAttribute("aria-invalid", "true");
        await expect(field).toHaveAccessibleDescription(message);
      }
      await expect(page.getByLabel("Job Date")).toBeFocused();
      await expect(page.getByLabel("Hours", { exact: true })).toHaveValue("-1");
      expect(await entries()).toEqual([]);
      // With its script the page shows these errors before anything is sent.
      expect(posts).toHaveLength(way === "with its script" ? 0 : 1);
    });

    test("Enter in a text field of the second row saves the form and removes no row", async ({
      technician: { page, entries },
    }) => {
      await page.getByRole("button", { name: "Add Another Entry" }).click();
      // Without its script the next row comes with a new page, which lacks anything typed before it arrives.
      await expect(page.getByLabel("NDT Method").nth(1)).toBeFocused();
      await fillRow(page, 0, "Dock 0");
      await fillRow(page, 1, "Dock 1");
      await page.getByLabel("Job Location").nth(1).press("Enter");
      await expect(page.getByRole("status")).toContainText("Entries added");
      expect(await entries()).toHaveLength(2);
    });

    test("Add Another Entry and Remove entry keep the typed values and focus the last row", async ({
      technician: { page },
    }) => {
      await expect(page.getByRole("button", { name: "Remove entry" })).toBeDisabled();
      await page.getByLabel("Job Location").fill("first");
      await page.getByRole("button", { name: "Add Another Entry" }).click();
      await expect(page.getByLabel("NDT Method").nth(1)).toBeFocused();
      await unfold(page, 1);
      await page.getByLabel("Job Location").nth(1).fill("second");
      await page.getByRole("button", { name: "Add Another Entry" }).click();
      await expect(page.getByLabel("NDT Method").nth(2)).toBeFocused();
      await unfold(page, 2);
      await page.getByLabel("Job Location").nth(2).fill("third");
      await page.getByRole("button", { name: "Remove entry" }).nth(1).click();
      await expect(page.getByLabel("Job Location")).toHaveCount(2);
      await expect(page.getByLabel("Job Location").nth(0)).toHaveValue("first");
      await expect(page.getByLabel("Job Location").nth(1)).toHaveValue("third");
      await expect(page.getByLabel("NDT Method").nth(1)).toBeFocused();
      await expect(page.getByText("is required")).toHaveCount(0);
    });

    test("pressing Save twice saves once", async ({ technician: { page, entries } }) => {
      await fillRow(page, 0, "Dock 4");
      await page.getByRole("button", { name: "Save Entries" }).dblclick();
      await expect(page.getByRole("status")).toContainText("Entries added");
      expect(await entries()).toHaveLength(1);
    });

    test("rejected values stay in the form, with their error", async ({ technician: { page, entries } }) => {
      await fillRow(page, 0, "Dock 4", "200000");
      await page.getByRole("button", { name: "Save Entries" }).click();
      const hours = page.getByLabel("Hours", { exact: true });
      await expect(hours).toHaveAccessibleDescription("Hours must be at most 100,000");
      await expect(hours).toHaveValue("200000");
      await expect(page.getByLabel("Job Location")).toHaveValue("Dock 4");
      expect(await entries()).toEqual([]);
    });
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "Back, with JavaScript" : "Back, without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("Back and Save again saves once; with other values it saves a new entry", async ({
      technician: { page, entries },
    }) => {
      await page.goto("/profile");
      await fillRow(page, 0, "Dock 4");
      // Back opens a new form while the store still has the row of the one that was sent.
      const settled = async () => javaScriptEnabled && (await expect.poll(() => storedRows(page)).toEqual([]));
      await save(page);
      await settled();
      await page.goBack();
      await expect(page.getByLabel("Job Location")).toHaveValue("Dock 4");
      await save(page);
      expect(await entries()).toHaveLength(1);

      await settled();
      await page.goBack();
      await page.getByLabel("Job Location").fill("Dock 5");
      await save(page);
      await expect(page.getByRole("row", { name: /Dock 5/ })).toHaveCount(1);
      expect(await entries()).toHaveLength(2);
    });
  });
}

// Seen: the browser restores the first row alone, and that row was saved again as a form with other content.
test("Back after two rows were saved and Save again saves neither of them twice", async ({
  technician: { page, entries },
}) => {
  await page.goto("/profile");
  await hydrate(page);
  await fillRow(page, 0, "Dock 4");
  await page.getByRole("button", { name: "Add Another Entry" }).click();
  await fillRow(page, 1, "Dock 5");
  await save(page);
  await expect.poll(() => storedRows(page)).toEqual([]);
  await page.goBack();
  await expect(page.getByLabel("Job Location")).toHaveValue("Dock 4");
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page.getByRole("status")).toContainText("2 sent");
  await expect(page.getByRole("row", { name: /Dock 5/ })).toHaveCount(1);
  await expect(page.getByLabel("Job Location")).toHaveValue("");
  expect(await entries()).toHaveLength(2);
});

// Seen: hours that were changed after Back were dropped without a word.
test("Back after two rows were saved, other hours and Save saves a new entry", async ({
  technician: { page, entries },
}) => {
  await page.goto("/profile");
  await hydrate(page);
  await fillRow(page, 0, "Dock 4");
  await page.getByRole("button", { name: "Add Another Entry" }).click();
  await fillRow(page, 1, "Dock 5");
  await save(page);
  await expect.poll(() => storedRows(page)).toEqual([]);
  await page.goBack();
  await expect(page.getByLabel("Job Location")).toHaveValue("Dock 4");
  await page.getByLabel("Hours", { exact: true }).fill("0.7");
  await save(page);
  expect(await entries()).toHaveLength(3);
});

test("a further row is saved with the day and place that were typed before the script came", async ({
  technician: { page, entries },
}) => {
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route(/\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/profile");
  await page.getByLabel("Job Date").fill("2026-03-02");
  await page.getByLabel("Job Location").fill("Dock 4");
  await page.getByRole("button", { name: "Add Another Entry" }).click();
  release();
  for (const row of [0, 1]) {
    await page.getByLabel("NDT Method").nth(row).selectOption("MT");
    await page
      .getByLabel("Hours", { exact: true })
      .nth(row)
      .fill(`${row + 1}`);
  }
  await save(page);
  const saved = { date: "2026-03-02", location: "Dock 4" };
  expect(await entries()).toMatchObject([saved, saved]);
});

// Seen: a row that was saved without a signal was refused, because it was kept and sent without a day and a place.
test("a device keeps a further row with the day, the place and the details that the form shows once", async ({
  technician: { page },
}) => {
  await page.goto("/profile");
  await hydrate(page);
  await fillRow(page, 0, "Dock 4");
  await page.getByText("More details").click();
  await page.getByLabel("Employer").fill("Northgate");
  await page.getByRole("button", { name: "Add Another Entry" }).click();
  await page.getByLabel("NDT Method").nth(1).selectOption("PT");
  await page.getByLabel("Hours", { exact: true }).nth(1).fill("2");
  const date = await page.getByLabel("Job Date").first().inputValue();
  const kept = { date, location: "Dock 4", "details.employer": "Northgate" };
  const rows = Object.entries(kept).flatMap(([name, value]) => [0, 1].map((row) => [`entries[${row}].${name}`, value]));
  await expect
    .poll(async () => (await storedRows(page))[0]?.body)
    .toEqual(expect.arrayContaining([...rows, ["entries[1].hours", "2"]]));
});

test("Back to a form that is fetched again shows it empty, so nothing is saved twice under a new key", async ({
  technician: { page, entries },
}) => {
  // Intercepting requests turns off the browser's cache, as low memory does.
  await page.route("**/profile", (route) => route.continue());
  await page.goto("/profile");
  await fillRow(page, 0, "Dock 4");
  await save(page);
  await page.goBack();
  await expect(page).toHaveURL("/profile");
  await expect(page.getByLabel("Job Location")).toHaveValue("");
  expect(await entries()).toHaveLength(1);
});

test("a day of more than 24 hours and a future date are saved with a warning", async ({
  technician: { page, addEntries },
}) => {
  await addEntries({ date: "2026-03-02", hours: 20 });
  await page.goto("/profile");
  await page.getByLabel("Job Date").fill("2026-03-02");
  await fillRow(page, 0, "Dock 4", "6");
  await page.getByRole("button", { name: "Add Another Entry" }).click();
  await unfold(page, 1);
  await page.getByLabel("Job Date").nth(1).fill("2126-03-02");
  await fillRow(page, 1, "Dock 4", "6");
  await save(page);
  await expect(page.getByText("2 Mar 2026 now has 26.0 hours")).toBeVisible();
  await expect(page.getByText("2 Mar 2126 is in the future.")).toBeVisible();
});

test("a job that is in the log already, a day of more than 24 hours and a future date are said beside the row before it is saved", async ({
  technician: { page, addEntries, entries },
}) => {
  await addEntries({ date: "2026-03-02", location: "Dock 4", method: "MT", hours: 7.5 });
  await page.goto("/profile");
  await page.getByLabel("Job Location").focus();
  await expect(page.locator("[data-hydrated]").first()).toBeAttached(); // what is typed before is not warned of
  await page.getByLabel("Job Date").fill("2026-03-02");
  await fillRow(page, 0, "Dock 4", "7,5");
  await page.getByLabel("NDT Method").selectOption("MT");
  const said = page.getByText("The same hours are in your log already.");
  await expect(said).toBeVisible();
  await page.getByLabel("Hours", { exact: true }).fill("7.4");
  await expect(said).toBeHidden();
  await page.getByLabel("Hours", { exact: true }).fill("30");
  await expect(page.getByText("That day adds up to 37.5 hours.")).toBeVisible();
  await page.getByLabel("Job Date").fill("2126-03-02");
  await page.getByLabel("Hours", { exact: true }).fill("7,5");
  await expect(page.getByText("That day is in the future.")).toBeVisible();
  await page.getByLabel("Job Date").fill("2026-03-02");
  await save(page);
  await page.getByRole("link", { name: "See the other record" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("2 Mar 2026");
  expect(await entries()).toHaveLength(2);
});
