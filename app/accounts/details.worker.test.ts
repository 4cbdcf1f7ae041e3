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

// Catches `.partial()` over fields that have a default: what was left out would be emptied.
test("PATCH /api/user changes what it names and leaves the rest", async () => {
  const ada = await app.register({ name: "Ada", employeeNumber: "NDT-1" });
  const named = await patch(ada, { name: "  Ada Ås " });
  expect([named.status, named.json()]).toEqual([200, { ...ada.user, name: "Ada Ås" }]);
  const numbered = await patch(ada, { employeeNumber: "NDT-2" });
  expect(numbered.json()).toEqual({ ...ada.user, name: "Ada Ås", employeeNumber: "NDT-2" });
  expect((await patch(ada, {})).json()).toEqual(numbered.json());
  expect((await ada.get("/api/user")).json()).toEqual(numbered.json());
});

test("null and blank empty a field", async () => {
  const ada = await app.register({ name: "Ada", employeeNumber: "NDT-1" });
  expect((await patch(ada, { name: null })).json<User>()).toMatchObject({ name: null, employeeNumber: "NDT-1" });
  expect((await patch(ada, { employeeNumber: " \u200b " })).json<User>()).toMatchObject({ employeeNumber: null });
  expect(textOf((await ada.get("/profile")).text)).toContain("New User");
});

test("what is not one's own to change stays, whatever the body says", async () => {
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

test("an admin's search finds somebody by what they are called now, and not by what they were", async () => {
  const [admin, ada] = [
    await app.register({ isAdmin: true }),
    await app.register({ name: "Ada", employeeNumber: "Q7" }),
  ];
  const found = async (words: string) =>
    (await admin.get(`/admin?search=${encodeURIComponent(words)}`)).text.includes(`>${ada.user.email}<`);
  await patch(ada, { name: "Łucja ÅS" });
  expect(await searchOf(ada)).toBe(`łucja ås\n${ada.user.email}\nq7`);
  expect([await found("łucja ås"), await found("Q7"), await found("Ada")]).toEqual([true, true, false]);
  await patch(ada, { employeeNumber: null });
  expect(await searchOf(ada)).toBe(`łucja ås\n${ada.user.email}`);
});

// Catches a search text made of what was read before, when the other field has been changed meanwhile.
test("of changes to both fields at once none is lost, and the search text has both", async () => {
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

test("the header leads to the account, under a name that says so", async () => {
  const ada = await app.register();
  for (const path of ["/profile", "/rope-hours", "/account"]) {
    expect((await ada.get(path)).text).toContain(`href="/account" aria-label="Account ${ada.user.email}"`);
  }
});

test("the form shows what is there, saves it with a toast, and can empty both", async () => {
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

test("a form that is refused comes back with its message and what was typed", async () => {
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

test("an open link shows a supervisor the name as it is now", async () => {
  const ada = await app.register({ name: "Ada" });
  const token = await ada.requestVerification((await ada.addEntry()).id);
  await patch(ada, { name: "Ada Byron", employeeNumber: null });
  expect((await app.get(`/api/verify/${token}`)).json()).toMatchObject({
    user: { name: "Ada Byron", employeeNumber: null },
  });
});
