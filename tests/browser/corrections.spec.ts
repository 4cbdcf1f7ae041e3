import { expect, inWay, REFUSED_PAGE, test, WAYS_WITHOUT_ISLAND } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

/*
 * A technician corrects records in three ways. The JSON API shows what is stored. Catches a form that needs its script,
 * an Undo that disappears with the toast, and a row whose link is too small for a thumb.
 */

for (const way of WAYS_WITHOUT_ISLAND) {
  test.describe(way, () => {
    test.use({ ...inWay(way), viewport: { width: 360, height: 740 } });

    test("correcting an entry from the log ends its verification request", async ({
      technician: { page, addEntries, entries, request },
      supervisor,
    }) => {
      const [entry] = await addEntries({ location: "Dock 4", hours: 7.5 });
      const link = await request(entry?.id ?? 0);
      await page.goto("/profile");
      // Anywhere on the card, as a thumb would.
      await page.getByRole("row", { name: /Dock 4/ }).click({ position: { x: 40, y: 60 } });
      await expect(page).toHaveURL(new RegExp(`/profile/record/${entry?.id}$`));
      await page.getByRole("link", { name: "Edit" }).click();
      await expect(page.getByText("A supervisor has been asked about this record.")).toBeVisible();

      await page.getByLabel("Job Location").fill(" ");
      await page.getByRole("button", { name: "Save Changes" }).click();
      await expect(page.getByText("Location is required")).toBeVisible();
      await expect(page.getByLabel("Job Location")).toBeFocused();
      await page.getByLabel("Job Location").fill("Dock 5");
      await page.getByLabel("Hours").fill("8.25");
      await page.getByRole("button", { name: "Save Changes" }).click();
      await expect(page.getByRole("status")).toContainText("The request to verify it has ended.");
      expect(await entries()).toMatchObject([{ id: entry?.id, location: "Dock 5", hours: 8.25, verified: false }]);

      await supervisor.goto(link);
      await expect(supervisor.getByRole("button", { name: "Verify Hours" })).toHaveCount(0);
    });

    test("deleting an entry asks first, and Undo in the toast restores it", async ({
      technician: { page, addEntries, entries },
    }) => {
      const [entry] = await addEntries({ location: "Dock 4" });
      await page.goto(`/profile/record/${entry?.id}`);
      await page.getByRole("link", { name: "Delete" }).click();
      const dialog = page.getByRole("dialog", { name: "Delete Entry" });
      await expect(dialog).toContainText("Dock 4");
      await dialog.getByRole("link", { name: "Cancel" }).click();
      await page.getByRole("link", { name: "Delete" }).click();
      await dialog.getByRole("button", { name: "Delete Entry" }).click();
      await expect(page.getByText("Nothing logged yet.")).toBeVisible();
      expect(await entries()).toEqual([]);
      // Catches a button without a column of its own: the title stood a letter a line, over half the screen.
      expect((await page.getByRole("status").boundingBox())?.height).toBeLessThan(130);
      await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
      await expect(page.getByRole("cell", { name: "Dock 4" })).toBeVisible();
      expect(await entries()).toEqual([entry]);
    });

    test("deleted rope hours can be restored from the log after the toast", async ({ technician: { page, api } }) => {
      const data = { startDate: "2026-03-02", endDate: "2026-03-06", location: "Dock 4", skills: "Rescue", hours: 38 };
      const { id } = await (await api.post("/api/rope-hours", { data })).json();
      await page.goto(`/rope-hours/record/${id}/delete`);
      await page.getByRole("button", { name: "Delete Rope Hours" }).click();
      await expect(page).toHaveURL(/\/rope-hours$/);
      await page.reload();
      await expect(page.getByRole("status")).toHaveCount(0);
      await page.getByRole("link", { name: "Show what you deleted" }).click();
      await expect(page.locator("tr.deleted")).toBeInViewport();
      await page.getByRole("button", { name: "Undo" }).click();
      await expect(page.getByRole("status")).toContainText("Rope hours restored");
      expect(await (await api.get("/api/rope-hours")).json()).toMatchObject([{ id, ...data }]);
    });

    test("of two tabs the second is shown the current record, and may save over it", async ({
      technician: { page, addEntries, entries },
      context,
    }) => {
      const [entry] = await addEntries({ location: "Dock 4" });
      const path = `/profile/record/${entry?.id}/edit`;
      const other = await context.newPage();
      await page.goto(path);
      await other.goto(path);
      await page.getByLabel("Job Location").fill("First tab");
      await page.getByRole("button", { name: "Save Changes" }).click();
      await expect(page.getByRole("status")).toContainText("Entry saved");
      await other.getByLabel("Job Location").fill("Second tab");
      await other.getByRole("button", { name: "Save Changes" }).click();
      await expect(other.getByRole("alert")).toContainText("First tab");
      await expect(other.getByLabel("Job Location")).toHaveValue("Second tab");
      expect(await entries()).toMatchObject([{ location: "First tab" }]);
      await other.getByRole("button", { name: "Save Changes" }).click();
      await expect(other.getByRole("status")).toContainText("Entry saved");
      expect(await entries()).toMatchObject([{ location: "Second tab" }]);
    });

    test("a supervisor is edited and deleted from the picker of the request dialog", async ({
      technician: { page, api, addEntries },
    }) => {
      const [entry] = await addEntries({});
      const data = { name: "Piet", email: "piet@example.com", phone: "1", company: "NDT Holland" };
      await api.post("/api/supervisors", { data: { ...data, certificationLevel: "Level III" } });
      await page.goto(`/profile?request=${entry?.id}`);
      await page.getByRole("link", { name: "Manage supervisors" }).click();
      await page.getByRole("link", { name: "Piet" }).click();
      await page.getByLabel("Email").fill("piet@");
      await page.getByRole("button", { name: "Save Changes" }).click();
      await expect(page.getByText("Invalid email address")).toBeVisible();
      await page.getByLabel("Email").fill("piet@example.org");
      await page.getByRole("button", { name: "Save Changes" }).click();
      await expect(page.getByRole("status")).toContainText("Supervisor saved");
      expect(await (await api.get("/api/supervisors")).json()).toMatchObject([{ ...data, email: "piet@example.org" }]);

      await page.getByRole("link", { name: "Piet" }).click();
      await page.getByRole("link", { name: "Delete Supervisor" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete Supervisor" }).click();
      await expect(page.getByText("No supervisors yet.")).toBeVisible();
      expect(await (await api.get("/api/supervisors")).json()).toEqual([]);
    });
  });
}

test("on cards the link to a record is 48 px high and does not cover the button beside it", async ({
  technician: { page, addEntries },
}) => {
  await addEntries({ location: "Dock 4" });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/profile");
  const row = page.getByRole("row", { name: /Dock 4/ });
  const height = await row.evaluate((element) => element.getBoundingClientRect().height);
  expect(height).toBeGreaterThanOrEqual(48);
  await row.getByRole("button", { name: "Request Verification" }).click();
  await expect(page.getByRole("dialog", { name: "Request Verification" })).toBeVisible();
  await page.goto("/profile");
  await row.click({ position: { x: 8, y: 8 } });
  await expect(page).toHaveURL(/\/profile\/record\/\d+$/);
});
