import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
import { type Answer, askAbout, type Item } from "#tests/worker/requests.ts";

/*
 * The calls of a link for several records. Catches answers that are stored one by one (a fault in the middle left some
 * verified), a record that is verified although it was declined, and answers about records of other requests.
 */

const app = await startApp();

test("GET lists the records in the order asked, with nothing more of the owner and the supervisor than their names", async () => {
  const { ada, records, call, id } = await askAbout(app, 2);
  const answer = await app.get(call);
  expect([answer.status, answer.trips]).toEqual([200, 1]);
  const body = answer.json<{ items: Item[] }>();
  expect(body).toEqual({
    type: "request",
    user: { name: "Kari Nordmann", employeeNumber: "NDT-7" },
    supervisor: { name: "Ingrid Solheim" },
    expiresAt: expect.stringMatching(/Z$/),
    items: [
      ...records.slice(0, 2).map((record) => ({
        ...record,
        state: "waiting",
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        entry: expect.objectContaining({ id: record.id, status: "requested", verifiedVia: null }),
      })),
      {
        ...records[2],
        state: "waiting",
        hash: expect.any(String),
        ropeHour: expect.objectContaining({ skills: "Rigging, rescue" }),
      },
    ],
  });
  for (const secret of [ada.user.email, "ingrid@", "userId", "verificationToken"])
    expect(answer.text).not.toContain(secret);
  await app.idle();
  expect(await count(app.db, "request_events", "request_id = ? AND event = 'opened'", id)).toBe(1);
});

test("every record that is neither declined nor skipped is verified, in two round trips", async () => {
  const { records, answer, states, call } = await askAbout(app);
  const [first, second] = records;
  const done = await answer({ declined: [{ ...first, reason: " My day\noff " }], skipped: [second] });
  expect([done.status, done.trips]).toEqual([200, 2]);
  const { message, items, ...counts } = done.json<Answer>();
  expect(message).toBe("Thank you for verifying 3 records. You declined 1.");
  expect(counts).toEqual({ verified: 3, declined: 1, skipped: 1 });
  expect(items.map(({ state }) => state)).toEqual(["declined", "waiting", "verified", "verified", "verified"]);
  expect(await states()).toEqual(["declined", "waiting", "verified", "verified", "verified"]);
  const [declined, skipped, verified] = await rows(
    app.db,
    "SELECT verified, verified_by AS name, verified_via AS via, declined_at IS NOT NULL AS declined FROM entries WHERE id IN (?, ?, ?) ORDER BY id",
    ...records.slice(0, 3).map(({ id }) => id),
  );
  expect(declined).toEqual({ verified: 0, name: null, via: null, declined: 1 });
  expect(skipped).toEqual({ verified: 0, name: null, via: null, declined: 0 });
  expect(verified).toEqual({ verified: 1, name: "Ola Hansen", via: "link", declined: 0 });
  expect(
    await rows(app.db, "SELECT reason FROM verification_items WHERE reason IS NOT NULL AND record_id = ?", first?.id),
  ).toEqual([{ reason: "My day off" }]);
  // The rest, later.
  const later = await answer({});
  expect([later.status, later.json<Answer>().verified]).toEqual([200, 1]);
  const again = await answer({});
  expect([again.status, (await app.get(call)).status]).toEqual([409, 409]);
});

test("each decided record gets its event in its audit log, and the technician one email for the submission", async () => {
  const { ada, records, answer, id } = await askAbout(app);
  await answer({ declined: [{ ...records[0], reason: "No" }], skipped: [records[1]] });
  const events = await rows(
    app.db,
    "SELECT record_id AS id, event FROM verification_log WHERE record_id IN (SELECT record_id FROM verification_items WHERE request_id = ?) ORDER BY record_id",
    id,
  );
  const decided = records
    .filter((_, index) => index !== 1)
    .map(({ id }, index) => ({ id, event: index === 0 ? "declined" : "verified" }));
  expect(events).toEqual(decided.sort((one, other) => one.id - other.id));
  expect(await count(app.db, "outbox", "user_id = ? AND kind = 'hours_verified'", ada.user.id)).toBe(1);
});

