import { AxeBuilder } from "@axe-core/playwright";
import type { APIRequestContext, Page } from "@playwright/test";
import { promote } from "./admin-person.ts";
import { expect, freshEmail, PASSWORD, type Technician, test } from "./technician.ts";

async function addRopeHours(api: APIRequestContext, over: object = {}): Promise<number> {
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

/**
 * Checks every page and state of the app with axe, at 360 and 1280 px, light and dark. Each state says how to reach it.
 */
const states: Record<string, (page: Page, technician: Technician) => Promise<unknown>> = {
  login: async (page) => {
    await page.context().clearCookies();
    await page.goto("/auth");
  },
  "login refused": async (page) => {
    await page.context().clearCookies();
    await page.goto("/auth");
    await page.getByRole("button", { name: "Log in" }).click();
  },
  "login failed": async (page) => {
    await page.context().clearCookies();
    await page.goto("/auth");
    await page.getByLabel("Email").fill("nobody@example.com");
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
  },
  register: async (page) => {
    await page.context().clearCookies();
    await page.goto("/auth?tab=register");
  },
  "an empty log": (page) => page.goto("/profile"),
  "a log with a verified entry": async (page, { addEntries, verify }) => {
    const [first] = await addEntries({}, { method: "UT_THK" }, { location: "x".repeat(200) });
    await page.goto("/profile");
    await verify(first?.id ?? 0);
    await page.goto("/profile");
    await expect(page.getByText("Verified by")).toBeVisible();
  },
  "new entries, refused": async (page) => {
    await page.goto("/profile");
    await page.getByRole("button", { name: "Save Entries" }).click();
    await expect(page.getByText("Location is required")).toBeVisible();
  },
  "a toast": async (page) => {
    await page.goto("/profile");
    await page.getByLabel("Job Location").fill("Dock 4");
    await page.getByLabel("NDT Method").selectOption("MT");
    await page.getByLabel("Hours", { exact: true }).fill("30");
    await page.getByRole("button", { name: "Save Entries" }).click();
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
    await page.goto(`/profile?request=${entry?.id}&link`);
    await expect(page.getByLabel("Verification link")).toBeVisible();
  },
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
  "a link that leads nowhere": (page) => page.goto("/verify/nowhere"),
  "a used link and its verification": async (page, { addEntries, request, verify }) => {
    const [entry] = await addEntries({});
    const path = await request(entry?.id ?? 0);
    await page.goto("/profile");
    await verify(entry?.id ?? 0);
    await page.goto(path);
    await page.getByRole("link", { name: "See the verification" }).click();
    await expect(page.getByText(/VER-/)).toBeVisible();
  },
  "a verification that is not there": (page) => page.goto("/success"),
  "the print page": async (page, { addEntries, verify }) => {
    const [entry] = await addEntries({});
    await page.goto("/profile");
    await verify(entry?.id ?? 0);
    await page.goto("/profile/print");
  },
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
    await expect(page.getByText("Pending")).toBeVisible();
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
  "a record that nobody was asked about": async (page, { addEntries }) => {
    const [entry] = await addEntries({ location: "x".repeat(200) });
    await page.goto(`/profile/record/${entry?.id}`);
  },
  "a record with an open request": async (page, { addEntries, request }) => {
    const [entry] = await addEntries({});
    await request(entry?.id ?? 0);
    await page.goto(`/profile/record/${entry?.id}`);
    await page.locator("summary").first().click();
  },
  "how a record was verified": async (page, { addEntries, verify }) => {
    const [entry] = await addEntries({});
    await verify(entry?.id ?? 0);
    await page.goto(`/profile/record/${entry?.id}`);
    await expect(page.getByText("How this was verified")).toBeVisible();
  },
  "an admin's look at a record": async (page, { email, addEntries, request }) => {
    await promote(email);
    const [entry] = await addEntries({});
    await request(entry?.id ?? 0);
    await page.goto(`/admin/entry/${entry?.id}`);
    await expect(page.getByText("What has happened")).toBeVisible();
  },
  "a link whose request was withdrawn": async (page, { addEntries, request, api }) => {
    const [entry] = await addEntries({});
    const path = await request(entry?.id ?? 0);
    await api.delete(`/api/verify-request/${entry?.id}`);
    await page.context().clearCookies();
    await page.goto(path);
    await expect(page.getByText("withdrawn this request")).toBeVisible();
  },
  "the account": async (page, { api, email }) => {
    const long = { name: "x".repeat(200), employeeNumber: "y".repeat(200) };
    expect((await api.patch("/api/user", { data: long })).status()).toBe(200);
    const elsewhere = await page
      .context()
      .browser()
      ?.newContext({ baseURL: new URL((await api.get("/auth")).url()).origin });
    await elsewhere?.request.post("/api/auth/login", { data: { email, password: PASSWORD } });
    await elsewhere?.close();
    await page.goto("/account");
    await expect(page.getByRole("button", { name: /^End session/ })).toBeVisible();
  },
  "the account's details, refused": async (page) => {
    await page.goto("/account");
    await page.getByLabel("Full Name (Optional)").fill("M");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Name must be at least 2 characters")).toBeVisible();
  },
  "a change of password, refused": async (page) => {
    await page.goto("/account");
    await page.getByRole("button", { name: "Change Password" }).click();
    await expect(page.getByText("Password is required")).toBeVisible();
  },
  "deleting the account, refused": async (page) => {
    await page.goto("/account/delete");
    await page.getByRole("button", { name: "Delete Account" }).click();
    await expect(page.getByText("Password is required")).toBeVisible();
  },
  "an admin who would delete their account": async (page, { email }) => {
    await promote(email);
    await page.goto("/account/delete");
    await expect(page.getByText("Another admin can delete it")).toBeVisible();
  },
  "the admin's users": async (page, { email }) => {
    await promote(email);
    await page.goto("/admin");
  },
  "the admin's entries": async (page, { email, addEntries }) => {
    await promote(email);
    await addEntries({}, { method: "UT_THK", location: "x".repeat(200) });
    await page.goto("/admin?tab=entries");
    await expect(page.getByText("Pending").first()).toBeVisible();
  },
  "the admin's rope hours, of one user": async (page, { email, api }) => {
    await promote(email);
    const period = { startDate: "2026-11-16", endDate: "2026-11-20", location: "x".repeat(200), skills: "Rescue" };
    const { userId } = await (await api.post("/api/rope-hours", { data: { ...period, hours: 38.5 } })).json();
    await page.goto(`/admin?tab=rope-hours&user=${userId}`);
    await expect(page.getByText("Only of")).toBeVisible();
  },
  "an admin's search without a match": async (page, { email }) => {
    await promote(email);
    await page.goto("/admin?tab=entries&search=nothing");
  },
  "the dialog that asks before deleting": async (page, { email, addEntries }) => {
    await promote(email);
    const [entry] = await addEntries({});
    await page.goto(`/admin?tab=entries&delete=${entry?.id}`);
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  "editing an entry that somebody was asked about": async (page, { addEntries, request }) => {
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
  "editing rope hours, refused": async (page, { api }) => {
    await page.goto(`/rope-hours/record/${await addRopeHours(api)}/edit`);
    await page.getByLabel("Skills").fill("");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Please fill in all fields")).toBeVisible();
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
    await expect(page.getByText("You can undo this for 24 hours.")).toBeVisible();
  },
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
  "the not-found page": (page) => page.goto("/nowhere"),
};

for (const [state, reach] of Object.entries(states)) {
  test(`${state} has no accessibility violation on any screen`, async ({ technician }) => {
    const { page } = technician;
    await reach(page, technician);
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [360, 1280]) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 800 });
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
        expect(violations, `${state}, ${width} px, ${colorScheme}`).toEqual([]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow, `${state} at ${width} px scrolls sideways`).toBeLessThanOrEqual(0);
      }
    }
  });
}
