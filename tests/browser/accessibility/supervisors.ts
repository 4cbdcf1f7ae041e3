import { expect } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

/** States of the technician's supervisors. */
export const SUPERVISORS: States = {
  "no supervisors": (page) => page.goto("/supervisors"),
  "the supervisors": async (page, { addEntries, request }) => {
    const [entry] = await addEntries({});
    await request(entry?.id ?? 0);
    await page.goto("/supervisors");
    await expect(page.getByRole("table")).toBeVisible();
  },
  "editing a supervisor, refused": async (page, { addEntries, request }) => {
    const [entry] = await addEntries({});
    await request(entry?.id ?? 0);
    await page.goto("/supervisors");
    await page.getByRole("link", { name: "Piet van der Berg" }).click();
    await page.getByLabel("Phone").fill("");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Phone is required")).toBeVisible();
  },
  "the dialog that asks before deleting a supervisor": async (page, { addEntries, request }) => {
    const [entry] = await addEntries({});
    await request(entry?.id ?? 0);
    await page.goto("/supervisors");
    await page.getByRole("link", { name: "Piet van der Berg" }).click();
    await page.getByRole("link", { name: "Delete Supervisor" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  },
};
