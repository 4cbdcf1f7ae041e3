import { expect, test } from "vitest";
import type { Answer, Client } from "#tests/worker/client.ts";
import { rows } from "#tests/worker/database.ts";
import { applyImport, csvOf, upload } from "#tests/worker/imports.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { freshEmail } from "#tests/worker/request-emails.ts";
import { insertToken, withToken } from "#tests/worker/tokens.ts";

/*
 * A program that follows an account by GET /api/events gets every event of its records and requests, once and in order.
 * tests/safe/events.test.ts does the same with random acts at once.
 */

const app = await startMailApp();

interface Event {
  id: number;
  type: string;
  at: string;
  record?: { type: string; id: number };
  request?: number;
}

async function eventsOf(client: Pick<Client, "get">, after: number | string = 0, more = ""): Promise<Event[]> {
  const answer = await client.get(`/api/events?after=${after}${more}`);
  expect([after, answer.status]).toEqual([after, 200]);
  return answer.json<Event[]>();
}

const told = ({ type, record, request }: Event) => [type, record?.id ?? null, request ?? null];

test("each act on a record and a request is one event, in its order, with the record and the request", async () => {
  const kari = await app.register();
  const { id: supervisorId } = await kari.addSupervisor();
  const [one, two, three] = (await kari.addEntries(3)).map(({ id }) => id);
  const rope = (await kari.addRopeHours()).id;
  const created = await eventsOf(kari);
  expect(created.map(told)).toEqual([one, two, three, rope].map((id) => ["record.created", id, null]));
  expect(created.map(({ record }) => record?.type)).toEqual(["entry", "entry", "entry", "rope_hour"]);
  for (const { at } of created) expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);

  await kari.json("PATCH", `/api/entries/${one}`, { hours: 8 });
  await kari.json("PATCH", `/api/entries/${one}`, { hours: 8 }); // changes nothing
  await kari.json("DELETE", `/api/rope-hours/${rope}`);
  await kari.json("POST", `/api/rope-hours/${rope}/restore`);
  const records = [one, two].map((id) => ({ type: "entry", id }));
  const asked = await kari.json("POST", "/api/verification-requests", { supervisorId, records });
  const { id: request, verificationToken } = asked.json<{ id: number; verificationToken: string }>();
  await app.get(`/api/verify/${verificationToken}`);
  await app.idle();
  const answered = await app.json("POST", `/api/verify/${verificationToken}`, {
    supervisorName: "Ola Hansen",
    declined: [{ type: "entry", id: two, reason: "Not my shift" }],
  });
  expect(answered.status).toBe(200);
  const withdrawn = await kari.json("POST", "/api/verification-requests", { supervisorId, records: [records[1]] });
  const { id: second } = withdrawn.json<{ id: number }>();
  await kari.json("DELETE", `/api/verification-requests/${second}`);
  const later = (await eventsOf(kari, created.at(-1)?.id)).map(told);
  expect(later.slice(0, 4)).toEqual([
    ["record.edited", one, null],
    ["record.deleted", rope, null],
    ["record.restored", rope, null],
    ["request.created", null, request],
  ]);
  // The writes of an answer are one transaction; the order within it has no meaning.
  expect(new Set(later.slice(4, -2).map(String))).toEqual(
    new Set(
      [
        ["request.opened", null, request],
        ["request.answered", null, request],
        ["record.verified", one, null],
        ["record.declined", two, request],
      ].map(String),
    ),
  );
  expect(later.slice(-2)).toEqual([
    ["request.created", null, second],
    ["request.withdrawn", null, second],
  ]);
});

test("a deletion by an admin is an event, and an account that is deleted leaves no event", async () => {
  const kari = await app.register();
  const { id } = await kari.addEntry();
  await app.db.prepare("DELETE FROM records WHERE id = ?").bind(id).run();
  expect((await eventsOf(kari)).map(told)).toEqual([
    ["record.created", id, null],
    ["record.deleted", id, null],
  ]);
  await kari.addEntries(2);
  await app.db.prepare("DELETE FROM users WHERE id = ?").bind(kari.user.id).run();
  expect(await rows(app.db, "SELECT * FROM events WHERE user_id = ?", kari.user.id)).toEqual([]);
});

