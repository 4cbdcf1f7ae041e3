import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { anEntry, aRopeHours, type Entry, type RopeHours, type Technician } from "#tests/worker/people.ts";

const app = await startApp();

/** What is said of a link that has ended, and the lines of a record's log. */
async function endOf(kind: "entry" | "rope_hour", id: number) {
  const links = await rows(
    app.db,
    "SELECT token, cause FROM ended_links WHERE record_kind = ? AND record_id = ?",
    kind,
    id,
  );
  const log = await rows<{ event: string; cause: string | null }>(
    app.db,
    "SELECT event, cause FROM verification_log WHERE record_kind = ? AND record_id = ? ORDER BY number",
    kind,
    id,
  );
  return { links, last: log.at(-1) };
}

function change(who: Technician, id: number, body: unknown) {
  return who.json("PATCH", `/api/entries/${id}`, body);
}

test("an edit changes the fields that it brings, leaves the others, and answers the record", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const answer = await change(ada, entry.id, { hours: "8.25", location: " Kårstø " });
  expect([answer.status, answer.json()]).toEqual([200, { ...entry, hours: 8.25, location: "Kårstø" }]);
  expect((await ada.get("/api/entries")).json()).toEqual([answer.json()]);

  const rope = await ada.addRopeHours();
  const ropeAnswer = await ada.json("PATCH", `/api/rope-hours/${rope.id}`, { skills: "Rescue\nRigging", hours: 0 });
  expect([ropeAnswer.status, ropeAnswer.json()]).toEqual([200, { ...rope, skills: "Rescue\nRigging", hours: 0 }]);
});

test("an edit brings nothing but the record's own fields: whose it is and who verified it stay", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const entry = await ada.addEntry();
  const body = { hours: 8, verified: true, verifiedBy: "Ada", verifiedAt: 1, userId: bob.user.id, id: 7, createdAt: 0 };
  expect((await change(ada, entry.id, { ...body, search: "x", submission: "x" })).json()).toEqual({
    ...entry,
    hours: 8,
  });
  const stored = await rows(app.db, "SELECT user_id, verified, submission, search FROM entries WHERE id = ?", entry.id);
  expect(stored).toEqual([{ user_id: ada.user.id, verified: 0, submission: null, search: "mongstad\nmt\nmt" }]);
});

test("what an admin's search looks through follows an edit", async () => {
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

// Catches a PATCH whose fields are judged alone: a period's end may be stored, and its new start sent.
test("an edit is judged as the record that would come of it", async () => {
  const ada = await app.register();
  const rope = await ada.addRopeHours();
  const path = `/api/rope-hours/${rope.id}`;
  const answer = await ada.json("PATCH", path, { startDate: "2026-11-20" });
  const message = "End date must be after start date";
  expect([answer.status, answer.json()]).toEqual([400, { message, errors: [{ path: "endDate", message }] }]);
  expect((await ada.json("PATCH", path, { endDate: "2026-11-16" })).status).toBe(400);
  expect((await ada.json("PATCH", path, { startDate: "2026-11-20", endDate: "2026-11-21" })).status).toBe(200);
});

test("an edit ends an open link, and says so where the link led and in the record's log", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const token = await ada.requestVerification(entry.id);
  expect((await change(ada, entry.id, { hours: 8 })).status).toBe(200);
  expect(await rows(app.db, "SELECT verification_token FROM entries WHERE id = ?", entry.id)).toEqual([
    { verification_token: null },
  ]);
  expect(await endOf("entry", entry.id)).toEqual({
    links: [{ token, cause: "edited" }],
    last: { event: "withdrawn", cause: "edited" },
  });
  const confirmed = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
  expect(confirmed.status).toBe(404);
  const again = await ada.requestVerification(entry.id);
  expect(again).not.toBe(token);
  expect((await app.get(`/api/verify/${again}`)).json<{ entry: Entry }>().entry.hours).toBe(8);
});

test("rope hours lose their link by an edit as entries do", async () => {
  const ada = await app.register();
  const [rope, supervisor] = [await ada.addRopeHours(), await ada.addSupervisor()];
  const asked = await ada.json("POST", `/api/verify-request-rope/${rope.id}`, { supervisorId: supervisor.id });
  const token = asked.json<{ verificationToken: string }>().verificationToken;
  await ada.json("PATCH", `/api/rope-hours/${rope.id}`, { location: "Elsewhere" });
  expect(await endOf("rope_hour", rope.id)).toMatchObject({ links: [{ token, cause: "edited" }] });
});

test("an edit that changes nothing ends no link and writes nothing", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const token = await ada.requestVerification(entry.id);
  const before = await rows(app.db, "SELECT * FROM entries WHERE id = ?", entry.id);
  const log = await rows(app.db, "SELECT * FROM verification_log");
  for (const body of [{}, { hours: "7.50" }, { location: " Mongstad " }, anEntry(), { nothing: "of ours" }]) {
    const answer = await change(ada, entry.id, body);
    expect([body, answer.status, answer.json()]).toEqual([body, 200, entry]);
  }
  expect(await rows(app.db, "SELECT * FROM entries WHERE id = ?", entry.id)).toEqual(before);
  expect(await rows(app.db, "SELECT * FROM verification_log")).toEqual(log);
  expect((await app.get(`/api/verify/${token}`)).status).toBe(200);
});

