import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, messageOf, textOf, textsOf } from "#tests/worker/html.ts";
import type { Technician, User } from "#tests/worker/people.ts";

const app = await startApp({ cheapHashes: true });

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

// Catches a search text built from a stale row when the other field has changed in between.
test("concurrent changes to both fields are both kept, also in the search text", async () => {
  for (let round = 1; round <= 5; round += 1) {
    const ada = await app.register();
    const answers = await Promise.all([
      patch(ada, { name: `Ada ${round}` }),
      patch(ada, { employeeNumber: `NDT-9${round}` }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await ada.get("/api/user")).json<User>()).toMatchObject({
      name: `Ada ${round}`,
      employeeNumber: `NDT-9${round}`,
    });
    expect(await searchOf(ada)).toBe(`ada ${round}\n${ada.user.email}\nndt-9${round}`);
  }
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
