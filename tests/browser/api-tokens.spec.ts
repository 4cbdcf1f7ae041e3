import { request as requests } from "@playwright/test";
import { expect, inWay, REFUSED_PAGE, test, unfold } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

/* The token of the page, used by a program that has no cookie. */

test.describe("without JavaScript", () => {
  test.use({ ...inWay("without JavaScript"), viewport: { width: 360, height: 740 } });

  test("a token is shown once, reads but does not write, and works until it is ended", async ({
    technician: { page, addEntries },
    baseURL,
  }) => {
    await addEntries({ location: "Mongstad" });
    await page.goto("/account");
    await unfold(page, "API tokens");
    await page.getByRole("button", { name: "Make a token" }).click();
    await page.getByRole("button", { name: "Make Token" }).click();
    await expect(page.getByText("Name is required")).toBeVisible();
    await expect(page.getByLabel("Name")).toBeFocused();
    await page.getByLabel("Name").fill("Payroll");
    await page.getByRole("button", { name: "Make Token" }).click();
    await expect(page.getByRole("status")).toContainText("Copy Payroll now");
    const token = await page.getByLabel("Token").inputValue();
    expect(token).toMatch(/^ht_[\w-]{43}$/);
    const isWhole = await page.getByLabel("Token").evaluate((field) => field.scrollWidth <= field.clientWidth);
    expect(isWhole).toBe(true);

    const program = await requests.newContext({
      ...{
        baseURL,
        extraHTTPHeaders: { Authorization: `Bearer ${token}` },
        storageState: { cookies: [], origins: [] },
      },
    });
    const entries = await program.get("/api/entries");
    expect([entries.status(), await entries.json()]).toEqual([
      200,
      [expect.objectContaining({ location: "Mongstad" })],
    ]);
    const entry = { date: "2026-03-03", location: "Sture", method: "PT", hours: 1 };
    expect((await program.post("/api/entries", { data: entry })).status()).toBe(403);
    expect((await program.get("/api/tokens")).status()).toBe(403);

    await page.getByRole("link", { name: "Back to the account" }).click();
    await expect(page.getByRole("heading", { name: "API tokens" })).toBeVisible();
    await expect(page.getByText(/^Made .* last used/)).toBeVisible();
    expect(await page.content()).not.toContain(token);
    await page.getByRole("button", { name: "End token Payroll" }).click();
    await expect(page.getByRole("status")).toContainText("Token ended");
    await expect(page.getByRole("button", { name: /^End token/ })).toHaveCount(0);
    expect((await program.get("/api/entries")).status()).toBe(401);
    await program.dispose();
  });
});

test("the copy button copies the new token, and a token that writes adds an entry by fetch", async ({
  technician: { page, entries },
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/account/tokens");
  await page.getByLabel("Name").fill("Rota");
  await page.getByLabel("Access").selectOption("Read and write");
  await page.getByRole("button", { name: "Make Token" }).click();
  await page.getByRole("button", { name: "Copy token" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const token = await page.getByLabel("Token").inputValue();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  const status = await page.evaluate(async (token) => {
    const answer = await fetch("/api/entries", {
      method: "POST",
      credentials: "omit",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ date: "2026-03-03", location: "Sture", method: "PT", hours: 1 }),
    });
    return answer.status;
  }, token);
  expect(status).toBe(201);
  expect(await entries()).toMatchObject([{ location: "Sture" }]);
});
