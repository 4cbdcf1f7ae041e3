import { expect, test } from "./technician.ts";

test("a successful export says PDF exported, in place of the previous toast", async ({
  technician: { page, addEntries, verifyAll },
}) => {
  await verifyAll(await addEntries({}));
  await page.goto("/profile");
  await page.getByLabel("Job Location").fill("Dock 4");
  await page.getByLabel("NDT Method").selectOption("MT");
  await page.getByLabel("Hours", { exact: true }).fill("1");
  await page.getByRole("button", { name: "Save Entries" }).click();
  const toast = page.locator(".toast");
  await expect(toast).toContainText("Entries added");
  await toast.evaluate((element) => element.getAnimations()[0]?.pause()); // it would still be there
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export Verified Hours as PDF" }).click();
  await download;
  await expect(toast).toContainText("PDF exported");
  await expect(toast).toHaveCount(1);
  await expect(page.getByRole("status")).toHaveText(/^PDF exported\s*Your verified hours have been exported as PDF\.$/);
});