test("a request whose time has passed is one event, also if the timer runs again", async () => {
  const kari = await app.register();
  const { id } = await kari.addEntry();
  const { id: supervisorId } = await kari.addSupervisor();
  const records = [{ type: "entry", id }];
  const asked = await kari.json("POST", "/api/verification-requests", { supervisorId, records });
  const { id: request } = asked.json<{ id: number }>();
  await app.idle();
  const before = (await eventsOf(kari)).at(-1)?.id;
  await app.db
    .prepare("UPDATE verification_requests SET expires_at = requested_at + 1 WHERE id = ?")
    .bind(request)
    .run();
  for (const _ of ["once", "again"]) {
    await app.tick(new Date(Date.now() + 1_000));
    await app.idle();
    expect((await eventsOf(kari, before)).map(told)).toEqual([["request.expired", null, request]]);
  }
});

test("a record that its supervisor disowns is one event, also if the button is pressed again", async () => {
  const kari = await app.register();
  const { id } = await kari.addEntry();
  const email = freshEmail();
  const { id: supervisorId } = await kari.addSupervisor({ email });
  const token = await kari.requestVerification(id, supervisorId);
  await app.idle();
  expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" })).status).toBe(200);
  const before = (await eventsOf(kari)).at(-1)?.id;
  await app.idle();
  await app.tick(new Date()); // sends the notice
  await app.idle();
  const notice = app.mailChannels.delivered.find(({ to, subject }) => to === email && subject.includes("in your name"));
  const [, path] = notice?.text.match(/http:\/\/hours\.example\.com(\/disown\/\S+)/) ?? [];
  for (const disowned of [1, 0]) {
    expect((await app.json("POST", `/api${path}`, {})).json()).toMatchObject({ disowned });
    expect((await eventsOf(kari, before)).map(told)).toEqual([["record.disowned", id, null]]);
  }
});

test("each record of an import is one event, and each that goes with the undone import another", async () => {
  const kari = await app.register();
  const { id } = await upload(kari, csvOf("2026-11-20,Mongstad,MT,7.5", "2026-11-21,Sture,PT,1"));
  expect(await eventsOf(kari)).toEqual([]);
  expect((await applyImport(kari, id)).json()).toEqual({ created: 2, skipped: 0 });
  const saved = (await kari.get("/api/entries")).json<{ id: number }[]>().map((entry) => entry.id);
  const created = await eventsOf(kari);
  const inOrder = (list: Event[]) => list.map(told).sort((a, b) => Number(b[1]) - Number(a[1]));
  expect(inOrder(created)).toEqual(saved.sort((a, b) => b - a).map((record) => ["record.created", record, null]));
  expect((await kari.json("DELETE", `/api/imports/${id}`)).json()).toEqual({ removed: 2, kept: 0 });
  await kari.json("DELETE", `/api/imports/${id}`);
  const removed = await eventsOf(kari, created.at(-1)?.id);
  expect(inOrder(removed)).toEqual(saved.map((record) => ["record.deleted", record, null]));
  expect(removed.map(({ record }) => record?.type)).toEqual(["entry", "entry"]);
});

test("any whole number is a cursor, another account's too, and shows only what is one's own", async () => {
  const [kari, other] = [await app.register(), await app.register()];
  const first = await kari.addEntry();
  const between = await other.addEntry();
  const second = await kari.addEntry();
  const [mine] = await eventsOf(other);
  expect(mine?.record?.id).toBe(between.id);
  expect((await eventsOf(kari, mine?.id)).map(({ record }) => record?.id)).toEqual([second.id]);
  for (const after of ["-1", "0", "-99999999999999999999"]) {
    expect((await eventsOf(kari, after)).map(({ record }) => record?.id)).toEqual([first.id, second.id]);
  }
  expect(await eventsOf(kari, "9".repeat(30))).toEqual([]);
  expect(await eventsOf(kari, (await eventsOf(kari)).at(-1)?.id)).toEqual([]);
});

test("a text that is no cursor, and an unknown parameter, are 400 and named", async () => {
  const kari = await app.register();
  for (const query of ["after=abc", "after=", "after=1.5", "after=1e3", `after=${"9".repeat(31)}`]) {
    const answer = await kari.get(`/api/events?${query}`);
    expect([query, answer.status, answer.text]).toEqual([query, 400, expect.stringContaining('"path":"after"')]);
  }
  const answer = await kari.get("/api/events?limt=10");
  expect([answer.status, answer.json<{ message: string }>().message]).toEqual([
    400,
    'There is no query parameter "limt" here.',
  ]);
});

