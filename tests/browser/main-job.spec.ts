import { expect, freshEmail, inWay, PASSWORD, REFUSED_PAGE, test, WAYS_WITHOUT_ISLAND } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

/** The product's main job, on a phone, from registration to a verified entry: without script and with it. */
for (const way of WAYS_WITHOUT_ISLAND) {
  test.describe(way, () => {
    test.use({ ...inWay(way), viewport: { width: 360, height: 740 } });

    test("a technician registers, logs hours, has them verified by a supervisor and prints the form", async ({
      page,
      supervisor,
    }) => {
      await page.goto("/");
      await page.getByRole("link", { name: "Register" }).click();
      await page.getByLabel("Email").fill(freshEmail());
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByLabel("Full Name (Optional)").fill("Ada Łódź");
      await page.getByRole("button", { name: "Register" }).click();
      await expect(page).toHaveURL("/profile");
      await expect(page.getByRole("status")).toContainText("Welcome, Ada Łódź!");

      await page.getByLabel("Job Date").fill("2026-03-02");
      await page.getByLabel("Job Location").fill("Hangar 2");
      await page.getByLabel("NDT Method").selectOption("UT Thk.");
      await page.getByLabel("Hours", { exact: true }).fill("7.25");
      await page.getByRole("button", { name: "Add Another Entry" }).click();
      await expect(page.getByLabel("Job Location")).toHaveCount(2);
      await expect(page.getByLabel("Job Location").first()).toHaveValue("Hangar 2");
      await page.getByText("Same day, same place").click();
      await page.getByLabel("Job Date").nth(1).fill("2026-03-03");
      await page.getByLabel("Job Location").nth(1).fill("Hangar 3");
      await page.getByLabel("NDT Method").nth(1).selectOption("ET");
      await page.getByLabel("Hours", { exact: true }).nth(1).fill("0.5");
      await page.getByRole("button", { name: "Save Entries" }).click();
      await expect(page.getByRole("status")).toContainText("Your OJT hours have been saved successfully.");
      await expect(page.getByRole("row", { name: /Hangar 3/ })).toBeVisible();

      await page
        .getByRole("row", { name: /Hangar 2/ })
        .getByRole("button", { name: "Request Verification" })
        .click();
      const dialog = page.getByRole("dialog", { name: "Request Verification" });
      await dialog.getByLabel("Name").fill("Piet van der Berg");
      await dialog.getByLabel("Email").fill(freshEmail());
      await dialog.getByLabel("Phone").fill("+31 6 1234");
      await dialog.getByLabel("Certification Level").selectOption("Level III");
      await dialog.getByLabel("Company").fill("NDT Holland");
      await dialog.getByRole("button", { name: "Send Request" }).click();
      const link = await page.getByRole("dialog").getByLabel("Verification link").inputValue();
      await expect(page.getByRole("dialog", { name: "Verification Email Sent" })).toContainText(
        "An email has been sent to the supervisor for verification.",
      );
      await page.getByRole("button", { name: "Done" }).click();
      await expect(page).toHaveURL(/\/profile\?at=\d+$/);

      await supervisor.goto(link);
      await expect(supervisor.getByText("Ada Łódź asks you to verify")).toBeVisible();
      await expect(supervisor.getByText("Hangar 2")).toBeVisible();
      await supervisor.getByLabel("Your name").fill("P. van der Berg");
      await supervisor.getByRole("button", { name: "Verify Hours" }).click();
      await expect(supervisor.getByRole("status")).toContainText("Thank you for verifying these OJT hours.");
      await expect(supervisor.getByText(/VER-\d{8}-[0-9A-F]{5}/)).toBeVisible();

      await supervisor.goto(link);
      await expect(supervisor.getByRole("heading", { name: "Verification Failed" })).toBeVisible();
      await expect(supervisor.getByText("P. van der Berg")).toBeVisible();

      await page.reload();
      await expect(page.getByRole("row", { name: /Hangar 2/ })).toContainText("Verified by P. van der Berg");
      const stored = await (await page.request.get("/api/entries")).json();
      expect(stored).toMatchObject([
        { location: "Hangar 3", hours: 0.5, verified: false },
        { location: "Hangar 2", method: "UT_THK", hours: 7.25, verified: true, verifiedBy: "P. van der Berg" },
      ]);

      await page.goto("/profile/print");
      await expect(page.getByRole("heading", { name: "Experience Hours (OJT)" })).toBeVisible();
      await expect(page.getByText("Hangar 2")).toBeVisible();
      await expect(page.getByText("Hangar 3")).toBeHidden();
    });
  });
}
