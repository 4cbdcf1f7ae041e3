import type { Page } from "@playwright/test";
import { storedRows } from "./offline-device.ts";
import { expect, freshEmail, inWay, REFUSED_PAGE, test, WAYS } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

async function fill(page: Page, over: { endDate?: string; hours?: string } = {}): Promise<void> {
  await page.getByLabel("Start Date").fill("2026-03-02");
  await page.getByLabel("End Date").fill(over.endDate ?? "2026-03-06");
  await page.getByLabel("Location").fill("Dock 4");
  await page.getByLabel("Skills").fill("Rigging\nRescue");
  await page.getByLabel("Hours", { exact: true }).fill(over.hours ?? "38.25");
}

for (const way of WAYS) {
  test.describe(way, () => {
    test.use({ ...inWay(way), viewport: { width: 360, height: 740 } });

    test("rope hours are logged, requested and verified, and count only once verified", async ({
      technician: { page, api },
      supervisor,
    }) => {
      await page.goto("/profile");
      await page.getByRole("link", { name: "Rope Hours" }).click();
      await expect(page.getByRole("heading", { name: "Rope Hours", level: 1 })).toBeVisible();
      await fill(page);
      await page.getByRole("button", { name: "Log Rope Hours" }).click();
      await expect(page.getByRole("status")).toContainText("Rope hours logged successfully");
      const row = page.getByRole("row", { name: /Dock 4/ });
      await expect(row).toContainText("Pending");
      await expect(page.getByRole("definition")).toHaveText("0.0");
      expect(await (await api.get("/api/rope-hours")).json()).toMatchObject([
        { startDate: "2026-03-02", endDate: "2026-03-06", location: "Dock 4", skills: "Rigging\nRescue", hours: 38.25 },
      ]);

      await row.getByRole("button", { name: "Request Verification" }).click();
      const dialog = page.getByRole("dialog", { name: "Request Verification" });
      await expect(dialog).toContainText("2 Mar 2026 to 6 Mar 2026");
      await dialog.getByLabel("Name").fill("Piet van der Berg");
      await dialog.getByLabel("Email").fill(freshEmail());
      await dialog.getByLabel("Phone").fill("1");
      await dialog.getByLabel("Certification Level").selectOption("Level III");
      await dialog.getByLabel("Company").fill("NDT Holland");
      await dialog.getByRole("button", { name: "Send Request" }).click();
      const sent = page.getByRole("dialog", { name: "Verification Email Sent" });
      const link = await sent.getByLabel("Verification link").inputValue();
      await page.getByRole("button", { name: "Done" }).click();
      await expect(page).toHaveURL(/\/rope-hours\?at=\d+$/);

      await supervisor.goto(link);
      await expect(supervisor.getByRole("heading", { name: /asks you to verify .* rope hours/ })).toBeVisible();
      await supervisor.getByLabel("Your name").fill("P. van der Berg");
      await supervisor.getByRole("button", { name: "Verify Hours" }).click();
      await expect(supervisor.getByRole("status")).toContainText("Thank you for verifying these rope hours.");

      await page.reload();
      await expect(row).toContainText("Verified by P. van der Berg");
      await expect(page.getByRole("definition")).toHaveText("38.25");
    });

    test("each missing field is reported once, the first one gets the focus, and the typed values stay", async ({
      technician: { page, api },
    }) => {
      await page.goto("/rope-hours");
      for (const label of ["Start Date", "End Date"]) await page.getByLabel(label).fill("");
      await page.getByLabel("Location").fill("Dock 4");
      await page.getByRole("button", { name: "Log Rope Hours" }).click();
      await expect(page.getByText("Please fill in all fields")).toHaveCount(1);
      await expect(page.getByLabel("Start Date")).toBeFocused();
      for (const label of ["Start Date", "End Date", "Skills", "Hours"]) {
        await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription("Please fill in all fields");
      }
      await expect(page.getByLabel("Location")).toHaveValue("Dock 4");
      await expect(page.getByLabel("Location")).not.toHaveAttribute("aria-invalid");

      await fill(page, { endDate: "2026-03-01" });
      await page.getByRole("button", { name: "Log Rope Hours" }).click();
      await expect(page.getByLabel("End Date")).toHaveAccessibleDescription("End date must be after start date");
      await expect(page.getByLabel("Skills")).toHaveValue("Rigging\nRescue");
      expect(await (await api.get("/api/rope-hours")).json()).toEqual([]);
    });

    test("pressing Log twice saves once", async ({ technician: { page, api } }) => {
      await page.goto("/rope-hours");
      await fill(page);
      await page.getByRole("button", { name: "Log Rope Hours" }).dblclick();
      await expect(page.getByRole("status")).toContainText("Success");
      expect(await (await api.get("/api/rope-hours")).json()).toHaveLength(1);
    });
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "Back, with JavaScript" : "Back, without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("Back keeps the typed values, and Log again saves once", async ({ technician: { page, api } }) => {
      await page.goto("/rope-hours");
      await fill(page);
      await page.getByRole("button", { name: "Log Rope Hours" }).click();
      await expect(page.getByRole("status")).toContainText("Success");
      // Before that, Back opens a new form.
      if (javaScriptEnabled) await expect.poll(() => storedRows(page)).toEqual([]);
      await page.goBack();
      await expect(page.getByLabel("Location")).toHaveValue("Dock 4");
      await expect(page.getByLabel("Skills")).toHaveValue("Rigging\nRescue");
      await page.getByRole("button", { name: "Log Rope Hours" }).click();
      await expect(page.getByRole("status")).toContainText("Success");
      expect(await (await api.get("/api/rope-hours")).json()).toHaveLength(1);
    });
  });
}

test("the end follows the start while it is the same day: also after an error, and not once it was chosen", async ({
  technician: { page },
}) => {
  await page.goto("/rope-hours");
  const [start, end] = [page.getByLabel("Start Date"), page.getByLabel("End Date")];
  await start.fill("2026-03-02"); // before the script has come
  await expect(end).toHaveValue("2026-03-02");
  await start.fill("2026-02-28");
  await expect(end).toHaveValue("2026-02-28");
  await page.getByLabel("Hours", { exact: true }).fill("1,500");
  await page.getByRole("button", { name: "Log Rope Hours" }).click();
  await expect(page.getByLabel("Hours", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await start.fill("2026-02-10");
  await expect(end).toHaveValue("2026-02-10");
  await end.fill("2026-02-20");
  await start.fill("2026-02-12");
  await expect(end).toHaveValue("2026-02-20");
});

test("rope hours that did not reach the server are offered, restored and saved once", async ({
  technician: { page, api },
}) => {
  await page.goto("/rope-hours");
  await fill(page);
  await expect.poll(async () => JSON.stringify(await storedRows(page))).toContain("Dock 4");
  await page.goto("/rope-hours");
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByLabel("Skills")).toHaveValue("Rigging\nRescue");
  await expect(page.getByText("Please fill in")).toHaveCount(0);
  await page.getByRole("button", { name: "Log Rope Hours" }).click();
  await expect(page.getByRole("status")).toContainText("Success");
  expect(await (await api.get("/api/rope-hours")).json()).toHaveLength(1);
  await expect(page.getByRole("button", { name: "Restore" })).toHaveCount(0);
});
