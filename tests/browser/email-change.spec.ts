import { linkTo, mailTo } from "./mailbox.ts";
import { expect, inWay, PASSWORD, REFUSED_PAGE, test, unfold } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

test.describe("without JavaScript", () => {
  test.use({ ...inWay("without JavaScript"), viewport: { width: 360, height: 740 } });

  test("a technician changes their email address, and confirms it on another device", async ({
    technician: { page, api, email },
    supervisor: phone,
  }) => {
    const next = `next-${email}`;
    await page.goto("/account");
    await unfold(page, "Email address");
    await page.getByLabel("New Email").fill(next);
    await page.getByRole("button", { name: "Send Link" }).click();
    await expect(page.getByText("Password is required")).toBeVisible();
    await expect(page.getByLabel("Your Password")).toBeFocused();
    await expect(page.getByLabel("New Email")).toHaveValue(next);
    await page.getByLabel("Your Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Send Link" }).click();
    await expect(page.getByRole("status")).toContainText("We've sent a link to the new address.");
    await expect(page.getByRole("main")).toContainText(next);

    const link = await linkTo(next, "Confirm your new email address for Hours Tracker");
    await phone.goto(link);
    await expect(phone.getByRole("heading", { name: "Change your email address?" })).toBeVisible();
    // Opening the link has changed nothing.
    expect(await (await api.get("/api/user")).json()).toMatchObject({ email });
    await phone.getByRole("button", { name: "Change Email Address" }).click();
    await expect(phone.getByRole("status")).toContainText(next);
    expect(await (await api.get("/api/user")).json()).toMatchObject({ email: next });

    await phone.getByRole("link", { name: "Go to your account" }).click();
    await phone.getByLabel("Email").fill(next);
    await phone.getByLabel("Password").fill(PASSWORD);
    await phone.getByRole("button", { name: "Log in" }).click();
    await expect(phone).toHaveURL("/account");
    await page.goto("/account");
    await expect(page.getByRole("main")).toContainText(next);
    await expect(async () => {
      expect(mailTo(email).map(({ subject }) => subject)).toEqual([
        "The email address of your Hours Tracker account was changed",
        "A new email address was requested for your Hours Tracker account",
      ]);
    }).toPass();

    await phone.goto(link);
    await expect(phone.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  });
});
