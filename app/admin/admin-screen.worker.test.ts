import { beforeAll, expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count } from "#tests/worker/database.ts";
import { tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import type { Technician } from "#tests/worker/people.ts";

/*
 * The admin screen in a browser without JavaScript. Detects a search by LIKE (`%` finds all) or by SQLite's lower()
 * (`ŁÓDŹ` finds nothing), a page that skips a row, and a list read for a user who is not an admin.
 */

const app = await startApp();
let admin: Technician;
let ada: Technician;

beforeAll(async () => {
  admin = await app.register({ isAdmin: true, name: "Root" });
  ada = await app.register();
});

/** Registers through the API, which also stores the search text. */
async function signUp(person: Record<string, string>): Promise<number> {
  const email = `p${crypto.randomUUID()}@example.com`;
  const answer = await app.json("POST", "/api/auth/register", { email, password: "correct horse", ...person });
  return answer.json<{ id: number }>().id;
}

/** The first cells of the rows that a search finds. */
async function found(tab: string, search: string): Promise<string[]> {
  const page = await admin.get(`/admin?${new URLSearchParams({ tab, search })}`);
  expect([search, page.status, page.trips]).toEqual([search, 200, 1]);
  return textsOf(page.text, "tr").slice(1);
}

test("/admin is for admins: a visitor is redirected to the login, a technician to /profile with a message", async () => {
  expect((await app.get("/admin")).location).toBe("/auth?next=/admin");
  const sent = await ada.get("/admin?tab=entries&search=x");
  expect([sent.status, sent.location]).toEqual([303, "/profile"]);
  const page = await ada.follow(sent);
  expect(textsOf(page.text, "div", 'role="alert"')).toEqual([
    "Access Denied You don't have permission to access the admin page.",
  ]);
  expect((await ada.post(`/admin?delete=${admin.user.id}`, {})).location).toBe("/profile");
  expect(await count(app.db, "users", "id = ?", admin.user.id)).toBe(1);
});

test("an admin is redirected to /admin after login, and only admins have the tab", async () => {
  expect((await admin.get("/auth")).location).toBe("/admin");
  expect((await ada.get("/auth")).location).toBe("/profile");
  for (const [who, tabs] of [
    [admin, ["OJT Hours", "Rope Hours", "Requests", "Progress", "Admin"]],
    [ada, ["OJT Hours", "Rope Hours", "Requests", "Progress"]],
  ] as const) {
    const page = await who.get("/profile");
    expect(textsOf(page.text, "nav")[0]).toBe(tabs.join(" "));
    // The order of the keyboard: on a phone the menu is above the tabs, on a wide screen the account is behind them.
    const [header = ""] = page.text.match(/<header[\s\S]*?<\/header>/) ?? [];
    expect(header.match(/<nav|class="(who|menu)"/g)).toEqual(['class="menu"', "<nav", 'class="who"']);
  }
});

test("users are found by name, e-mail and employee number, ignoring case, in any alphabet", async () => {
  const id = await signUp({ name: 'Żaneta z Łódź 100%_"o\'clock"', employeeNumber: "ＮＤＴ-99" });
  expect(id).toBeGreaterThan(0);
  for (const search of [
    "łódź",
    "ŁÓDŹ",
    "żaneta",
    "100%_",
    "%_\"o'",
    '"O\'CLOCK"',
    "ndt-99",
    "NDT-99",
    "  łódź ",
    "lodz",
    "zaneta",
  ]) {
    expect([search, await found("users", search)]).toEqual([search, [expect.stringContaining("Żaneta")]]);
  }
  await signUp({ email: "someone.special@example.org" });
  expect(await found("users", "SPECIAL@example")).toHaveLength(1);
  for (const search of ["%%", "__", "100_", "' OR 1=1 --", "\\", "x".repeat(1_000), "Ł".repeat(1_000)]) {
    expect([search, await found("users", search)]).toEqual([search, []]);
  }
});

test("entries are found by location, method, verifier and technician, with or without accents", async () => {
  const dawid = await app.register({ name: "Dawid" });
  await dawid.json("PATCH", "/api/user", { name: "Dawid Szczęsny" }); // which stores the search text
  await dawid.addEntry({ location: "Gdańsk" });
  for (const search of ["szczesny", "Szczęsny", dawid.user.email, "gdansk"]) {
    expect([search, await found("entries", search)]).toEqual([search, [expect.stringContaining("Gdańsk")]]);
  }

  await ada.addEntry({ location: "Rafineria ŁÓDŹ 50%", method: "UT_THK" });
  await ada.addVerifiedEntry({ location: "Kårstø", method: "PMI" });
  for (const [search, place] of [
    ["łódź", "ŁÓDŹ"],
    ["50%", "ŁÓDŹ"],
    ["ut thk.", "ŁÓDŹ"],
    ["UT_THK", "ŁÓDŹ"],
    ["pmi", "Kårstø"],
    ["OLA HANSEN", "Kårstø"],
    ["KÅRSTØ", "Kårstø"],
  ] as const) {
    expect([search, await found("entries", search)]).toEqual([search, [expect.stringContaining(place)]]);
  }
});

test("a search is kept in the field and from tab to tab, and a message says if nothing was found", async () => {
  const search = `"none" & <b>%`;
  const page = await admin.get(`/admin?${new URLSearchParams({ tab: "entries", search })}`);
  expect(tagsOf(page.text, "input").find(({ name }) => name === "search")?.value).toBe(search);
  expect(textOf(page.text)).toContain(`No entries match “${search}”.`);
  expect(tagsOf(page.text, "a").map(({ href }) => href)).toContain(`/admin?${new URLSearchParams({ search })}`);
});

test("a page has 50 rows, and the links lead through every row once and keep the search", async () => {
  const owner = await app.register();
  await owner.addEntries(Array.from({ length: 120 }, (_, index) => ({ location: `Paged ${index}` })));
  const places: string[] = [];
  let next: string | undefined = "/admin?tab=entries&search=paged";
  while (next) {
    const page: Awaited<ReturnType<typeof admin.get>> = await admin.get(next);
    const rows = textsOf(page.text, "tr").slice(1);
    expect(rows.length).toBeLessThanOrEqual(50);
    places.push(...rows.map((row) => row.match(/Paged \d+/)?.[0] ?? ""));
    next = page.text.match(/href="([^"]+)">Older entries/)?.[1]?.replaceAll("&amp;", "&");
  }
  expect(places).toEqual(Array.from({ length: 120 }, (_, index) => `Paged ${119 - index}`));
});

