import { expect, openAccountMenu, PASSWORD, REFUSED_PAGE, test } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

test("a wrong password shows an alert above the button, and the email address stays", async ({
  technician: { page, email },
}) => {
  await page.context().clearCookies();
  await page.goto("/auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("not it");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("alert")).toHaveText("Invalid email or password");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByLabel("Password")).toHaveValue("");
});

test("errors appear under the fields of both tabs", async ({ page }) => {
  await page.goto("/auth");
  await page.getByLabel("Email").fill("nobody");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription("Please enter a valid email address");
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription("Password is required");

  await page.getByRole("link", { name: "Register" }).click();
  await page.getByLabel("Password").fill("seven77");
  await page.getByLabel("Full Name (Optional)").fill("😀");
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription("Please enter a valid email address");
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription("Password must be at least 8 characters");
  await expect(page.getByLabel("Full Name (Optional)")).toHaveAccessibleDescription(
    "Name must be at least 2 characters",
  );
});

test("logging in greets the user by name, and a signed-in user is redirected from / and /auth", async ({
  technician: { page, email },
}) => {
  await page.context().clearCookies();
  await page.goto("/auth");
  await page.getByLabel("Email").fill(` ${email.toUpperCase()} `);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("status")).toContainText("Welcome back, Marta Nowak!");
  for (const path of ["/", "/auth", "/auth?tab=register"]) {
    await page.goto(path);
    await expect(page).toHaveURL("/profile");
  }
});

test("Logout ends the session and confirms it, and Back shows no private page", async ({
  technician: { page, api },
}) => {
  await page.goto("/profile");
  await openAccountMenu(page);
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("status")).toHaveText("Logged out successfully");
  expect((await api.get("/api/user")).status()).toBe(401);
  await page.goto("/profile");
  await expect(page).toHaveURL("/auth");
});

test("registering a taken address shows an alert and leaves its account unchanged", async ({
  technician: { page, email },
}) => {
  await page.context().clearCookies();
  await page.goto("/auth?tab=register");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("another password");
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByRole("alert")).toContainText("already has an account");
  expect((await page.request.post("/api/auth/login", { data: { email, password: PASSWORD } })).status()).toBe(200);
});

test("an unknown address shows the not-found page in the specification's words", async ({ page }) => {
  const answer = await page.goto("/no/such/page");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
  await expect(page.getByText("Did you forget to add the page to the router?")).toBeVisible();
});
