import { storeAdmin } from "#tests/browser/database.ts";
import { expect } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

/** States of an admin. */
export const ADMIN: States = {
  "a record, seen by an admin": async (page, { email, addEntries, request }) => {
    await storeAdmin(email);
    const [entry] = await addEntries({});
    await request(entry?.id ?? 0);
    await page.goto(`/admin/entry/${entry?.id}`);
    await expect(page.getByRole("heading", { name: "History" })).toBeVisible();
  },
  "the admin's users": async (page, { email }) => {
    await storeAdmin(email);
    await page.goto("/admin");
  },
  "a user, seen by an admin": async (page, { email, api }) => {
    await storeAdmin(email);
    const { id } = await (await api.get("/api/user")).json();
    await page.goto(`/admin/user/${id}`);
    await expect(page.getByRole("link", { name: "End all sessions" })).toBeVisible();
  },
  "the question before an act on a user": async (page, { email, api }) => {
    await storeAdmin(email);
    const { id } = await (await api.get("/api/user")).json();
    await page.goto(`/admin/user/${id}/end-sessions`);
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  "the state of the system": async (page, { email }) => {
    await storeAdmin(email);
    await page.goto("/admin/system");
    await expect(page.getByRole("heading", { name: "Audit log" })).toBeVisible();
  },
  "the question before a supervisor is erased": async (page, { email }) => {
    await storeAdmin(email);
    await page.goto("/admin/system/erase-supervisor");
    await page.getByLabel("Email of the supervisor").fill("somebody@example.org");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  "the admin's entries": async (page, { email, addEntries }) => {
    await storeAdmin(email);
    await addEntries({}, { method: "UT_THK", location: "x".repeat(200) });
    await page.goto("/admin?tab=entries");
    await expect(page.getByText("Pending").first()).toBeVisible();
  },
  "the admin's rope hours, of one user": async (page, { email, api }) => {
    await storeAdmin(email);
    const period = { startDate: "2026-11-16", endDate: "2026-11-20", location: "x".repeat(200), skills: "Rescue" };
    const { userId } = await (await api.post("/api/rope-hours", { data: { ...period, hours: 38.5 } })).json();
    await page.goto(`/admin?tab=rope-hours&user=${userId}`);
    await expect(page.getByText("Only of")).toBeVisible();
  },
  "an admin's search without a match": async (page, { email }) => {
    await storeAdmin(email);
    await page.goto("/admin?tab=entries&search=nothing");
  },
  "the admin's dialog before deleting": async (page, { email, addEntries }) => {
    await storeAdmin(email);
    const [entry] = await addEntries({});
    await page.goto(`/admin?tab=entries&delete=${entry?.id}`);
    await expect(page.getByRole("dialog")).toBeVisible();
  },
};
