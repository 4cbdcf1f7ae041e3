import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, messageOf, textOf, textsOf } from "#tests/worker/html.ts";
import type { Technician, User } from "#tests/worker/people.ts";
import { namePath } from "./next-page.ts";

const app = await startApp();

const patch = (who: Technician, body: unknown) => who.json("PATCH", "/api/user", body);

async function searchOf(who: Technician): Promise<unknown> {
  return (await rows(app.db, "SELECT search FROM users WHERE id = ?", who.user.id))[0]?.search;
}

// Catches `.partial()` over fields with a default: an omitted field would be cleared.
test("PATCH /api/user changes the fields in the body and leaves the others", async () => {
  const ada = await app.register({ name: "Ada", employeeNumber: "NDT-1" });
  const named = await patch(ada, { name: "  Ada Ås " });
  expect([named.status, named.json()]).toEqual([200, { ...ada.user, name: "Ada Ås" }]);
  const numbered = await patch(ada, { employeeNumber: "NDT-2" });
  expect(numbered.json()).toEqual({ ...ada.user, name: "Ada Ås", employeeNumber: "NDT-2" });
  expect((await patch(ada, {})).json()).toEqual(numbered.json());
  expect((await ada.get("/api/user")).json()).toEqual(numbered.json());
});

test("null or a blank value clears a field", async () => {
  const ada = await app.register({ name: "Ada", employeeNumber: "NDT-1" });
  expect((await patch(ada, { name: null })).json<User>()).toMatchObject({ name: null, employeeNumber: "NDT-1" });
  expect((await patch(ada, { employeeNumber: " \u200b " })).json<User>()).toMatchObject({ employeeNumber: null });
  expect(textOf((await ada.get("/profile")).text)).toContain("New User");
});

test("PATCH /api/user ignores fields that a user may not change", async () => {
  const ada = await app.register();
  const answer = await patch(ada, {
    id: 1,
    email: "x@example.com",
    isAdmin: true,
    createdAt: "1999-01-01",
    name: "Ada",
  });
  expect(answer.json()).toEqual({ ...ada.user, name: "Ada" });
});

test("an admin's search finds a user by the current name, not by an earlier one", async () => {
  const [admin, ada] = [
    await app.register({ isAdmin: true }),
    await app.register({ name: "Ada", employeeNumber: "Q7" }),
  ];
  const found = async (words: string) =>
    (await admin.get(`/admin?search=${encodeURIComponent(words)}`)).text.includes(`>${ada.user.email}<`);
  await patch(ada, { name: "Łucja ÅS" });
  expect(await searchOf(ada)).toBe(`lucja as\n${ada.user.email}\nq7`);
  expect([await found("łucja ås"), await found("Q7"), await found("Ada")]).toEqual([true, true, false]);
  await patch(ada, { employeeNumber: null });
  expect(await searchOf(ada)).toBe(`lucja as\n${ada.user.email}`);
});

test("the header links to the account, and the link is labelled as such", async () => {
  const ada = await app.register();
  for (const path of ["/profile", "/rope-hours", "/account"]) {
    expect((await ada.get(path)).text).toContain(`href="/account" aria-label="Account ${ada.user.email}"`);
  }
});

test("the form shows the current values, saves them with a toast, and can clear both", async () => {
  const ada = await app.register({ name: "Ada", employeeNumber: "NDT-1" });
  const page = await ada.get("/account");
  expect([page.status, page.trips]).toEqual([200, 1]);
  const { fields } = formIn(page.text, "/account/details");
  expect(Object.fromEntries(fields)).toEqual({ name: "Ada", employeeNumber: "NDT-1" });
  const saved = await ada.submit(page, "/account/details", { name: "Ada Ås", employeeNumber: "" }, "Save Changes");
  expect([saved.status, saved.location, saved.trips]).toEqual([303, "/account", 2]);
  const after = await ada.follow(saved);
  expect(textsOf(after.text, "div", 'role="status"')).toEqual(["Changes saved"]);
  expect((await ada.get("/api/user")).json<User>()).toMatchObject({ name: "Ada Ås", employeeNumber: null });
  await ada.submit(after, "/account/details", { name: " " });
  expect((await ada.get("/api/user")).json<User>()).toMatchObject({ name: null, employeeNumber: null });
});

