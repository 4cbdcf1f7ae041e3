import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
import { textOf, textsOf } from "#tests/worker/html.ts";
import { anEntry, aRopeHours, type Entry, type RopeHours, type Technician } from "#tests/worker/people.ts";

const app = await startApp();

/** The ended items of a record, with the tokens of their links, and the last event of its log. */
async function endOf(id: number) {
  const links = await rows(
    app.db,
    `SELECT token, cause FROM verification_items JOIN verification_requests ON id = request_id
      WHERE record_id = ? AND state = 'ended'`,
    id,
  );
  const log = await rows<{ event: string; cause: string | null }>(
    app.db,
    "SELECT event, cause FROM verification_log WHERE record_id = ? ORDER BY number",
    id,
  );
  return { links, last: log.at(-1) };
}

function change(who: Technician, id: number, body: unknown) {
  return who.json("PATCH", `/api/entries/${id}`, body);
}

test("an edit changes the sent fields, leaves the others, and returns the record", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const answer = await change(ada, entry.id, { hours: "8.25", location: " Kårstø " });
  expect([answer.status, answer.json()]).toEqual([200, { ...entry, hours: 8.25, location: "Kårstø" }]);
  expect((await ada.get("/api/entries")).json()).toEqual([answer.json()]);

  const rope = await ada.addRopeHours();
  const ropeAnswer = await ada.json("PATCH", `/api/rope-hours/${rope.id}`, { skills: "Rescue\nRigging", hours: 0 });
  expect([ropeAnswer.status, ropeAnswer.json()]).toEqual([200, { ...rope, skills: "Rescue\nRigging", hours: 0 }]);
});

test("an edit cannot change the owner or the verification", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const entry = await ada.addEntry();
  const body = { hours: 8, verified: true, verifiedBy: "Ada", verifiedAt: 1, userId: bob.user.id, id: 7, createdAt: 0 };
  expect((await change(ada, entry.id, { ...body, search: "x", submission: "x" })).json()).toEqual({
    ...entry,
    hours: 8,
  });
  const stored = await rows(app.db, "SELECT user_id, verified, submission, search FROM records WHERE id = ?", entry.id);
  expect(stored).toEqual([{ user_id: ada.user.id, verified: 0, submission: null, search: "mongstad" }]);
});

test("an admin's search finds the edited values", async () => {
  const [ada, admin] = [await app.register(), await app.register({ isAdmin: true })];
  const { id } = await ada.addEntry({ location: "Before" });
  await change(ada, id, { location: "Quite Elsewhere", method: "UT_THK" });
  for (const [words, found] of [
    ["quite else", true],
    ["ut thk.", true],
    ["before", false],
  ] as const) {
    const page = await admin.get(`/admin?tab=entries&search=${encodeURIComponent(words)}`);
    expect([words, page.text.includes("Quite Elsewhere")]).toEqual([words, found]);
  }
});

// Catches a PATCH that validates the sent fields alone: a new start date must fit the stored end date.
test("the edited record is validated as a whole", async () => {
  const ada = await app.register();
  const rope = await ada.addRopeHours();
  const path = `/api/rope-hours/${rope.id}`;
  const answer = await ada.json("PATCH", path, { startDate: "2026-11-21" });
  const message = "End date must be after start date";
  expect([answer.status, answer.json()]).toEqual([
    400,
    { code: "invalid", message, errors: [{ path: "endDate", message }] },
  ]);
  expect((await ada.json("PATCH", path, { endDate: "2026-11-15" })).status).toBe(400);
  expect((await ada.json("PATCH", path, { startDate: "2026-11-21", endDate: "2026-11-21" })).status).toBe(200);
});

test("an edit ends an open link; the link's page and the record's log say so", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const token = await ada.requestVerification(entry.id);
  expect((await change(ada, entry.id, { hours: 8 })).status).toBe(200);
  expect(await rows(app.db, "SELECT verification_token FROM entries WHERE id = ?", entry.id)).toEqual([
    { verification_token: null },
  ]);
  expect(await endOf(entry.id)).toEqual({
    links: [{ token, cause: "edited" }],
    last: { event: "withdrawn", cause: "edited" },
  });
  const confirmed = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
  expect(confirmed.status).toBe(404);
  const again = await ada.requestVerification(entry.id);
  expect(again).not.toBe(token);
  expect((await app.get(`/api/verify/${again}`)).json<{ entry: Entry }>().entry.hours).toBe(8);
});

test("an edit of rope hours ends their link too", async () => {
  const ada = await app.register();
  const [rope, supervisor] = [await ada.addRopeHours(), await ada.addSupervisor()];
  const asked = await ada.json("POST", `/api/verify-request-rope/${rope.id}`, { supervisorId: supervisor.id });
  const token = asked.json<{ verificationToken: string }>().verificationToken;
  await ada.json("PATCH", `/api/rope-hours/${rope.id}`, { location: "Elsewhere" });
  expect(await endOf(rope.id)).toMatchObject({ links: [{ token, cause: "edited" }] });
});

