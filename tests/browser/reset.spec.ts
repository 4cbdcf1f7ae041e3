import AxeBuilder from "@axe-core/playwright";
import { linkTo, mailTo } from "./mailbox.ts";
import { expect, inWay, test, WAYS } from "./technician.ts";

const NEW = "another horse entirely";

for (const way of WAYS) {
  test.describe(way, () => {
    test.use({ ...inWay(way), viewport: { width: 360, height: 740 } });

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
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test(`the reset pages have no accessibility violation at ${width} px, ${colorScheme}`, async ({
      technician,
      browser,
      baseURL,
    }) => {
      const context = await browser.newContext({
        ...(baseURL && { baseURL }),
        colorScheme,
        viewport: { width, height: 740 },
      });
      const page = await context.newPage();
      const audit = async () => {
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      };
      await page.goto("/reset-password");
      await audit();
      await page.getByLabel("Email").fill("no address");
      await page.getByRole("button", { name: "Send Reset Link" }).click();
      await expect(page.getByText("Please enter a valid email address")).toBeVisible();
      await audit();
      await page.getByLabel("Email").fill(technician.email);
      await page.getByRole("button", { name: "Send Reset Link" }).click();
      await expect(page.getByRole("status")).toBeVisible();
      await audit();
      await page.goto(await linkTo(technician.email, "Reset your Hours Tracker password"));
      await audit();
      await page.goto("/reset-password/nothing");
      await audit();
      await context.close();
    });
  }
}
