import { beforeAll, expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
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

// Catches a list that does not read whether a record was requested: it said Pending, and the technician's Requested.
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
  expect(textsOf((await admin.follow(sent)).text, "div", 'role="status"')).toEqual([
    "Rope hours deleted You can undo this for 24 hours: below the list is what was deleted. Undo",
  ]);
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

// Seen: the row of a verified record was gone, and its hours were lost for good.
test("an admin undoes a deletion within 24 hours: a verified record is verified as before, and its owner saw it no longer", async () => {
  const owner = await app.register();
  const { entry } = await owner.addVerifiedEntry({ location: "Back again" });
  const stored = () => rows(app.db, "SELECT * FROM records WHERE id = ?", entry.id);
  const before = await stored();
  const deleted = await admin.post(`/admin?tab=entries&delete=${entry.id}`, {});
  const toast = textsOf((await admin.follow(deleted)).text, "div", 'role="status"');
  expect(toast).toEqual(["Entry deleted You can undo this for 24 hours: below the list is what was deleted. Undo"]);
  expect((await owner.get("/api/entries")).json()).toEqual([]);
  expect((await owner.get("/api/entries?status=deleted")).json()).toEqual([]);
  // Only an admin brings it back.
  expect((await owner.json("POST", `/api/entries/${entry.id}/restore`)).status).toBe(404);
  const list = await admin.get("/admin?tab=entries&status=deleted");
  expect([list.trips, textsOf(list.text, "tr").filter((row) => row.includes("Back again"))]).toEqual([
    1,
    [expect.stringMatching(/Undo$/)],
  ]);
  const undone = await admin.post(`/admin/entry/${entry.id}/restore`, {});
  expect([undone.location, undone.trips]).toEqual(["/admin?tab=entries", 2]);
  expect(textsOf((await admin.follow(undone)).text, "div", 'role="status"')).toEqual(["Entry restored"]);
  expect(await stored()).toEqual(before);
  expect((await owner.get("/api/entries")).json()).toMatchObject([entry]);
  expect((await admin.json("POST", `/api/admin/entries/${entry.id}/restore`)).json()).toEqual({
    message: "Entry restored",
  });
});

test("a deletion by an admin ends the requests with an event that names an admin, and after 24 hours the row is removed", async () => {
  const owner = await app.register();
  const { id } = await owner.addEntry();
  const token = await owner.requestVerification(id);
  expect((await admin.json("DELETE", `/api/admin/entries/${id}`)).status).toBe(200);
  const log = await rows(app.db, "SELECT event, cause FROM verification_log WHERE record_id = ? ORDER BY number", id);
  expect(log.at(-1)).toEqual({ event: "withdrawn", cause: "deleted_by_admin" });
  expect((await app.get(`/verify/${token}`)).text).toContain("An admin has deleted this record.");
  await admin.json("POST", `/api/admin/entries/${id}/restore`);
  expect((await owner.get("/api/entries")).json()).toMatchObject([{ id, status: "pending" }]);
  await admin.json("DELETE", `/api/admin/entries/${id}`);
  await app.tick(new Date(Date.now() + 25 * 60 * 60 * 1000));
  expect(await count(app.db, "records", "id = ?", id)).toBe(0);
  expect((await admin.json("POST", `/api/admin/entries/${id}/restore`)).json()).toMatchObject({
    message: "There is nothing to restore: a deletion can be undone for 24 hours.",
  });
});

test("an admin restores what a technician has deleted", async () => {
  const owner = await app.register();
  const { id } = await owner.addRopeHours({ location: "Own deletion" });
  await owner.json("DELETE", `/api/rope-hours/${id}`);
  expect((await admin.json("POST", `/api/admin/rope-hours/${id}/restore`)).status).toBe(200);
  expect((await owner.get("/api/rope-hours")).json()).toMatchObject([{ id }]);
});
