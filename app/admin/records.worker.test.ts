import { beforeAll, expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count } from "#tests/worker/database.ts";
import { tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import type { Entry, RopeHours, Technician } from "#tests/worker/people.ts";

/*
 * The admin's list of rope hours, and one user's records of either kind. Detects a list that shows another user's
 * records, a second page that loses the user, and a deletion that finds a record of another kind.
 */

const app = await startApp();
let admin: Technician;
let ada: Technician;
let bo: Technician;

beforeAll(async () => {
  admin = await app.register({ isAdmin: true, name: "Root" });
  ada = await app.register({ name: "Ada" });
  bo = await app.register({ name: null, email: "bo@example.com" });
});

/** The rows of a page of the admin screen, as text. */
async function shown(address: string): Promise<string[]> {
  const page = await admin.get(address);
  expect([address, page.status, page.trips]).toEqual([address, 200, 1]);
  return textsOf(page.text, "tr").slice(1);
}

const linksIn = (html: string) => tagsOf(html, "a").map(({ href }) => href);

test("all users' rope hours are listed with their owners, and found by location, skills and verifier", async () => {
  await ada.addRopeHours({ location: "Flare boom ÅSGARD", skills: "Rigging, ŁĄCZENIE" });
  await bo.addRopeHours({ location: "Tower 3", skills: "Rescue" });
  const rows = await shown("/admin?tab=rope-hours");
  expect(rows).toEqual([
    "16 Nov 2026 to 20 Nov 2026 bo@example.com Tower 3 Rescue 38.5 Pending Delete",
    "16 Nov 2026 to 20 Nov 2026 Ada Flare boom ÅSGARD Rigging, ŁĄCZENIE 38.5 Pending Delete",
  ]);
  for (const search of ["åsgard", "łączenie"]) {
    const found = await shown(`/admin?${new URLSearchParams({ tab: "rope-hours", search })}`);
    expect([search, found]).toEqual([search, [expect.stringContaining("Ada")]]);
  }
  expect(await shown("/admin?tab=rope-hours&search=bo%40example.com")).toEqual([]);
});

// Catches a list that does not read whether a supervisor was asked: it said Pending, and the technician's Requested.
test("a record is in the same state in the admin's list and in the technician's log", async () => {
  const owner = await app.register();
  await owner.addEntry({ location: "Not asked" });
  await owner.requestVerification((await owner.addEntry({ location: "Asked" })).id);
  await owner.addVerifiedEntry({ location: "Verified" });
  const statesIn = (html: string) => {
    const rows = tagsOf(html, "tr").map((tag) => tag.class);
    return rows.filter((state) => /pending|requested|verified/.test(state ?? "")).sort();
  };
  const list = await admin.get(`/admin?tab=entries&user=${owner.user.id}`);
  const log = await owner.get("/profile");
  expect(statesIn(list.text)).toEqual(["pending", "requested", "verified"]);
  expect(statesIn(list.text)).toEqual(statesIn(log.text));
  expect(textsOf(list.text, "tr").find((row) => row.includes(" Asked "))).toContain("Requested");
});

test("rope hours are deleted from their dialog, which describes them; entries stay", async () => {
  const { id } = await bo.addRopeHours({ location: "Pier 9" });
  const [entries] = [await count(app.db, "entries", "1")];
  const dialog = await admin.get(`/admin?tab=rope-hours&delete=${id}`);
  expect(textsOf(dialog.text, "dialog")[0]).toContain(
    "16 Nov 2026 to 20 Nov 2026, Pier 9: 38.5 hours on the rope, of bo@example.com",
  );
  const sent = await admin.submit(dialog, `/admin?tab=rope-hours&delete=${id}`, {}, "Delete rope hours");
  expect([sent.location, sent.trips]).toEqual(["/admin?tab=rope-hours", 2]);
  expect(textsOf((await admin.follow(sent)).text, "div", 'role="status"')).toEqual(["Rope hours deleted"]);
  expect(await count(app.db, "rope_hours", "id = ?", id)).toBe(0);
  expect(await count(app.db, "entries", "1")).toBe(entries);
  const again = await admin.follow(await admin.post(`/admin?tab=rope-hours&delete=${id}`, {}));
  expect(textsOf(again.text, "div", 'role="alert"')).toEqual([
    "Failed to delete rope hours There are no such rope hours.",
  ]);
});

test("a user's row links to their records, and those link back to all users' records", async () => {
  await ada.addEntries([
    { location: "Late", date: "2026-11-20" },
    { location: "Early", date: "2026-11-01" },
  ]);
  await bo.addEntry({ location: "Not Ada's" });
  const users = await admin.get("/admin");
  expect(linksIn(users.text)).toContain(`/admin?tab=entries&user=${ada.user.id}`);
  expect(linksIn(users.text)).toContain(`/admin?tab=rope-hours&user=${ada.user.id}`);
  const page = await admin.get(`/admin?tab=entries&user=${ada.user.id}`);
  const rows = textsOf(page.text, "tr").slice(1);
  expect(rows.map((row) => row.match(/Late|Early|Not Ada's/)?.[0])).toEqual(["Late", "Early"]);
  expect(textOf(page.text)).toContain("Only of Ada (");
  expect(linksIn(page.text)).toContain("/admin?tab=entries");
  expect(linksIn(page.text)).toContain(`/admin?tab=rope-hours&user=${ada.user.id}`);
  // An entry links to its owner's records.
  expect(linksIn((await admin.get("/admin?tab=entries")).text)).toContain(`/admin?tab=entries&user=${bo.user.id}`);
  // A search stays with the user, and so does the page after a deletion.
  const found = await admin.submit(page, "/admin", { search: "late" }, "Search");
  expect(textsOf(found.text, "tr").slice(1)).toEqual([expect.stringContaining("Late")]);
  expect(await shown("/admin?tab=entries&user=999999")).toEqual([]);
});

test("a user's records are paged, each of them once", async () => {
  const owner = await app.register();
  await owner.addEntries(
    Array.from({ length: 120 }, (_, index) => ({ location: `Paged ${index}`, date: `2026-10-${10 + (index % 3)}` })),
  );
  const places: string[] = [];
  let next: string | undefined = `/admin?tab=entries&user=${owner.user.id}`;
  while (next) {
    const page: Awaited<ReturnType<typeof admin.get>> = await admin.get(next);
    places.push(
      ...textsOf(page.text, "tr")
        .slice(1)
        .map((row) => row.match(/Paged \d+/)?.[0] ?? row),
    );
    next = page.text.match(/href="([^"]+)">Older entries/)?.[1]?.replaceAll("&amp;", "&");
  }
  expect(places).toHaveLength(120);
  expect(new Set(places).size).toBe(120);
});

test("the API lists one user's records by ?user=, and the URL of the next page keeps the user", async () => {
  const owner = await app.register();
  await owner.addEntries(3);
  await owner.addRopeHours();
  await bo.addEntry();
  const seen: Entry[] = [];
  let next: string | undefined = `/api/admin/entries?limit=2&user=${owner.user.id}`;
  while (next) {
    const answer: Awaited<ReturnType<typeof admin.get>> = await admin.get(next);
    seen.push(...answer.json<Entry[]>());
    next = answer.headers.get("Link")?.match(/<([^>]+)>; rel="next"/)?.[1];
  }
  expect(seen).toHaveLength(3);
  expect(seen.every(({ userId }) => userId === owner.user.id)).toBe(true);
  const rope = (await admin.get(`/api/admin/rope-hours?user=${owner.user.id}`)).json<RopeHours[]>();
  expect(rope.map(({ userId }) => userId)).toEqual([owner.user.id]);
  const wrong = await admin.get("/api/admin/rope-hours?user=0");
  expect([wrong.status, wrong.json()]).toMatchObject([400, { message: "user must be a whole number from 1" }]);
});

test("every record in a list links to its page, which shows its audit log", async () => {
  const { entry } = await ada.addVerifiedEntry({ location: "Hangar 4" });
  const rope = await ada.addRopeHours();
  for (const [list, href] of [
    [`/admin?tab=entries&user=${ada.user.id}`, `/admin/entry/${entry.id}`],
    [`/admin?tab=rope-hours&user=${ada.user.id}`, `/admin/rope-hours/${rope.id}`],
  ] as const) {
    expect(linksIn((await admin.get(list)).text)).toContain(href);
    expect((await admin.get(href)).status).toBe(200);
  }
  expect(textOf((await admin.get(`/admin/entry/${entry.id}`)).text)).toContain("Ola Hansen");
});

test("rope hours, also verified ones, are deleted through the API", async () => {
  const { id } = await bo.addRopeHours();
  await app.db
    .prepare(
      "UPDATE records SET verified = 1, verified_by = 'Ola', verified_at = 1, verified_via = 'link' WHERE id = ?",
    )
    .bind(id)
    .run();
  const answer = await admin.json("DELETE", `/api/admin/rope-hours/${id}`);
  expect([answer.status, answer.json(), answer.trips]).toEqual([200, { message: "Rope hours deleted" }, 2]);
  expect((await admin.json("DELETE", `/api/admin/rope-hours/${id}`)).status).toBe(404);
});
