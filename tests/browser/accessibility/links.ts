import type { Page } from "@playwright/test";
import { expect } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

async function leaveForLater(page: Page, row: number): Promise<void> {
  await page.getByRole("checkbox", { name: "Not right" }).nth(row).check();
  await page.getByRole("listitem").nth(row).getByRole("checkbox", { name: "Leave it for later" }).check();
}

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
  "a supervisor's page of several records": async (page, { addEntries, requestSeveral }) => {
    const entries = await addEntries({ location: "A" }, { location: "B" }, { location: "C" });
    const link = await requestSeveral(entries);
    await page.context().clearCookies();
    await page.goto(link);
    await page.getByRole("checkbox", { name: "Not right" }).first().check();
    await leaveForLater(page, 1);
    await page.locator(".sent").click();
    await expect(page.getByText("Give a reason")).toBeVisible();
  },
  "several answers": async (page, { addEntries, requestSeveral }) => {
    const entries = await addEntries({ location: "A" }, { location: "B" }, { location: "C" });
    const link = await requestSeveral(entries);
    await page.context().clearCookies();
    await page.goto(link);
    await page.getByRole("checkbox", { name: "Not right" }).first().check();
    await page.getByLabel("What's wrong?").first().fill("My day off");
    await leaveForLater(page, 1);
    await page.getByLabel("Your name").fill("Ola Hansen");
    await page.locator(".sent").click();
    await expect(page.getByText("1 record left for later")).toBeVisible();
  },
  "a declined record": async (page, { addEntries, request }) => {
    const [entry] = await addEntries({});
    const path = await request(entry?.id ?? 0);
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.goto(path);
    await page.getByText("This isn't right").click();
    await page.getByLabel("What's wrong?").fill("My day off");
    await page.getByLabel("Your name").fill("Ola Hansen");
    await page.getByRole("button", { name: "Decline" }).click();
    await expect(page.getByRole("heading", { name: "Answer Received" })).toBeVisible();
    await page.context().addCookies(cookies);
    await page.goto(`/profile/record/${entry?.id}`);
    await expect(page.getByText("Reason: My day off").first()).toBeVisible();
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
