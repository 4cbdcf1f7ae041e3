import type { APIRequestContext } from "@playwright/test";
import { expect, freshEmail } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

export async function addRopeHours(api: APIRequestContext, over: object = {}): Promise<number> {
  const period = { startDate: "2026-03-02", endDate: "2026-03-06", location: "Dock 4", skills: "Rescue", hours: 38 };
  return (await (await api.post("/api/rope-hours", { data: { ...period, ...over } })).json()).id;
}

/** Asks a new supervisor to verify; returns the path of the link. */
async function requestRopeHours(api: APIRequestContext, id: number): Promise<string> {
  const data = { name: "Piet", email: freshEmail(), phone: "1", certificationLevel: "Level I", company: "NDT" };
  const { id: supervisorId } = await (await api.post("/api/supervisors", { data })).json();
  const asked = await (await api.post(`/api/verify-request-rope/${id}`, { data: { supervisorId } })).json();
  return new URL(asked.verificationUrl).pathname;
}

/** States of rope hours. */
export const ROPE_HOURS: States = {
  "no rope hours": (page) => page.goto("/rope-hours"),
  "rope hours, pending and verified": async (page, { api }) => {
    await addRopeHours(api);
    await page.goto(await requestRopeHours(api, await addRopeHours(api, { skills: "x".repeat(2000) })));
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel("Your name").fill("Piet");
    await page.getByRole("button", { name: "Verify Hours" }).click();
    await expect(page.getByText(/VER-/)).toBeVisible();
  },
  "the history of rope hours": async (page, { api }) => {
    await addRopeHours(api);
    await page.goto("/rope-hours");
    await expect(page.getByRole("cell", { name: /Pending/ })).toBeVisible();
  },
  "the history of rope hours, filtered": async (page, { api }) => {
    await addRopeHours(api);
    await page.goto("/rope-hours?status=pending");
    await expect(page.getByLabel("Status")).toHaveValue("pending");
    await expect(page.getByText("Verified hours shown by the filter")).toBeVisible();
  },
  "rope hours, refused": async (page) => {
    await page.goto("/rope-hours");
    await page.getByRole("button", { name: "Log Rope Hours" }).click();
    await expect(page.getByText("Please fill in all fields")).toBeVisible();
  },
  "the request dialog of rope hours": async (page, { api }) => {
    await page.goto(`/rope-hours?request=${await addRopeHours(api)}`);
  },
  "the supervisor's page of rope hours": async (page, { api }) => {
    const path = await requestRopeHours(api, await addRopeHours(api));
    await page.context().clearCookies();
    await page.goto(path);
  },
  "editing rope hours, refused": async (page, { api }) => {
    await page.goto(`/rope-hours/record/${await addRopeHours(api)}/edit`);
    await page.getByLabel("Skills").fill("");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Please fill in all fields")).toBeVisible();
  },
};
