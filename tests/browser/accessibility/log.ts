import { expect } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

const dayOf2026 = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);

/** States of the log of entries and its dialogs. */
export const LOG: States = {
  "a filtered log": async (page, { addEntries }) => {
    await addEntries({}, { method: "PT" });
    await page.goto("/profile?method=PT");
    await expect(page.getByText("Hours shown by the filter:")).toBeVisible();
  },
  "an empty log": (page) => page.goto("/profile"),
  "a log with a verified entry": async (page, { addEntries, verify }) => {
    const [first] = await addEntries({}, { method: "UT_THK" }, { location: "x".repeat(200) });
    await page.goto("/profile");
    await verify(first?.id ?? 0);
    await page.goto("/profile");
    await expect(page.getByText("Verified by")).toBeVisible();
  },
  "a log of a hundred entries": async (page, { addEntries }) => {
    await addEntries(...Array.from({ length: 110 }, (_, row) => ({ date: dayOf2026(row), hours: 1 + (row % 9) })));
    await page.goto("/profile");
    await expect(page.getByRole("link", { name: "Older entries" })).toBeVisible();
  },
  "new entries, refused": async (page) => {
    await page.goto("/profile");
    await page.getByRole("button", { name: "Save Entries" }).click();
    await expect(page.getByText("Location is required")).toBeVisible();
  },
  // Catches an unseen text at the right edge that makes the page of text of 200 % wider than the screen.
  "a saved day": async (page) => {
    await page.goto("/profile");
    await page.getByLabel("Job Location").fill("Dock 4");
    await page.getByLabel("NDT Method").selectOption("MT");
    await page.getByLabel("Hours", { exact: true }).fill("30");
    await page.getByRole("button", { name: "Save Entries" }).click();
    await expect(page.getByRole("status").first()).toBeVisible();
  },
  "a shared shift": async (page, { addEntries }) => {
    const [entry] = await addEntries({ date: dayOf2026(1) });
    await page.goto(`/profile/record/${entry?.id}`);
    await page.getByRole("button", { name: "Share this shift" }).click();
    await expect(page.getByLabel("Link of the shift")).toBeVisible();
  },
  "a shift card, opened": async (page) => {
    await page.goto(`/shift#d=${dayOf2026(1)}&p=Dock+4&m=ET&j=J-7&s=Ola+Hansen&x=1`);
    await expect(page.getByText("From a shift card")).toBeVisible();
  },
  "a link that has lost its shift": async (page) => {
    await page.goto("/shift");
    await expect(page.getByText("The link has lost its shift")).toBeVisible();
  },
  "a toast": async (page) => {
    await page.goto("/account/details");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByRole("status").first()).toBeVisible();
  },
  "the request dialog": async (page, { addEntries }) => {
    const [entry] = await addEntries({});
    await page.goto(`/profile?request=${entry?.id}`);
  },
  "the request dialog, refused": async (page, { addEntries }) => {
    const [entry] = await addEntries({});
    await page.goto(`/profile?request=${entry?.id}`);
    await page.getByRole("button", { name: "Send Request" }).click();
    await expect(page.getByText("Phone is required")).toBeVisible();
  },
  "the link dialog": async (page, { addEntries, request }) => {
    const [entry] = await addEntries({});
    await request(entry?.id ?? 0);
    await page.goto(`/profile?request=${entry?.id}&link=1`);
    await expect(page.getByLabel("Verification link")).toBeVisible();
  },
  "the print page": async (page, { addEntries, verify }) => {
    const [entry] = await addEntries({});
    await page.goto("/profile");
    await verify(entry?.id ?? 0);
    await page.goto("/profile/print");
  },
};