test("Delete asks for confirmation, and lists what is deleted with a user", async () => {
  const who = await app.register({ name: "Going Away" });
  await who.addEntries(2);
  await who.addRopeHours();
  await app.db.prepare("UPDATE users SET search = 'going away' WHERE id = ?").bind(who.user.id).run();
  const list = await admin.get("/admin?search=going");
  const open = await admin.submit(list, "/admin", {}, "Search");
  expect(open.status).toBe(200);
  const dialog = await admin.get(`/admin?search=going&delete=${who.user.id}`);
  const [text] = textsOf(dialog.text, "dialog");
  expect(text).toContain("Deleting a user also deletes that user's entries.");
  expect(text).toContain(
    "2 entries, 1 rope hours record, 0 training records, 0 certificates and tests and 0 supervisors",
  );
  expect(tagsOf(dialog.text, "a").filter(({ href }) => href === "/admin?search=going").length).toBeGreaterThan(1);
  const action = `/admin?search=going&delete=${who.user.id}`;
  const sent = await admin.submit(dialog, action, {}, "Delete user");
  expect([sent.status, sent.location, sent.trips]).toEqual([303, "/admin?search=going", 2]);
  const after = await admin.follow(sent);
  expect(textsOf(after.text, "div", 'role="status"')).toEqual(["User deleted"]);
  expect(textOf(after.text)).toContain("No users match “going”.");
  // The same form again, after Back.
  const again = await admin.follow(await admin.post(action, {}));
  expect(textsOf(again.text, "div", 'role="alert"')).toEqual(["Failed to delete user There is no such user."]);
});

test("an entry is deleted from its dialog", async () => {
  const { entry } = await ada.addVerifiedEntry({ location: "Pier 9" });
  const dialog = await admin.get(`/admin?tab=entries&delete=${entry.id}`);
  expect(textsOf(dialog.text, "dialog")[0]).toContain("20 Nov 2026, Pier 9: 7.5 hours MT");
  const sent = await admin.submit(dialog, `/admin?tab=entries&delete=${entry.id}`, {}, "Delete entry");
  expect(sent.location).toBe("/admin?tab=entries");
  expect(textsOf((await admin.follow(sent)).text, "div", 'role="status"')).toEqual([
    "Entry deleted You can undo this for 24 hours: below the list is what was deleted. Undo",
  ]);
  expect(await count(app.db, "entries", "id = ?", entry.id)).toBe(0);
});

test("a refused deletion shows the server's message, an unexpected error the spec's", async () => {
  for (const [path, headers, words] of [
    [
      `/admin?delete=${admin.user.id}`,
      {},
      "Failed to delete user You can't delete your own account. Another admin can.",
    ],
    ["/admin?tab=entries&delete=999999", {}, "Failed to delete entry There is no such entry."],
    ["/admin?delete=abc", {}, "Failed to delete user There is no such user."],
    [
      `/admin?delete=${ada.user.id}`,
      { "x-fail-d1-round-trip": "2" },
      "Failed to delete user If it is still in the list, please try again.",
    ],
  ] as const) {
    const page = await admin.follow(await admin.post(path, {}, headers));
    expect([path, textsOf(page.text, "div", 'role="alert"')]).toEqual([path, [words]]);
  }
  expect(await count(app.db, "users", "id IN (?, ?)", admin.user.id, ada.user.id)).toBe(2);
  const gone = await admin.follow(await admin.get("/admin?delete=999999"));
  expect(textsOf(gone.text, "div", 'role="alert"')).toEqual(["Error There is no such user."]);
});

test("a list that cannot be loaded shows the spec's message and no rows", async () => {
  for (const [path, words] of [
    ["/admin", "Error loading users. Please try again."],
    ["/admin?tab=entries", "Error loading entries. Please try again."],
  ] as const) {
    const page = await admin.get(path, { "x-fail-d1-round-trip": "1" });
    expect([page.status, textsOf(page.text, "p", 'role="alert"')]).toEqual([500, [words]]);
    expect(textsOf(page.text, "tr")).toEqual([]);
    expect(page.text).not.toContain("D1_ERROR");
  }
});

test("an unknown list is never another one: the page says so, and nothing is deleted", async () => {
  const shown = await admin.follow(await admin.get("/admin?tab=rope"));
  expect(textsOf(shown.text, "div", 'role="alert"')).toEqual(["Error There is no such list. These are the users."]);
  // The id of a record must never be taken for that of a user.
  const kari = await app.register();
  const refused = await admin.follow(await admin.post(`/admin?tab=rope&delete=${kari.user.id}`, {}));
  expect(await count(app.db, "users", "id = ?", kari.user.id)).toBe(1);
  expect(textsOf(refused.text, "div", 'role="alert"')).toEqual(["Failed to delete user There is no such list."]);
});