test("a rejected form keeps the typed values and shows the error", async () => {
  const ada = await app.register({ name: "Ada", employeeNumber: "NDT-1" });
  const refused = await ada.post("/account/details", { name: "K", employeeNumber: "x".repeat(201) });
  expect([refused.status, messageOf(refused.text, "name"), messageOf(refused.text, "employeeNumber")]).toEqual([
    400,
    "Name must be at least 2 characters",
    "Employee number must be at most 200 characters",
  ]);
  expect(formIn(refused.text, "/account/details").fields.get("name")).toBe("K");
  expect((await ada.get("/api/user")).json()).toEqual(ada.user);
});

test("an open verification request shows the technician's current name", async () => {
  const ada = await app.register({ name: "Ada" });
  const token = await ada.requestVerification((await ada.addEntry()).id);
  await patch(ada, { name: "Ada Byron", employeeNumber: null });
  expect((await app.get(`/api/verify/${token}`)).json()).toMatchObject({
    user: { name: "Ada Byron", employeeNumber: null },
  });
});

const DIALOG = (id: number) => `/profile?request=${id}`;

test("a technician without a name must enter one before the first request, and goes on to that request with it", async () => {
  const kari = await app.register({ name: null, employeeNumber: "NDT-7" });
  const { id } = await kari.addEntry();
  for (const path of [DIALOG(id), `/rope-hours?request=${(await kari.addRopeHours()).id}`, "/requests/new?all=1"]) {
    expect((await kari.get(path)).location).toBe(namePath(path));
  }
  const asked = await kari.follow(await kari.get(DIALOG(id)));
  expect(textsOf(asked.text, "h1")).toEqual(["Your name"]);
  const action = namePath(DIALOG(id));
  const blank = await kari.submit(asked, action, { name: " " }, "Save and go on");
  expect([blank.status, messageOf(blank.text, "name")]).toEqual([400, "Name must be at least 2 characters"]);
  const saved = await kari.submit(blank, action, { name: "Kari Ås" }, "Save and go on");
  expect([saved.status, saved.location]).toEqual([303, DIALOG(id)]);
  expect((await kari.get("/api/user")).json<User>()).toMatchObject({ name: "Kari Ås", employeeNumber: "NDT-7" });
  expect(textsOf((await kari.follow(saved)).text, "dialog")).toHaveLength(1);
});

test("Skip goes on without a name and is remembered, in that browser and for that user", async () => {
  const kari = await app.register({ name: null });
  const { id } = await kari.addEntry();
  const asked = await kari.follow(await kari.get(DIALOG(id)));
  const skipped = await kari.submit(asked, namePath(DIALOG(id)), {}, "Skip");
  expect([skipped.status, skipped.location]).toEqual([303, DIALOG(id)]);
  expect((await kari.get(DIALOG(id))).status).toBe(200);
  expect((await kari.get("/requests/new")).status).toBe(200);
  expect((await kari.get("/api/user")).json<User>().name).toBeNull();
  const ola = await app.register({ name: null });
  for (const [cookie, value] of kari.cookies) if (!ola.cookies.has(cookie)) ola.cookies.set(cookie, value);
  expect((await ola.get(DIALOG((await ola.addEntry()).id))).status).toBe(303);
});

test("a technician without a name must enter one before the first export, as a form or as CSV", async () => {
  const kari = await app.register({ name: null });
  await kari.addVerifiedEntry();
  const log = await kari.get("/profile");
  const asked = await kari.submit(log, "/account/name", {}, "Export Verified Hours as PDF");
  expect(textsOf(asked.text, "h1")).toEqual(["Your name"]);
  const hrefs = async () =>
    [...(await kari.get("/account")).text.matchAll(/href="([^"]*)">(?:OJT|Rope) hours \(CSV\)/g)].map(
      ([, href]) => href,
    );
  expect(await hrefs()).toEqual(["/account/name?next=/account", "/account/name?next=/account"]);
  const skipped = await kari.submit(asked, namePath("/profile"), {}, "Skip");
  expect(skipped.location).toBe("/profile");
  expect(formIn((await kari.get("/profile")).text, "/profile/exports").buttons).toHaveLength(1);
  expect(await hrefs()).toEqual(["/api/export.csv?kind=entries", "/api/export.csv?kind=rope_hours"]);
});
