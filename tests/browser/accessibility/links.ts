import { expect } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

/** States of a supervisor's link. */
export const LINKS: States = {
  "the supervisor's page": async (page, { addEntries, request }) => {
    const [entry] = await addEntries({});
    const path = await request(entry?.id ?? 0);
    await page.context().clearCookies();
    await page.goto(path);
    await expect(page.getByLabel("Your name")).toBeVisible();
  },
  "one's own link": async (page, { addEntries, request }) => {
    const [entry] = await addEntries({});
    await page.goto(await request(entry?.id ?? 0));
    await expect(page.getByText("These are your own hours")).toBeVisible();
  },
  "a link of an unknown token": (page) => page.goto("/verify/nowhere"),
  "a used link and its verification": async (page, { addEntries, request, verify }) => {
    const [entry] = await addEntries({});
    const path = await request(entry?.id ?? 0);
    await page.goto("/profile");
    await verify(entry?.id ?? 0);
    await page.goto(path);
    await page.getByRole("link", { name: "See the verification" }).click();
    await expect(page.getByText(/VER-/)).toBeVisible();
  },
  "an unknown verification": (page) => page.goto("/success"),
  "a link whose request was withdrawn": async (page, { addEntries, request, api }) => {
    const [entry] = await addEntries({});
    const path = await request(entry?.id ?? 0);
    await api.delete(`/api/verify-request/${entry?.id}`);
    await page.context().clearCookies();
    await page.goto(path);
    await expect(page.getByText("withdrawn this request")).toBeVisible();
  },
};