test("an edit without a change ends no link and writes nothing", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const token = await ada.requestVerification(entry.id);
  const before = await rows(app.db, "SELECT * FROM records WHERE id = ?", entry.id);
  const log = await rows(app.db, "SELECT * FROM verification_log");
  for (const body of [{}, { hours: "7.50" }, { location: " Mongstad " }, anEntry(), { nothing: "of ours" }]) {
    const answer = await change(ada, entry.id, body);
    expect([body, answer.status, answer.json()]).toEqual([body, 200, { ...entry, status: "requested" }]);
  }
  expect(await rows(app.db, "SELECT * FROM records WHERE id = ?", entry.id)).toEqual(before);
  expect(await rows(app.db, "SELECT * FROM verification_log")).toEqual(log);
  expect((await app.get(`/api/verify/${token}`)).status).toBe(200);
});

test("editing a verified record is 409, or 400 if the body is invalid", async () => {
  const ada = await app.register();
  const { entry } = await ada.addVerifiedEntry();
  const answer = await change(ada, entry.id, { hours: 8 });
  expect([answer.status, answer.json()]).toEqual([
    409,
    { code: "already_verified", message: "This entry is already verified." },
  ]);
  expect((await change(ada, entry.id, { hours: 0 })).status).toBe(400);
  expect((await ada.get("/api/entries")).json()).toMatchObject([entry]);
});

test("totals and the log follow an edit", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry({ method: "MT", hours: 7.5 });
  await change(ada, id, { method: "LSI", hours: 41.5, location: "Moved" });
  const { text } = await ada.get("/profile");
  expect(text).toContain("Moved");
  // Its method's total, and the total of all.
  expect(text.match(/<tfoot.*<\/tfoot>/)?.[0].match(/41\.5/g)).toHaveLength(2);
  expect(textOf(text)).not.toContain("7.5");
});

test("concurrent edits of different fields are all saved", async () => {
  const ada = await app.register();
  const { id } = await ada.addRopeHours();
  await ada.json("POST", `/api/verify-request-rope/${id}`, { supervisorId: (await ada.addSupervisor()).id });
  const bodies = [{ location: "Here" }, { skills: "Climbing" }, { hours: 1 }, { startDate: "2026-11-01" }];
  const answers = await Promise.all(bodies.map((body) => ada.json("PATCH", `/api/rope-hours/${id}`, body)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const [record] = (await ada.get("/api/rope-hours")).json<RopeHours[]>();
  expect(record).toMatchObject({ location: "Here", skills: "Climbing", hours: 1, startDate: "2026-11-01" });
  // One of the four ended the link.
  expect((await endOf(id)).links).toHaveLength(1);
});

test("an edit that the database did not store changes nothing and can be sent again", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const token = await ada.requestVerification(entry.id);
  for (const trip of ["1", "2"]) {
    const headers = { "x-fail-d1-round-trip": trip };
    expect((await ada.json("PATCH", `/api/entries/${entry.id}`, { hours: 8 }, headers)).status).toBe(500);
    expect((await ada.get("/api/entries")).json()).toEqual([{ ...entry, status: "requested" }]);
    expect((await app.get(`/api/verify/${token}`)).status).toBe(200);
  }
  expect((await change(ada, entry.id, { hours: 8 })).status).toBe(200);
});

test("an edit returns the same values as a creation with the same fields", async () => {
  const ada = await app.register();
  const { id } = await ada.addRopeHours({ location: "Elsewhere" });
  const answer = await ada.json("PATCH", `/api/rope-hours/${id}`, aRopeHours());
  expect(answer.json()).toMatchObject(aRopeHours());
});

test("a record's history begins with Logged, and says of each edit what it changed, with and without a request", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry({ location: "Mongstad", method: "MT", hours: 7.5 });
  const historyOf = async () => textsOf((await ada.get(`/profile/record/${id}`)).text, "li").join("\n");
  expect(await historyOf()).toMatch(/^\d+ \w{3} \d{4}, \d\d:\d\d( UTC)? Logged$/);
  await change(ada, id, { method: "UT_THK", hours: 8 });
  expect(await historyOf()).toMatch(/Edited\. Method: MT → UT Thk\.\. Hours: 7\.5 → 8\.0/);
  await ada.requestVerification(id);
  await change(ada, id, { location: "<b>Dock" });
  expect(await historyOf()).toContain("Record changed; its link no longer works. Location: Mongstad → <b>Dock");
  const { log, intact } = (await ada.get(`/api/entries/${id}/verification`)).json<{
    log: { event: string; changes: unknown }[];
    intact: boolean;
  }>();
  expect([intact, log.map(({ event }) => event)]).toEqual([true, ["edited", "requested", "withdrawn"]]);
  expect(log.map(({ changes }) => changes)).toEqual([
    { method: ["MT", "UT_THK"], hours: [7.5, 8] },
    null,
    { location: ["Mongstad", "<b>Dock"] },
  ]);
  // An edit without a change adds nothing.
  await change(ada, id, { hours: 8 });
  expect(await count(app.db, "verification_log", "record_id = ?", id)).toBe(3);
});