test("a verified record is not edited, and 409 says so, after what is wrong with the body", async () => {
  const ada = await app.register();
  const { entry } = await ada.addVerifiedEntry();
  const answer = await change(ada, entry.id, { hours: 8 });
  expect([answer.status, answer.json()]).toEqual([409, { message: "This entry is already verified." }]);
  expect((await change(ada, entry.id, { hours: 0 })).status).toBe(400);
  expect((await ada.get("/api/entries")).json()).toMatchObject([entry]);
});

test("totals and the log follow an edit", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry({ method: "MT", hours: 7.5 });
  await change(ada, id, { method: "LSI", hours: 41.5, location: "Moved" });
  const { text } = await ada.get("/profile");
  expect(text).toContain("Moved");
  expect(text.match(/<tfoot>.*<\/tfoot>/)?.[0].match(/41\.5/g)).toHaveLength(1);
  expect(text).not.toContain("7.5");
});

/** Each of the pairs has one winner, and never a verification of what nobody saw. */
test("an edit and a confirmation at the same moment: one of them happens, whole", async () => {
  const ada = await app.register();
  const supervisor = await ada.addSupervisor();
  for (let round = 0; round < 12; round++) {
    const entry = await ada.addEntry();
    const token = await ada.requestVerification(entry.id, supervisor.id);
    const confirm = () => app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
    const edit = () => change(ada, entry.id, { hours: 99 });
    const first = round % 2 ? [edit, confirm] : [confirm, edit];
    const [one, other] = await Promise.all(first.map((send) => send()));
    const [edited, confirmed] = round % 2 ? [one, other] : [other, one];
    const [stored] = await rows(app.db, "SELECT hours, verified FROM entries WHERE id = ?", entry.id);
    if (edited?.status === 200) {
      expect(confirmed?.status).not.toBe(200);
      expect(stored).toEqual({ hours: 99, verified: 0 });
    } else {
      expect([edited?.status, confirmed?.status]).toEqual([409, 200]);
      expect(stored).toEqual({ hours: 7.5, verified: 1 });
    }
  }
});

test("edits of one record at the same moment lose nothing: each field has what was sent for it", async () => {
  const ada = await app.register();
  const { id } = await ada.addRopeHours();
  await ada.json("POST", `/api/verify-request-rope/${id}`, { supervisorId: (await ada.addSupervisor()).id });
  const bodies = [{ location: "Here" }, { skills: "Climbing" }, { hours: 1 }, { startDate: "2026-11-01" }];
  const answers = await Promise.all(bodies.map((body) => ada.json("PATCH", `/api/rope-hours/${id}`, body)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const [record] = (await ada.get("/api/rope-hours")).json<RopeHours[]>();
  expect(record).toMatchObject({ location: "Here", skills: "Climbing", hours: 1, startDate: "2026-11-01" });
  // Of the four, one found the link open.
  expect((await endOf("rope_hour", id)).links).toHaveLength(1);
});

test("an edit that the database did not take changes nothing, and can be sent again", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const token = await ada.requestVerification(entry.id);
  for (const trip of ["1", "2"]) {
    const headers = { "x-fail-d1-round-trip": trip };
    expect((await ada.json("PATCH", `/api/entries/${entry.id}`, { hours: 8 }, headers)).status).toBe(500);
    expect((await ada.get("/api/entries")).json()).toEqual([entry]);
    expect((await app.get(`/api/verify/${token}`)).status).toBe(200);
  }
  expect((await change(ada, entry.id, { hours: 8 })).status).toBe(200);
});

test("a record is what it was sent as, whichever call sent it", async () => {
  const ada = await app.register();
  const { id } = await ada.addRopeHours({ location: "Elsewhere" });
  const answer = await ada.json("PATCH", `/api/rope-hours/${id}`, aRopeHours());
  expect(answer.json()).toMatchObject(aRopeHours());
});
