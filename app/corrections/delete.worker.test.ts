import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
import { tagsOf } from "#tests/worker/html.ts";
import { anEntry, aRopeHours, type Entry, type RopeHours, type Technician } from "#tests/worker/people.ts";

const app = await startApp();
const HOUR = 60 * 60 * 1000;

async function entriesOf(who: Technician): Promise<Entry[]> {
  return (await who.get("/api/entries")).json<Entry[]>();
}

/** The ids of the records that a user has deleted and could restore. */
async function deletedOf({ user }: Technician): Promise<number[]> {
  const sql = "SELECT id FROM records WHERE user_id = ? AND deleted_at IS NOT NULL";
  return (await rows<{ id: number }>(app.db, sql, user.id)).map(({ id }) => id);
}

test("a deleted record is in neither the log nor its totals, and its link has ended", async () => {
  const ada = await app.register();
  const [kept, entry] = [await ada.addEntry({ hours: 2 }), await ada.addEntry({ hours: 41.5 })];
  const token = await ada.requestVerification(entry.id);
  const answer = await ada.json("DELETE", `/api/entries/${entry.id}`);
  expect([answer.status, answer.json()]).toEqual([200, { message: "Entry deleted" }]);
  expect(await entriesOf(ada)).toEqual([kept]);
  expect((await ada.get("/profile")).text).not.toContain("41.5");
  expect((await app.get(`/api/verify/${token}`)).status).toBe(404);
  const ofToken = "request_id = (SELECT id FROM verification_requests WHERE token = ?)";
  expect(await rows(app.db, `SELECT state, cause FROM verification_items WHERE ${ofToken}`, token)).toEqual([
    { state: "ended", cause: "deleted" },
  ]);
  const log = await rows(
    app.db,
    "SELECT event, cause FROM verification_log WHERE record_id = ? ORDER BY number",
    entry.id,
  );
  expect(log.at(-1)).toEqual({ event: "withdrawn", cause: "deleted" });

  const rope = await ada.addRopeHours();
  const gone = await ada.json("DELETE", `/api/rope-hours/${rope.id}`);
  expect([gone.status, gone.json()]).toEqual([200, { message: "Rope hours deleted" }]);
  expect((await ada.get("/api/rope-hours")).json()).toEqual([]);
});

test("deleting a record without a link adds no event", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  await ada.json("DELETE", `/api/entries/${id}`);
  expect(await count(app.db, "verification_log", "record_id = ?", id)).toBe(0);
  expect(await count(app.db, "verification_items", "record_id = ?", id)).toBe(0);
});