test("the secret of the mailed link makes it `mailbox`; without it or with another it is `link`", async () => {
  for (const [query, via] of [
    [(m: string) => `?m=${m}`, "mailbox"],
    [() => "", "link"],
    [() => "?m=", "link"],
    [(m: string) => `?m=${m.slice(1)}x`, "link"],
  ] as const) {
    const { m, answer, records } = await askAbout(app);
    expect((await answer({}, query(m ?? ""))).status).toBe(200);
    const [row] = await rows(app.db, "SELECT verified_via AS via FROM entries WHERE id = ?", records[0]?.id);
    expect([query("m"), row]).toEqual([query("m"), { via }]);
  }
});

test("the secret of one request does not count for another", async () => {
  const [one, other] = [await askAbout(app), await askAbout(app)];
  expect((await one.answer({}, `?m=${other.m}`)).status).toBe(200);
  const [row] = await rows(app.db, "SELECT verified_via AS via FROM entries WHERE id = ?", one.records[0]?.id);
  expect(row).toEqual({ via: "link" });
});

test("decline declines all that waits, for several records and for one; then 409", async () => {
  const { call, states } = await askAbout(app);
  const body = { supervisorName: "Ola Hansen", reason: "I was not there" };
  const declined = await app.json("POST", `${call}/decline`, body);
  expect([declined.status, declined.json(), declined.trips]).toEqual([
    200,
    { message: "You declined 5 records. We have told the technician." },
    2,
  ]);
  expect(new Set(await states())).toEqual(new Set(["declined"]));
  expect((await app.json("POST", `${call}/decline`, body)).status).toBe(409);
  const ada = await app.register();
  const entry = await ada.addEntry();
  const token = await ada.requestVerification(entry.id);
  const single = await app.json("POST", `/api/verify/${token}/decline`, body);
  expect([single.status, single.json()]).toEqual([
    200,
    { message: "You declined 1 record. We have told the technician." },
  ]);
  expect((await ada.get("/api/entries")).json<{ status: string }[]>()[0]?.status).toBe("declined");
  expect((await app.json("POST", `/api/verify/${crypto.randomUUID()}/decline`, body)).status).toBe(404);
});

test("leaving all for later saves nothing and says so", async () => {
  const { records, answer, states } = await askAbout(app);
  const none = await answer({ skipped: records });
  expect([none.status, none.json<Answer>().message, none.json<Answer>().skipped]).toEqual([
    200,
    "Nothing was saved: you left every record for later.",
    5,
  ]);
  expect(new Set(await states())).toEqual(new Set(["waiting"]));
});

test("a request for 100 records takes one round trip to open and two to answer", async () => {
  const { call, answer, states } = await askAbout(app, 99);
  expect((await app.get(call)).trips).toBe(1);
  await app.idle();
  const done = await answer({});
  expect([done.status, done.json<Answer>().verified, done.trips]).toEqual([200, 100, 2]);
  expect(new Set(await states())).toEqual(new Set(["verified"]));
});

test("after a clock was set back no event is before the last one, and what is stored beside it has its time", async () => {
  const later = await startApp();
  const ada = await later.register();
  const [verified, declined, edited] = await ada.addEntries(3);
  const ids = [verified, declined, edited].map((entry) => entry?.id ?? 0);
  const ahead = Date.now() + 600_000;
  await later.setClock(new Date(ahead));
  const supervisor = await ada.addSupervisor();
  const records = ids.map((id) => ({ type: "entry", id }));
  const asked = await ada.json("POST", "/api/verification-requests", { supervisorId: supervisor.id, records });
  const { verificationToken: token } = asked.json<{ verificationToken: string }>();
  await later.setClock(new Date());
  expect((await ada.json("PATCH", `/api/entries/${ids[2]}`, { hours: 1 })).status).toBe(200);
  const answers = { supervisorName: "Ola", declined: [{ ...records[1], reason: "No" }] };
  expect((await later.json("POST", `/api/verify/${token}`, answers)).status).toBe(200);
  for (const id of ids) {
    const events = await rows<{ at: number }>(
      later.db,
      "SELECT at FROM verification_log WHERE record_id = ? ORDER BY number",
      id,
    );
    expect(events).toHaveLength(2);
    const [first, last] = events.map(({ at }) => at);
    expect(first).toBeGreaterThanOrEqual(ahead);
    const [stored] = await rows(later.db, "SELECT verified_at AS at FROM records WHERE id = ? AND verified = 1", id);
    const [item] = await rows(later.db, "SELECT decided_at AS at FROM verification_items WHERE record_id = ?", id);
    expect([last, item?.at, stored?.at ?? last]).toEqual([last, last, last]);
    expect(last).toBeGreaterThanOrEqual(first ?? 0);
  }
});
