import { type Page, request } from "@playwright/test";
import { storeNotice } from "#tests/browser/database.ts";
import { expect, type Technician, unfold } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

/** States of exports: checked by anyone, and in their owner's account. */
export const EXPORTS: States = {
  "a form to check": async (page) => {
    await page.goto("/check");
    await expect(page.getByLabel("Code on the form")).toBeVisible();
  },
  "a form to check, with a mistyped code": async (page) => {
    await page.goto("/check?code=7K3M-Q9TX-2HVP-8RDN-5");
    await expect(page.getByRole("alert")).toContainText("This code is mistyped");
  },
  "a checked form, unchanged": async (page, technician) => {
    const { code } = await exported(technician);
    await page.goto(`/c/${code}`);
    await expect(page.getByText("Every record is unchanged")).toBeVisible();
  },
  "a checked form with disowned records": async (page, technician) => {
    const { code } = await exported(technician);
    // The supervisor has no session: the technician cannot disown.
    const supervisor = await request.newContext();
    const { disown } = await storeNotice(technician.email);
    const address = new URL(`/api${disown}`, (await page.request.get("/auth")).url());
    expect((await supervisor.post(address.href, { data: {} })).status()).toBe(200);
    await supervisor.dispose();
    await page.goto(`/c/${code}`);
    await expect(page.getByText("2 verifications were withdrawn by their supervisors since.")).toBeVisible();
  },
  "a checked form that was closed": async (page, technician) => {
    const { id, code } = await exported(technician);
    expect((await technician.api.delete(`/api/exports/${id}`)).status()).toBe(200);
    await page.goto(`/c/${code}`);
    await expect(page.getByRole("heading", { name: "This form was closed" })).toBeVisible();
  },
  "the account with exports, one of them closed": async (page, technician) => {
    const { id } = await exported(technician);
    expect((await technician.api.delete(`/api/exports/${id}`)).status()).toBe(200);
    const { code } = await exportAgain(technician);
    await page.request.get(`/c/${code}`);
    await page.goto("/account");
    await unfold(page, "Exports");
    await expect(page.getByText("Checked once")).toBeVisible();
  },
  "an export to close": async (page, technician) => {
    const { id } = await exported(technician);
    await openDialog(page, id);
    await expect(page.getByRole("button", { name: "Close export" })).toBeVisible();
  },
  "an export to close that was closed": async (page, technician) => {
    const { id } = await exported(technician);
    expect((await technician.api.delete(`/api/exports/${id}`)).status()).toBe(200);
    await openDialog(page, id);
    await expect(page.getByText("It was closed")).toBeVisible();
  },
};

/** Exports two verified entries, one of them at a location without spaces. */
async function exported(technician: Technician): Promise<{ id: number; code: string }> {
  const { addEntries, verifyAll } = technician;
  const location = "AREA-51/UNIT-7/PIPE-RACK-3/".repeat(7).slice(0, 180);
  await verifyAll(await addEntries({ hours: 12.25 }, { location, method: "UT_THK", hours: 10_000.5 }));
  return exportAgain(technician);
}

async function exportAgain({ api }: Technician): Promise<{ id: number; code: string }> {
  const answer = await api.post("/api/exports", { data: { form: "ojt" } });
  expect(answer.status()).toBe(201);
  return answer.json();
}

async function openDialog(page: Page, id: number): Promise<void> {
  await page.goto(`/account/exports/${id}`);
  await expect(page.getByRole("dialog", { name: "Close export" })).toBeVisible();
}
