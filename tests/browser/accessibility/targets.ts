import { storeAdmin } from "#tests/browser/database.ts";
import { expect } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

/** States of the pages of targets, and the admin's list of progress. */
export const TARGETS: States = {
  "the choice of a preset": async (page) => {
    await page.goto("/progress/targets/new");
    await page.getByRole("link", { name: "Level II after Level I" }).waitFor();
  },
  "the form of a preset": async (page) => {
    await page.goto("/progress/targets/new?preset=snt-tc-1a-level-2-direct-ut");
    await page.getByText("Where these figures come from").click();
    await page.getByText("Change the title or the figures").click();
    await expect(page.getByRole("group", { name: "Item 9" })).toBeVisible();
  },
  "the form of a target, refused": async (page) => {
    await page.goto("/progress/targets/new?own=1");
    await page.getByRole("button", { name: "Add Another Item" }).click();
    await expect(page.getByRole("group", { name: "Item 2" })).toBeVisible();
    const second = page.getByRole("group", { name: "Item 2" });
    await second.getByLabel("Title").fill("x".repeat(200));
    await second.getByLabel("Figure").fill("70");
    await page.getByRole("button", { name: "Save Target" }).click();
    await expect(page.getByText("Choose at least one NDT method").last()).toBeVisible();
  },
  "the dialog that asks before deleting a target": async (page, { api }) => {
    const { id } = await (await api.post("/api/targets", { data: { preset: "snt-tc-1a-level-2-ut" } })).json();
    await page.goto(`/progress/targets/${id}`);
    await page.getByRole("link", { name: "Delete Target" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  "the admin's list of progress": async (page, { email, addEntries }) => {
    await storeAdmin(email);
    await addEntries({}, { method: "UT_THK" });
    await page.goto("/admin/progress?preset=nas-410-level-1&sort=last");
    await expect(page.getByRole("link", { name: "Export CSV" })).toBeVisible();
  },
};
