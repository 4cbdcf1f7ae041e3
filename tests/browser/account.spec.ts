import { linkTo, mailTo } from "./mailbox.ts";
import {
  expect,
  freshEmail,
  inWay,
  openAccountMenu,
  PASSWORD,
  REFUSED_PAGE,
  test,
  unfold,
  WAYS_WITHOUT_ISLAND,
} from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

const NEW = "another horse entirely";

test.describe("without JavaScript", () => {
  test.use({ ...inWay("without JavaScript"), viewport: { width: 360, height: 740 } });

  test("a technician changes their name and employee number, and the supervisor sees the new ones", async ({
    technician: { page, api, addEntries, request },
    supervisor,
  }) => {
    const [entry] = await addEntries({});
    const link = await request(entry?.id ?? 0);
    await page.goto("/profile");
    await openAccountMenu(page);
    await page.getByRole("link", { name: "Account" }).click();
    await expect(page.getByRole("heading", { name: "Account", exact: true })).toBeVisible();
    await unfold(page, "Your details");
    await page.getByLabel("Full Name (Optional)").fill("M");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Name must be at least 2 characters")).toBeVisible();
    await expect(page.getByLabel("Full Name (Optional)")).toBeFocused();
    await page.getByLabel("Full Name (Optional)").fill("Marta Maria Nowak");
    await page.getByLabel("Employee Number (Optional)").fill("");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByRole("status")).toContainText("Changes saved");
    expect(await (await api.get("/api/user")).json()).toMatchObject({
      name: "Marta Maria Nowak",
      employeeNumber: null,
    });
    await supervisor.goto(link);
    await expect(supervisor.getByText("Marta Maria Nowak").first()).toBeVisible();
    await expect(supervisor.getByText("NDT-0417")).toHaveCount(0);
  });

  test("changing the password signs out every other device and sends an email", async ({
    technician: { page, api, email },
    supervisor: phone,
  }) => {
    await phone.goto("/auth");
    await phone.getByLabel("Email").fill(email);
    await phone.getByLabel("Password").fill(PASSWORD);
    await phone.getByRole("button", { name: "Log in" }).click();
    await expect(phone).toHaveURL("/profile");

    await page.goto("/account");
    await unfold(page, "Password");
    const fill = async (current: string, next: string, again: string) => {
      await page.getByLabel("Current Password").fill(current);
      await page.getByLabel("New Password").fill(next);
      await page.getByLabel("Confirm Password").fill(again);
      await page.getByRole("button", { name: "Change Password" }).click();
    };
    await fill(PASSWORD, NEW, "something else");
    await expect(page.getByText("Passwords do not match")).toBeVisible();
    await expect(page.getByLabel("Confirm Password")).toBeFocused();
    await fill("wrong", NEW, NEW);
    await expect(page.getByText("That is not your current password")).toBeVisible();
    await expect(page.getByLabel("Current Password")).toBeFocused();
    await fill(PASSWORD, NEW, NEW);
    await expect(page.getByRole("status")).toContainText("Password changed");
    await expect(page).toHaveURL("/account");

    await phone.reload();
    await expect(phone).toHaveURL("/auth");
    expect((await api.get("/api/user")).status()).toBe(200);
    await expect(async () => {
      const subjects = mailTo(email).map(({ subject }) => subject);
      expect(subjects).toEqual(["Your Hours Tracker password was changed"]);
    }).toPass();
  });

  test("a session on another device can be ended from the account page", async ({
    technician: { page, email },
    supervisor: phone,
  }) => {
    await phone.goto("/auth");
    await phone.getByLabel("Email").fill(email);
    await phone.getByLabel("Password").fill(PASSWORD);
    await phone.getByRole("button", { name: "Log in" }).click();
    await expect(phone).toHaveURL("/profile");

    await page.goto("/account");
    await unfold(page, "Where you are signed in");
    await expect(page.getByText("This device")).toHaveCount(1);
    await page.getByRole("button", { name: /^End session/ }).click();
    await expect(page.getByRole("status")).toContainText("Session ended");
    await unfold(page, "Where you are signed in");
    await expect(page.getByText("This device")).toBeVisible();
    await expect(page.getByRole("button", { name: /^End/ })).toHaveCount(0);
    await phone.reload();
    await expect(phone).toHaveURL("/auth");
  });

  test("an account is deleted with all its data after the password is confirmed", async ({
    technician: { page, api, email, addEntries },
  }) => {
    await addEntries({}, {});
    await page.goto("/account");
    await unfold(page, "Delete account");
    await page.getByRole("button", { name: "Delete account" }).click();
    await expect(page.getByText("We keep the log of each verification")).toBeVisible();
    await expect(page.locator("dl")).toContainText("OJT entries2");
    await page.getByLabel("Current Password").fill("wrong");
    await page.getByRole("button", { name: "Delete Account" }).click();
    await expect(page.getByText("That is not your current password")).toBeVisible();
    await expect(page.getByLabel("Current Password")).toBeFocused();
    await page.getByLabel("Current Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Delete Account" }).click();
    await expect(page).toHaveURL("/auth");
    await expect(page.getByRole("status")).toContainText("Account deleted");
    expect((await api.get("/api/user")).status()).toBe(401);
    const registered = await api.post("/api/auth/register", { data: { email, password: PASSWORD } });
    expect(registered.status()).toBe(201);
  });
});

/** The address of an account that registers by the form is confirmed by the link in its email. */
for (const way of WAYS_WITHOUT_ISLAND) {
  test.describe(way, () => {
    test("a technician registers, sends the link again and confirms the address", async ({ browser, baseURL }) => {
      const context = await browser.newContext({
        ...inWay(way),
        baseURL: baseURL ?? "",
        viewport: { width: 360, height: 740 },
      });
      const page = await context.newPage();
      const email = freshEmail();
      await page.goto("/auth?tab=register");
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Register" }).click();
      await expect(page.getByRole("link", { name: "Confirm your email" })).toBeVisible();
      // Catches a notice that pushes the first row of the form below the screen, or behind the save bar.
      const job = { date: "2026-03-02", location: "Dock 4", method: "MT", hours: 7.5 };
      expect((await context.request.post("/api/entries", { data: job })).status()).toBe(201);
      await page.goto("/profile");
      const [hours, bar] = await Promise.all(
        [page.getByLabel("Hours", { exact: true }), page.locator(".save")].map((part) => part.boundingBox()),
      );
      expect((hours?.y ?? 0) + (hours?.height ?? 740)).toBeLessThanOrEqual(bar?.y ?? 0);
      await page.getByRole("link", { name: "Confirm your email" }).click();
      await expect(page.getByRole("link", { name: "Change the address" })).toBeVisible();
      await page.getByRole("button", { name: "Send the link again" }).click();
      await expect(page.getByRole("status").first()).toContainText("sent a new link");
      await expect(() => expect(mailTo(email)).toHaveLength(2)).toPass();
      const link = await linkTo(email, "Confirm your email address", /\/account\/email\/\S+/);
      await page.goto(link);
      await page.getByRole("button", { name: "Confirm Email Address" }).click();
      await expect(page.getByRole("heading", { name: "Email address confirmed" })).toBeVisible();
      const user = await (await context.request.get("/api/user")).json();
      expect(user.emailConfirmedAt).toMatch(/^\d{4}-/);
      await page.goto("/account");
      await expect(page.getByRole("button", { name: "Send the link again" })).toHaveCount(0);
      await context.close();
    });
  });
}
