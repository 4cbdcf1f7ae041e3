import { linkTo, mailTo } from "./mailbox.ts";
import { expect, inWay, REFUSED_PAGE, test } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

const NEW = "another horse entirely";

test.describe("without JavaScript", () => {
  test.use({ ...inWay("without JavaScript"), viewport: { width: 360, height: 740 } });

  test("a user who forgot the password sets a new one by the emailed link, once", async ({
    technician,
    supervisor: page,
  }) => {
    await page.goto("/auth");
    await page.getByRole("link", { name: "Forgot password?" }).click();
    await page.getByLabel("Email").fill(technician.email.toUpperCase());
    await page.getByRole("button", { name: "Send Reset Link" }).click();
    await expect(page.getByRole("status")).toContainText(
      "If your email exists in our system, we've sent you instructions to reset your password.",
    );
    const link = await linkTo(technician.email, "Reset your Hours Tracker password");

    await page.goto(link);
    await page.getByLabel("New Password").fill(NEW);
    await page.getByLabel("Confirm Password").fill("something else");
    await page.getByRole("button", { name: "Reset Password" }).click();
    await expect(page.getByText("Passwords do not match")).toBeVisible();
    await expect(page.getByLabel("Confirm Password")).toBeFocused();
    await page.getByLabel("New Password").fill(NEW);
    await page.getByLabel("Confirm Password").fill(NEW);
    await page.getByRole("button", { name: "Reset Password" }).click();
    await expect(page.getByText("You can now log in with your new password")).toBeVisible();
    await expect(page).toHaveURL("/auth"); // redirected after 2 seconds

    await page.getByLabel("Email").fill(technician.email);
    await page.getByLabel("Password").fill(NEW);
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page).toHaveURL("/profile");
    expect((await technician.api.get("/api/user")).status()).toBe(401);
    await expect(async () => {
      const subjects = mailTo(technician.email).map(({ subject }) => subject);
      expect(subjects).toContain("Your Hours Tracker password was changed");
    }).toPass();

    await page.goto(link);
    await expect(page.getByRole("heading", { name: "Failed to reset password" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Request a new link" })).toBeVisible();
  });
});
