import { expect, test } from "vitest";
import { renewalLimit } from "#app/server/attempt-limits.server.ts";
import { count, rows } from "#tests/worker/database.ts";
import { textOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import type { Technician } from "#tests/worker/people.ts";
import { ask, mailedTo } from "#tests/worker/request-emails.ts";

/*
 * How often a request is renewed, and what renewals store. Seen: 1,552 renewals of one request in 58 s, each of which allowed 300
 * more openings to be stored.
 */

const app = await startMailApp();
const SECRET = "a secret for tests, of 32 bytes and more";
const FULL =
  "You renewed this request 20 times in 24 hours, which is the most. Its link still works, so you can send it yourself. Please try again in 24 hours.";

/** A technician with an open request for a record, which was emailed. */
async function asked() {
  const ada = await app.register();
  const supervisor = await ada.addSupervisor();
  const { id: recordId } = await ada.addEntry();
  const token = await ada.requestVerification(recordId, supervisor.id);
  await app.idle();
  const [request] = await rows<{ id: number }>(app.db, "SELECT id FROM verification_requests WHERE token = ?", token);
  return { ada, supervisor, recordId, token, id: Number(request?.id) };
}

/** Returns the stored rows of a request, its record and its account, except those that rate limits count. */
const stored = ({ id, recordId, ada }: { id: number; recordId: number; ada: Technician }) =>
  Promise.all([
    rows(app.db, "SELECT * FROM verification_requests WHERE id = ?", id),
    rows(app.db, "SELECT * FROM records WHERE id = ?", recordId),
    rows(app.db, "SELECT * FROM request_events WHERE request_id = ?", id),
    rows(app.db, "SELECT id, number FROM verification_log WHERE record_id = ?", recordId),
    rows(app.db, "SELECT id, kind, recipient FROM outbox WHERE request_id = ?", id),
    rows(app.db, "SELECT events FROM event_counts WHERE user_id = ?", ada.user.id),
  ]);

/** Renewals of a request that were made before, as the limit counts them. */
async function renewedBefore(id: number, times: number) {
  const { subject } = renewalLimit({ secret: SECRET }, id);
  await app.db
    .prepare("INSERT INTO attempts (subject, at) SELECT ?, ? FROM json_each(?)")
    .bind(subject, Date.now(), JSON.stringify(Array(times).fill(0)))
    .run();
}

test("a request is renewed 20 times a day, for one supervisor or several, and the next one is refused with the figure", async () => {
  const one = await asked();
  const { ada, supervisor, recordId } = one;
  const other = await ada.addSupervisor();
  const statuses = [];
  for (let n = 0; n < 20; n += 1) {
    const to = n % 5 === 4 ? other : supervisor;
    const { status, trips } = await ask(ada, recordId, to.id);
    statuses.push([status, trips]);
  }
  expect(statuses).toEqual(Array(20).fill([200, 2]));
  await app.idle();
  const before = await stored(one);
  for (const to of [supervisor, other]) {
    const refused = await ask(ada, recordId, to.id);
    // A third round trip finds out until when.
    expect([refused.status, refused.trips, refused.json()]).toEqual([429, 3, { code: "rate_limited", message: FULL }]);
    expect(Number(refused.headers.get("Retry-After"))).toSatisfy((left) => left > 86_000 && left <= 86_400);
    const page = await ada.post(`/profile/request/${recordId}`, { supervisor: String(to.id) });
    expect([page.status, textOf(page.text)]).toEqual([429, expect.stringContaining(FULL)]);
  }
  expect(await stored(one)).toEqual(before);
  // Another request is not concerned, and withdrawing always works.
  const { id } = await ada.addEntry();
  expect((await ask(ada, id, supervisor.id)).status).toBe(200);
  await app.nextDay();
  expect((await ask(ada, recordId, supervisor.id)).status).toBe(200);
  expect((await ada.json("DELETE", `/api/verify-request/${recordId}`)).status).toBe(200);
});

test("20 of 30 renewals at once succeed", async () => {
  const { ada, supervisor, recordId } = await asked();
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask(ada, recordId, supervisor.id)));
  const made = answers.filter(({ status }) => status === 200);
  expect([made.length, new Set(answers.map(({ status }) => status))]).toEqual([20, new Set([200, 429])]);
});

