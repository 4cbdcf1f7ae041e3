import { expect, inWay, test } from "./admin-person.ts";

test.describe("without JavaScript", () => {
  test.use(inWay("without JavaScript"));

  test("an admin finds the state of the system, has the log checked and erases a supervisor", async ({ admin }) => {
    const { page, api } = admin;
    const email = `kari-${crypto.randomUUID()}@example.org`;
    await api.post("/api/supervisors", {
      data: { name: "Kari", email, phone: "1", company: "Dahl NDT", certificationLevel: "Level III" },
    });
    await page.goto("/admin");
    await page.getByRole("navigation", { name: "Lists" }).getByRole("link", { name: "System" }).click();
    await expect(page.getByRole("region", { name: "Version" })).toContainText(/\d+\.\d+\.\d+/);
    await expect(page.getByRole("region", { name: "Not configured" })).toContainText("Public address");
    const log = page.getByRole("region", { name: "Audit log" });
    const button = log.getByRole("button", { name: "Check the log" });
    await button.click();
    await expect(page.getByRole("status")).toContainText("The check has started");
    await page.getByRole("link", { name: "Erase a supervisor" }).click();
    await page.getByLabel("Email of the supervisor").fill("nobody");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("Please enter a valid email address")).toBeVisible();
    await page.getByLabel("Email of the supervisor").fill(email);
    await page.getByRole("button", { name: "Continue" }).click();
    const dialog = page.getByRole("dialog", { name: "Erase a supervisor" });
    await expect(dialog).toContainText(email);
    expect(await (await api.get("/api/supervisors")).json()).toHaveLength(1);
    await dialog.getByRole("button", { name: "Erase" }).click();
    await expect(page.getByRole("status")).toContainText("Erased");
    expect(await (await api.get("/api/supervisors")).json()).toEqual([]);
  });
});
