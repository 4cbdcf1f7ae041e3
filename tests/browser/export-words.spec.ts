import { expect, test } from "./technician.ts";

test("a successful export says PDF exported, in place of the previous toast", async ({
  technician: { page, addEntries, verifyAll },
}) => {
  await verifyAll(await addEntries({}));
  const [entry] = await addEntries({});
  await page.goto(`/profile/record/${entry?.id}/delete`);
  await page.getByRole("dialog").getByRole("button", { name: "Delete Entry" }).click();
  const toast = page.locator(".toast");
  await expect(toast).toContainText("Entry deleted");
  await toast.evaluate((element) => element.getAnimations()[0]?.pause()); // it would still be there
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export Verified Hours as PDF" }).click();
  await download;
  await expect(toast).toContainText("PDF exported");
  await expect(toast).toHaveCount(1);
  await expect(page.getByRole("status")).toHaveText(/^PDF exported\s*Your verified hours have been exported as PDF\.$/);
});