test("sending the email again is a renewal too, by the call and by the button", async () => {
  const one = await asked();
  const { ada, supervisor, recordId, id } = one;
  const later = async () => {
    await app.nextDay();
    const day = 24 * 60 * 60 * 1000;
    await app.db
      .prepare(
        "UPDATE verification_requests SET requested_at = requested_at - ?1, created_at = created_at - ?1 WHERE id = ?2",
      )
      .bind(day, id)
      .run();
  };
  const remind = () => ada.json("POST", `/api/verification-requests/${id}/remind`);
  await later();
  await renewedBefore(id, 20);
  const before = await stored(one);
  const refused = await remind();
  expect([refused.status, refused.trips, refused.json()]).toEqual([429, 1, { code: "rate_limited", message: FULL }]);
  const page = await ada.follow(await ada.post(`/requests/${id}/remind`, {}));
  expect(textOf(page.text)).toContain(FULL);
  expect(await stored(one)).toEqual(before);
  await later();
  await renewedBefore(id, 19);
  const sent = await remind();
  expect([sent.status, sent.trips]).toEqual([200, 2]);
  expect(await mailedTo(app, supervisor.email)).toBe(2);
  expect((await ask(ada, recordId, supervisor.id)).status).toBe(429);
});

test("each renewal counts as one of the 5,000 events that an account makes in a day, also without an email", async () => {
  const one = await asked();
  const { ada, supervisor, recordId } = one;
  const events = async () =>
    (await rows<{ events: number }>(app.db, "SELECT events FROM event_counts WHERE user_id = ?", ada.user.id))[0]
      ?.events;
  expect(await events()).toBe(1);
  expect((await ask(ada, recordId, supervisor.id)).json()).toMatchObject({ emailed: false, emailedReason: "limit" });
  expect(await events()).toBe(2);
  const next = await ada.addSupervisor();
  expect((await ask(ada, recordId, next.id)).json()).toMatchObject({ emailed: true });
  expect(await events()).toBe(3);
  await app.idle();
  await app.db.prepare("UPDATE event_counts SET events = 5000 WHERE user_id = ?").bind(ada.user.id).run();
  const before = await stored(one);
  const refused = await ask(ada, recordId, next.id);
  expect([refused.status, refused.json()]).toMatchObject([
    429,
    { code: "daily_quota", message: expect.stringContaining("5,000 times today") },
  ]);
  expect(await stored(one)).toEqual(before);
});

test("a request has 300 openings in its life, and after that still says that another supervisor has opened it", async () => {
  const { ada, supervisor, recordId, token, id } = await asked();
  await app.db
    .prepare(
      "INSERT INTO request_events (request_id, event, at, address, browser) SELECT ?, 'opened', ?, key || '.7.0.1', 'Gauge' FROM json_each(?)",
    )
    .bind(id, Date.now(), JSON.stringify(Array(300).fill(0)))
    .run();
  const open = async () => {
    expect((await app.as(new Map()).get(`/verify/${token}`)).status).toBe(200);
    await app.idle();
  };
  const found = async () => [
    await count(app.db, "request_events", "request_id = ? AND event = 'opened'", id),
    (await ada.get(`/api/verification-requests/${id}`)).json<{ openedAt: string | null }>().openedAt,
  ];
  await ask(ada, recordId, supervisor.id);
  await open();
  expect(await found()).toEqual([300, expect.any(String)]);
  await ask(ada, recordId, (await ada.addSupervisor()).id);
  expect(await found()).toEqual([300, null]);
  await open();
  expect(await found()).toEqual([300, expect.any(String)]);
});
