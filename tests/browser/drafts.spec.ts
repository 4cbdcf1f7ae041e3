import type { Page } from "@playwright/test";
import { expect, PASSWORD, signUp, test } from "./technician.ts";

/** Types one entry and waits until the browser has kept it. */
async function type(page: Page, place = "Hangar 2"): Promise<void> {
  await page.goto("/profile");
  await page.getByLabel("Job Date").fill("2026-03-02");
  await page.getByLabel("NDT Method").selectOption("PT");
  await page.getByLabel("Hours", { exact: true }).fill("7.25");
  await page.getByLabel("Job Location").fill(place);
  await expect.poll(() => kept(page)).toContain(place);
}

/** All that the browser keeps for the app, as text. */
function kept(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify({ ...localStorage }));
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page).toHaveURL("/profile");
}

test("entries typed before a crash are offered, brought back and saved once", async ({
  technician: { page, entries },
}) => {
  await type(page);
  await page.close({ runBeforeUnload: false });
  const again = await page.context().newPage();
  await again.goto("/profile");
  await expect(again.getByText(/One entry typed on .* did not reach the server/)).toBeVisible();
  await again.getByRole("button", { name: "Bring back" }).click();
  await expect(again.getByLabel("Job Location")).toHaveValue("Hangar 2");
  await expect(again.getByLabel("Hours", { exact: true })).toHaveValue("7.25");
  await expect(again.getByText("is required")).toHaveCount(0);
  await again.getByRole("button", { name: "Save Entries" }).click();
  await expect(again.getByRole("status")).toContainText("Entries added");
  expect(await entries()).toMatchObject([{ date: "2026-03-02", location: "Hangar 2", method: "PT", hours: 7.25 }]);
  expect(await kept(again)).toBe("{}");
});

test("entries whose session had ended are offered after the next log-in", async ({
  technician: { page, email, entries },
}) => {
  await type(page);
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page).toHaveURL("/auth");
  await logIn(page, email);
  await page.getByRole("button", { name: "Bring back" }).click();
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page.getByRole("status")).toContainText("Entries added");
  expect(await entries()).toHaveLength(1);
});

test("an answer lost on the way back leaves one entry, however often it is sent again", async ({
  technician: { page, entries },
}) => {
  await type(page);
  // The server saves; the phone never hears of it.
  await page.route("**/profile/entries/*", async (route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect.poll(async () => (await entries()).length).toBe(1);
  await page.unroute("**/profile/entries/*");
  await page.context().clearCookies({ name: "flash" });
  await page.goto("/profile");
  await page.getByRole("button", { name: "Bring back" }).click();
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page.getByRole("status")).toContainText("Entries added");
  expect(await entries()).toHaveLength(1);
});

test("without a signal Save sends nothing, says so and keeps the form as it is", async ({
  technician: { page, entries },
}) => {
  await type(page);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page.getByRole("alert")).toContainText("You are offline");
  await expect(page.getByLabel("Job Location")).toHaveValue("Hangar 2");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page.getByRole("status")).toContainText("Entries added");
  expect(await entries()).toHaveLength(1);
});

test("what one technician typed is never offered to another", async ({ technician: { page }, baseURL }) => {
  await type(page, "a secret hangar");
  const other = await signUp(page.context(), baseURL ?? "");
  await other.page.goto("/profile");
  await expect(other.page.getByLabel("Job Location")).toBeVisible();
  await expect(other.page.getByText("did not reach the server")).toHaveCount(0);
});

test("a logout forgets what was typed, and Discard does too", async ({ technician: { page, email } }) => {
  await type(page);
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  expect(await kept(page)).toBe("{}");

  await logIn(page, email);
  await type(page);
  await page.goto("/profile");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.reload();
  await expect(page.getByRole("button", { name: "Bring back" })).toHaveCount(0);
});
