import { expect, test } from "./technician.ts";

for (const javaScriptEnabled of [false, true]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, viewport: { width: 360, height: 740 } });

    test("each wrong field has its message beside it, the first has the focus, and nothing typed is lost", async ({
      technician: { page, entries },
    }) => {
      await page.goto("/profile");
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
    });

    test("Enter in a text field of the second row saves and removes nothing", async ({
      technician: { page, entries },
    }) => {
      await page.goto("/profile");
      await page.getByRole("button", { name: "Add Another Entry" }).click();
      for (const row of [0, 1]) {
        await page.getByLabel("Job Location").nth(row).fill(`Dock ${row}`);
        await page.getByLabel("NDT Method").nth(row).selectOption("MT");
        await page.getByLabel("Hours", { exact: true }).nth(row).fill("1");
      }
      await page.getByLabel("Job Location").nth(1).press("Enter");
      await expect(page.getByRole("status")).toContainText("Entries added");
      expect(await entries()).toHaveLength(2);
    });

    test("Remove entry takes its own row and keeps what is in the others", async ({ technician: { page } }) => {
      await page.goto("/profile");
      await expect(page.getByRole("button", { name: "Remove entry" })).toBeDisabled();
      await page.getByLabel("Job Location").fill("first");
      for (const row of [1, 2]) {
        await page.getByRole("button", { name: "Add Another Entry" }).click();
        await page
          .getByLabel("Job Location")
          .nth(row)
          .fill(["", "second", "third"][row] ?? "");
      }
      await page.getByRole("button", { name: "Remove entry" }).nth(1).click();
      await expect(page.getByLabel("Job Location")).toHaveCount(2);
      await expect(page.getByLabel("Job Location").nth(0)).toHaveValue("first");
      await expect(page.getByLabel("Job Location").nth(1)).toHaveValue("third");
    });

    test("Save pressed twice saves once", async ({ technician: { page, entries } }) => {
      await page.goto("/profile");
      await page.getByLabel("Job Location").fill("Dock 4");
      await page.getByLabel("NDT Method").selectOption("MT");
      await page.getByLabel("Hours", { exact: true }).fill("1");
      await page.getByRole("button", { name: "Save Entries" }).dblclick();
      await expect(page.getByRole("row", { name: /Dock 4/ })).toHaveCount(1);
      expect(await entries()).toHaveLength(1);
    });

    test("Back and Save again saves once, and with other content it saves as new", async ({
      technician: { page, entries },
    }) => {
      await page.goto("/profile");
      await page.getByLabel("Job Location").fill("Dock 4");
      await page.getByLabel("NDT Method").selectOption("MT");
      await page.getByLabel("Hours", { exact: true }).fill("1");
      await page.getByRole("button", { name: "Save Entries" }).click();
      await expect(page.getByRole("status")).toContainText("Entries added");
      await page.goBack();
      await expect(page.getByLabel("Job Location")).toHaveValue("Dock 4");
      await page.getByRole("button", { name: "Save Entries" }).click();
      await expect(page.getByRole("status")).toContainText("Entries added");
      expect(await entries()).toHaveLength(1);

      await page.goBack();
      await page.getByLabel("Job Location").fill("Dock 5");
      await page.getByRole("button", { name: "Save Entries" }).click();
      await expect(page.getByRole("row", { name: /Dock 5/ })).toHaveCount(1);
      expect(await entries()).toHaveLength(2);
    });
  });
}

test("a day that adds up to more than 24 hours, and a day to come, are saved and pointed out", async ({
  technician: { page, addEntries },
}) => {
  await addEntries({ date: "2026-03-02", hours: 20 });
  await page.goto("/profile");
  await page.getByLabel("Job Date").fill("2026-03-02");
  await page.getByLabel("Job Location").fill("Dock 4");
  await page.getByLabel("NDT Method").selectOption("MT");
  await page.getByLabel("Hours", { exact: true }).fill("6");
  await page.getByRole("button", { name: "Add Another Entry" }).click();
  await page.getByLabel("Job Date").nth(1).fill("2126-03-02");
  await page.getByLabel("Job Location").nth(1).fill("Dock 4");
  await page.getByLabel("NDT Method").nth(1).selectOption("MT");
  await page.getByLabel("Hours", { exact: true }).nth(1).fill("6");
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page.getByText("2 Mar 2026 now adds up to 26.0 hours")).toBeVisible();
  await expect(page.getByText("2 Mar 2126 is in the future.")).toBeVisible();
});
