import type { Page } from "@playwright/test";
import { expect } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

const ROWS = [
  "Work date\tJob site\tTechnique\tHrs",
  "03/04/2026\tMongstad\tMPI\t7,5",
  "04/04/2026\tSture\tXT\t1,234",
  "05/04/2026\tSture\tPT\t8",
  "05/04/2026\tSture\tPT\t8",
].join("\n");

/** Leads to the preview of pasted rows, whose dates can be read in two ways. */
async function paste(page: Page): Promise<void> {
  await page.goto("/import");
  await page.getByLabel("Or rows copied from a spreadsheet").fill(ROWS);
  await page.getByRole("button", { name: "Check rows" }).click();
  await expect(page.getByText("Which comes first, the day or the month?")).toBeVisible();
}

async function chooseOrder(page: Page): Promise<void> {
  await page.getByLabel("Dates are").selectOption("dmy");
  await page.getByRole("button", { name: "Update preview" }).click();
  await expect(page.getByRole("button", { name: "Import", exact: true })).toBeVisible();
}

/** States of imports and of hours brought forward. */
export const TRANSFER: States = {
  "an upload": async (page) => {
    await page.goto("/import");
    await expect(page.getByRole("button", { name: "Check rows" })).toBeVisible();
  },
  "an upload, refused": async (page) => {
    await page.goto("/import");
    await page.getByRole("button", { name: "Check rows" }).click();
    await expect(page.getByText("Choose a file, or paste rows below")).toBeVisible();
  },
  "an import whose dates are asked for": paste,
  "an import with problems and duplicates": async (page) => {
    await paste(page);
    await chooseOrder(page);
    await expect(page.getByText("Skip row 5")).toBeVisible();
  },
  "an import that was applied": async (page) => {
    await paste(page);
    await chooseOrder(page);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await expect(page.getByText("2 records saved")).toBeVisible();
    await page.getByText("Undo this import").click();
    await expect(page.getByRole("button", { name: "Undo import" })).toBeVisible();
  },
  "hours brought forward, refused": async (page) => {
    await page.goto("/import/brought-forward");
    await page.getByRole("button", { name: "Save hours" }).click();
    await expect(page.getByText("Location is required")).toBeVisible();
  },
  "hours brought forward in the log": async (page, { addEntries }) => {
    await addEntries({ date: "2025-12-31", location: "Earlier employers", hours: 800, broughtForward: true });
    await page.goto("/profile");
    await expect(page.getByText("Previous experience")).toBeVisible();
  },
};
