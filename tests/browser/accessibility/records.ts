import { expect } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

/** States of a single record: its page, edits and deletion. */
export const RECORDS: States = {
  "a record without a request": async (page, { addEntries }) => {
    const [entry] = await addEntries({ location: "x".repeat(200) });
    await page.goto(`/profile/record/${entry?.id}`);
  },
  "a record with an open request": async (page, { addEntries, request, api }) => {
    const [entry] = await addEntries({});
    await request(entry?.id ?? 0);
    // The email is sent after the answer, and the history says so.
    const history = async () => (await api.get(`/api/entries/${entry?.id}/verification`)).text();
    await expect.poll(history).toContain('"event":"mailed"');
    await page.goto(`/profile/record/${entry?.id}`);
    await page.locator("main summary").first().click();
  },
  "a verified record": async (page, { addEntries, verify }) => {
    const [entry] = await addEntries({});
    await verify(entry?.id ?? 0);
    await page.goto(`/profile/record/${entry?.id}`);
    await expect(page.getByText("How this was verified")).toBeVisible();
  },
  "editing an entry with an open request": async (page, { addEntries, request }) => {
    const [entry] = await addEntries({ location: "x".repeat(200) });
    await request(entry?.id ?? 0);
    await page.goto(`/profile/record/${entry?.id}/edit`);
    await expect(page.getByText("A supervisor has been asked")).toBeVisible();
  },
  "editing an entry, refused": async (page, { addEntries }) => {
    const [entry] = await addEntries({});
    await page.goto(`/profile/record/${entry?.id}/edit`);
    await page.getByLabel("Job Location").fill("");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Location is required")).toBeVisible();
  },
  "editing an entry that was changed meanwhile": async (page, { addEntries, api }) => {
    const [entry] = await addEntries({});
    await page.goto(`/profile/record/${entry?.id}/edit`);
    await api.patch(`/api/entries/${entry?.id}`, { data: { location: "x".repeat(200) } });
    await page.getByLabel("Hours").fill("2");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
  },
  "the dialog that asks before deleting an entry": async (page, { addEntries }) => {
    const [entry] = await addEntries({});
    await page.goto(`/profile/record/${entry?.id}/delete`);
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  "a deletion that can be undone": async (page, { addEntries }) => {
    const [, entry] = await addEntries({}, {});
    await page.goto(`/profile/record/${entry?.id}/delete`);
    await page.getByRole("button", { name: "Delete Entry" }).click();
    await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  },
};
