import { expect, openAccountMenu, test } from "./technician.ts";

// The forms of signing in are tested in app/accounts/auth-screen.worker.test.ts, and seen in states.spec.ts.
test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

test("Logout ends the session and confirms it, and Back shows no private page", async ({
  technician: { page, api },
}) => {
  await page.goto("/profile");
  await openAccountMenu(page);
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("status")).toHaveText("Logged out successfully");
  expect((await api.get("/api/user")).status()).toBe(401);
  await page.goBack();
  await expect(page).toHaveURL("/auth");
});