test("deleting twice is 404 the second time", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const answers = await Promise.all(Array.from({ length: 10 }, () => ada.json("DELETE", `/api/entries/${id}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  expect((await ada.json("DELETE", `/api/entries/${id}`)).status).toBe(404);
});

test("a verified record is not deleted by its owner", async () => {
  const ada = await app.register();
  const { entry } = await ada.addVerifiedEntry();
  const answer = await ada.json("DELETE", `/api/entries/${entry.id}`);
  expect([answer.status, answer.json()]).toEqual([
    409,
    { code: "already_verified", message: "This entry is already verified." },
  ]);
  expect(await entriesOf(ada)).toMatchObject([entry]);
  expect(await deletedOf(ada)).toEqual([]);
});

test("a restored record has its id and values, unverified and without a link", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry({ location: 'Kårstø "B" \\ 🏗', hours: 0.1, method: "UT_THK" });
  const token = await ada.requestVerification(entry.id);
  const [before] = await rows(app.db, "SELECT * FROM records WHERE id = ?", entry.id);
  await ada.json("DELETE", `/api/entries/${entry.id}`);
  const answer = await ada.json("POST", `/api/entries/${entry.id}/restore`);
  expect([answer.status, answer.json()]).toEqual([200, entry]);
  const [after] = await rows(app.db, "SELECT * FROM records WHERE id = ?", entry.id);
  expect(after).toEqual({ ...before, requested_at: null });
  expect((await app.get(`/api/verify/${token}`)).status).toBe(404);

  const rope = await ada.addRopeHours({ skills: "One\nTwo", hours: 99_999.99 });
  await ada.json("DELETE", `/api/rope-hours/${rope.id}`);
  const back = await ada.json("POST", `/api/rope-hours/${rope.id}/restore`);
  expect([back.status, back.json()]).toEqual([200, rope]);
  // And the same again.
  await ada.json("DELETE", `/api/rope-hours/${rope.id}`);
  expect((await ada.json("POST", `/api/rope-hours/${rope.id}/restore`)).json<RopeHours>()).toEqual(rope);
});

test("restoring twice, also concurrently, restores the record once and returns it each time", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  await ada.json("DELETE", `/api/entries/${entry.id}`);
  const restore = () => ada.json("POST", `/api/entries/${entry.id}/restore`);
  const answers = await Promise.all(Array.from({ length: 10 }, restore));
  expect(answers.map(({ status, text }) => [status, JSON.parse(text)])).toEqual(Array(10).fill([200, entry]));
  expect(await ada.storedEntries()).toBe(1);
});

test("a deletion can be undone for exactly 24 hours; then its row is removed", async () => {
  const ada = await app.register();
  const [early, late] = [await ada.addEntry(), await ada.addEntry()];
  for (const { id } of [early, late]) await ada.json("DELETE", `/api/entries/${id}`);
  const age = "UPDATE records SET deleted_at = ? WHERE id = ?";
  const noon = Date.now();
  await app.db
    .prepare(age)
    .bind(noon - 24 * HOUR + 60_000, early.id)
    .run();
  await app.db
    .prepare(age)
    .bind(noon - 24 * HOUR, late.id)
    .run();
  const answer = await ada.json("POST", `/api/entries/${late.id}/restore`);
  expect([answer.status, answer.json<{ message: string }>().message]).toEqual([
    404,
    "There is nothing to restore: a deletion can be undone for 24 hours.",
  ]);
  await app.tick(new Date(noon));
  expect(await deletedOf(ada)).toEqual([early.id]);
  expect((await ada.json("POST", `/api/entries/${early.id}/restore`)).status).toBe(200);
});

test("a request whose records are all gone says that they were deleted, on its link and in the list", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const token = await ada.requestVerification(id);
  await ada.json("DELETE", `/api/entries/${id}`);
  const [kept] = (await ada.get("/api/verification-requests")).json<{ id: number; items: object[] }[]>();
  expect(kept?.items).toEqual([{ type: "entry", id, state: "ended", reason: null }]);
  const text = "The technician has deleted this record. There is nothing for you to do.";
  expect((await app.get(`/verify/${token}`)).text).toContain(text);
  await app.tick(new Date(Date.now() + 25 * HOUR));
  expect(await count(app.db, "records", "id = ?", id)).toBe(0);
  const [request] = (await ada.get("/api/verification-requests")).json<{ items: object[]; endedAt: string | null }[]>();
  expect([request?.items, request?.endedAt]).toEqual([[], expect.any(String)]);
  const page = await app.get(`/verify/${token}`);
  expect([page.status, page.text]).toEqual([404, expect.stringContaining(text)]);
  expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" })).status).toBe(404);
  for (const path of ["/requests", `/requests/${kept?.id}`]) expect((await ada.get(path)).status).toBe(200);
});

test("a declined record that is deleted and restored is pending", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const token = await ada.requestVerification(id);
  await app.json("POST", `/api/verify/${token}/decline`, { supervisorName: "Ola", reason: "No" });
  expect(await entriesOf(ada)).toMatchObject([{ id, status: "declined" }]);
  await ada.json("DELETE", `/api/entries/${id}`);
  expect((await ada.json("POST", `/api/entries/${id}/restore`)).json()).toMatchObject({ id, status: "pending" });
});

test("a user cannot restore another user's record", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const { id } = await ada.addEntry();
  await ada.json("DELETE", `/api/entries/${id}`);
  expect((await bob.json("POST", `/api/entries/${id}/restore`)).status).toBe(404);
  expect((await ada.json("POST", `/api/rope-hours/${id}/restore`)).status).toBe(404);
  expect((await ada.json("POST", `/api/entries/${id}/restore`)).status).toBe(200);
});

// A form can be sent again after its hours were deleted: after a lost response, or by Back and Save. Catches a deletion
// that also deletes the submission's key, so that the repeated form logs the hours again.
test("a repeated submission after a deletion is refused; after an undo it returns the saved record", async () => {
  const ada = await app.register();
  const key = { "Idempotency-Key": "k1" };
  const send = () => ada.json("POST", "/api/entries", anEntry(), key);
  const [entry] = (await send()).json<Entry[]>();
  await ada.json("DELETE", `/api/entries/${entry?.id}`);
  const late = await send();
  expect([late.status, late.json()]).toEqual([
    409,
    {
      code: "already_deleted",
      message: "These hours were saved before and deleted since, so they were not saved again.",
    },
  ]);
  expect(await ada.storedEntries()).toBe(0);
  await ada.json("POST", `/api/entries/${entry?.id}/restore`);
  expect((await send()).json()).toEqual([entry]);
  expect(await ada.storedEntries()).toBe(1);
  // Another key is a new submission.
  await ada.json("DELETE", `/api/entries/${entry?.id}`);
  expect((await ada.json("POST", "/api/entries", anEntry(), { "Idempotency-Key": "k2" })).status).toBe(201);

  const sendRope = () => ada.json("POST", "/api/rope-hours", aRopeHours(), key);
  const rope = (await sendRope()).json<RopeHours>();
  await ada.json("DELETE", `/api/rope-hours/${rope.id}`);
  expect((await sendRope()).status).toBe(409);
});

test("a repeated submission returns those of its entries that were not deleted", async () => {
  const ada = await app.register();
  const send = () => ada.json("POST", "/api/entries", [anEntry(), anEntry()], { "Idempotency-Key": "k1" });
  const [first, second] = (await send()).json<Entry[]>();
  await ada.json("DELETE", `/api/entries/${first?.id}`);
  expect((await send()).json()).toEqual([second]);
});

test("a form whose hours were deleted is shown again with its values, and can then save them", async () => {
  const ada = await app.register();
  const page = await ada.get("/profile");
  const row = { "entries[0].location": "Rig 5", "entries[0].method": "MT", "entries[0].hours": "8" };
  await ada.submit(page, "/profile/entries", row);
  const [entry] = await entriesOf(ada);
  await ada.json("DELETE", `/api/entries/${entry?.id}`);
  const refused = await ada.submit(page, "/profile/entries", row);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("Save once more to log them again.")]);
  expect((await ada.submit(refused, "/profile/entries", {})).status).toBe(303);
  expect((await entriesOf(ada)).map(({ location, hours }) => [location, hours])).toEqual([["Rig 5", 8]]);
});

test("deleting an account removes its deleted records", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  await ada.json("DELETE", `/api/entries/${id}`);
  await app.db.prepare("DELETE FROM users WHERE id = ?").bind(ada.user.id).run();
  expect(await count(app.db, "records", "id = ?", id)).toBe(0);
});

test("a deletion or restoration that the database did not store can be sent again", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  for (const trip of ["1", "2"]) {
    const headers = { "x-fail-d1-round-trip": trip };
    expect((await ada.json("DELETE", `/api/entries/${entry.id}`, undefined, headers)).status).toBe(500);
    expect(await entriesOf(ada)).toEqual([entry]);
  }
  expect((await ada.json("DELETE", `/api/entries/${entry.id}`)).status).toBe(200);
  for (const trip of ["1", "2"]) {
    const headers = { "x-fail-d1-round-trip": trip };
    expect((await ada.json("POST", `/api/entries/${entry.id}/restore`, undefined, headers)).status).toBe(500);
  }
  expect((await ada.json("POST", `/api/entries/${entry.id}/restore`)).json()).toEqual(entry);
});

test("the pages of a record that was deleted say so and where it is, to its owner and for as long as it can be restored", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const { id } = await ada.addEntry();
  await ada.json("DELETE", `/api/entries/${id}`);
  const paths = [`/profile/record/${id}`, `/profile/record/${id}/edit`];
  const said = async (who: Technician) =>
    Promise.all(paths.map(async (path) => (await who.get(path)).text.includes("choose Deleted in its filter")));
  const links = await Promise.all(
    paths.map(async (path) => tagsOf((await ada.get(path)).text, "a").map(({ href }) => href)),
  );
  for (const hrefs of links) expect(hrefs).toContain("/profile?status=deleted#log");
  expect([await said(ada), await said(bob)]).toEqual([
    [true, true],
    [false, false],
  ]);
  await app.db
    .prepare("UPDATE records SET deleted_at = deleted_at - ? WHERE id = ?")
    .bind(25 * HOUR, id)
    .run();
  expect(await said(ada)).toEqual([false, false]);
});
