import type { Page } from "@playwright/test";
import { expect, freshEmail, inWay, PASSWORD, test, WAYS_WITHOUT_ISLAND } from "./technician.ts";

/** Presses Tab until the control with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    if ((await focused.count()) === 0) continue;
    if ((await focused.evaluate(nameOf)) === name) return;
  }
  throw new Error(`the keyboard does not reach ${name}`);
}

/** Returns the accessible name of a field (its label) or a button (its text). Runs in the page. */
function nameOf(element: Element): string {
  const labels = "labels" in element ? (element.labels as NodeListOf<HTMLLabelElement> | null) : null; // fields have it
  return (labels?.[0] ?? element).textContent?.trim() ?? "";
}

for (const way of WAYS_WITHOUT_ISLAND) {
  test.describe(way, () => {
    test.use(inWay(way));

    test("logging an entry and requesting its verification work without a pointer", async ({
      technician: { page, entries },
    }) => {
      await page.goto("/profile");
      await tabTo(page, "Job Location");
      await page.keyboard.type("Hangar 2");
      await tabTo(page, "NDT Method");
      await page.keyboard.type("PT");
      await tabTo(page, "Hours");
      await page.keyboard.type("7.5");
      await tabTo(page, "Save Entries");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("status")).toContainText("Entries added");
      expect(await entries()).toMatchObject([{ location: "Hangar 2", method: "PT", hours: 7.5 }]);

      await tabTo(page, "Request Verification");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("dialog")).toBeFocused();
      // The page behind the dialog is inert, so every tab stop is in the dialog.
      await page.keyboard.press("Tab");
      expect(await page.locator(":focus").evaluate((element) => element.closest("dialog") !== null)).toBe(true);
      await tabTo(page, "Name");
      await page.keyboard.type("Piet");
      await tabTo(page, "Email");
      await page.keyboard.type(freshEmail());
      await tabTo(page, "Phone");
      await page.keyboard.type("1");
      await tabTo(page, "Certification Level");
      await page.keyboard.type("Level II");
      await tabTo(page, "Company");
      await page.keyboard.type("NDT Holland");
      await tabTo(page, "Send Request");
      await page.keyboard.press("Enter");
      await expect(page.getByLabel("Verification link")).toBeVisible();
      await expect(page.getByRole("dialog", { name: "Verification Email Sent" })).toBeVisible();
      await tabTo(page, "Done");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page.getByRole("link", { name: "Show link" })).toBeFocused();
    });
  });
}

test("registering and logging in work without a pointer", async ({ page }) => {
  const email = freshEmail();
  await page.goto("/");
  await tabTo(page, "Register");
  await page.keyboard.press("Enter");
  await tabTo(page, "Email");
  await page.keyboard.type(email);
  await tabTo(page, "Password");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/profile");
  await tabTo(page, "Logout");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/");
  await tabTo(page, "Email");
  await page.keyboard.type(email);
  await tabTo(page, "Password");
  await page.keyboard.type(PASSWORD);
  await tabTo(page, "Log in");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/profile");
});

test("verifying hours works without a pointer", async ({
  technician: { addEntries, request, entries },
  supervisor,
}) => {
  const [entry] = await addEntries({});
  await supervisor.goto(await request(entry?.id ?? 0));
  await tabTo(supervisor, "Your name");
  await supervisor.keyboard.type("Piet");
  await supervisor.keyboard.press("Enter");
  await expect(supervisor.getByText(/VER-/)).toBeVisible();
  expect(await entries()).toMatchObject([{ verified: true, verifiedBy: "Piet" }]);
});

test("exporting works without a pointer", async ({ technician: { page, addEntries, verifyAll } }) => {
  await verifyAll(await addEntries({}));
  await page.goto("/profile");
  await tabTo(page, "Export Verified Hours as PDF");
  const download = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  expect((await download).suggestedFilename()).toMatch(/^OJT_Log_Marta Nowak_.*\.pdf$/);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with its script" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, viewport: { width: 360, height: 740 } });

    // Catches a dialog that opens over the top of the page, from where people have to find their row again.
    test("the row that opens a dialog stays in sight behind it and after it, and its button has the focus again", async ({
      technician: { page, addEntries },
    }) => {
      const entries = await addEntries(...Array.from({ length: 40 }, (_, index) => ({ location: `Dock ${index}` })));
      await page.goto("/profile");
      const row = page.getByRole("row", { name: "Dock 12 " });
      const button = row.getByRole("button", { name: "Request Verification" });
      await button.scrollIntoViewIfNeeded();
      // Rows that come near the screen are laid out, and may move the others.
      await button.hover();
      await button.focus();
      const before = await row.boundingBox();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("dialog")).toBeFocused();
      // The page behind is inert and without roles.
      const behind = page.locator("tr", { hasText: "Dock 12" });
      await expect(behind).toBeInViewport();
      if (javaScriptEnabled) expect((await behind.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
      await page.getByRole("link", { name: "Close" }).click();
      await expect(button).toBeFocused();
      await expect(button).toBeInViewport();
      if (javaScriptEnabled) expect((await row.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);

      await page.goto(`/profile/record/${entries[0]?.id}`);
      await page.getByRole("link", { name: "Delete" }).click();
      await expect(page.getByRole("dialog", { name: "Delete Entry" })).toBeFocused();
      await expect(page.getByText("Pending: no supervisor")).toBeVisible(); // the record's page is behind it
      await page.getByRole("link", { name: "Cancel" }).click();
      await expect(page.getByRole("link", { name: "Delete" })).toBeFocused();
    });
  });
}