test("an answer has 500 events at most, no ETag, and a read token gets it too", async () => {
  const kari = await app.register();
  await kari.addEntries(500);
  await kari.addEntries(2);
  const { token } = await insertToken(app.db, kari.user.id, "read");
  const answer = await withToken(app, token)("GET", "/api/events");
  expect([answer.status, answer.headers.get("ETag")]).toEqual([200, null]);
  const page = answer.json<Event[]>();
  expect(page).toHaveLength(500);
  expect(await eventsOf(kari, page.at(-1)?.id)).toHaveLength(2);
  expect(await eventsOf(kari, 0, "&limit=3")).toHaveLength(3);
});

test("an id is above all before it, also where the clock was set back or events were swept", async () => {
  const kari = await app.register();
  await kari.addEntry();
  const ahead = Date.now() * 1000 + 3_600_000_000;
  await app.db.prepare("UPDATE events SET id = ? WHERE user_id = ?").bind(ahead, kari.user.id).run();
  await kari.addEntry();
  expect((await eventsOf(kari)).map(({ id }) => id)).toEqual([ahead, ahead + 1]);
  await app.db.prepare("DELETE FROM events").run();
  await kari.addEntry();
  const [last] = await eventsOf(kari);
  // By the clock again, so also above those of before a restored backup.
  expect(Math.abs((last?.id ?? 0) / 1000 - Date.now())).toBeLessThan(60_000);
});

test("10,000 events that come at once are followed by the account and by a service token: none is missed or comes twice", async () => {
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register()];
  const [start] = (await admin.get("/api/admin/events?after=latest")).json<Event[]>();
  await app.db
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
        INSERT INTO events (id, user_id, type, record_kind, record_id)
        SELECT 0, ?1, iif(n % 1000 = 0, 'record.verified', 'record.edited'), 'entry', n FROM numbers`,
    )
    .bind(kari.user.id)
    .run();
  const made = await admin.json("POST", "/api/admin/tokens", { name: "HR", access: "read" });
  const service = withToken(app, made.json<{ token: string }>().token);
  const follow = async (get: (query: string) => Promise<Answer>, query = "") => {
    const found: Event[] = [];
    for (let last = start?.id ?? 0, calls = 0; calls < 30; calls += 1) {
      const answer = await get(`?after=${last}${query}`);
      expect([answer.status, answer.trips]).toEqual([200, 1]);
      const page = answer.json<Event[]>();
      if (page.length === 0) return found.map(({ record }) => record?.id);
      found.push(...page);
      last = page.at(-1)?.id ?? 0;
    }
    throw new Error("the events have no end");
  };
  const all = Array.from({ length: 10_000 }, (_, index) => index + 1);
  expect(await follow((query) => kari.get(`/api/events${query}`))).toEqual(all);
  expect(await follow((query) => service("GET", `/api/admin/events${query}`))).toEqual(all);
  const verified = all.filter((number) => number % 1000 === 0);
  expect(await follow((query) => kari.get(`/api/events${query}`), "&type=record.verified")).toEqual(verified);
});

test("with latest the newest event is answered alone, from which a program begins; without one the list is empty", async () => {
  const kari = await app.register();
  expect((await kari.get("/api/events?after=latest")).json()).toEqual([]);
  const [first, second] = (await kari.addEntries(2)).map(({ id }) => id);
  const [latest, ...others] = (await kari.get("/api/events?after=latest")).json<Event[]>();
  expect([latest?.record?.id, others]).toEqual([second, []]);
  await kari.json("PATCH", `/api/entries/${first}`, { hours: 8 });
  expect((await eventsOf(kari, latest?.id)).map(told)).toEqual([["record.edited", first, null]]);
  const ofType = await kari.get("/api/events?after=latest&type=record.created");
  expect(ofType.json<Event[]>().map(told)).toEqual([["record.created", second, null]]);
  const wrong = await kari.get("/api/events?type=record.touched");
  expect([wrong.status, wrong.json().message]).toEqual([
    400,
    expect.stringContaining("type must be one of record.created"),
  ]);
});
