import { expect, test } from "vitest";
import { readdressLimit } from "#app/server/attempt-limits.server.ts";
import { count, rows } from "#tests/worker/database.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { aSupervisor, type Technician } from "#tests/worker/people.ts";
import { freshEmail, mailedTo } from "#tests/worker/request-emails.ts";
import { storeRequests } from "#tests/worker/requests.ts";

/* POST /api/verification-requests: one link for several records. */

const app = await startMailApp();
const CALL = "/api/verification-requests";

interface Item {
  type: "entry" | "rope_hour";
  id: number;
}

interface Made {
  id: number;
  supervisor: { id: number; name: string; email: string };
  verificationToken: string;
  emailed: boolean;
  createdAt: string;
  expiresAt: string;
  items: (Item & { state: string; reason: string | null })[];
}

async function ada(n = 3) {
  const who = await app.register();
  const entries = (await who.addEntries(n)).map(({ id }): Item => ({ type: "entry", id }));
  const { id } = await who.addRopeHours();
  return { who, entries, rope: { type: "rope_hour", id } as Item, supervisor: await who.addSupervisor() };
}

function make(who: Technician, supervisorId: number, records: unknown, headers?: Record<string, string>) {
  return who.json("POST", CALL, { supervisorId, records }, headers);
}

test("a request for entries and rope hours has one link, one email and an event in the log of each record", async () => {
  const { who, entries, rope, supervisor } = await ada();
  app.mailChannels.reset();
  const records = [rope, ...entries];
  const answer = await make(who, supervisor.id, records);
  const made = answer.json<Made>();
  expect([answer.status, answer.trips]).toEqual([201, 2]);
  const { id, verificationToken } = made;
  expect(made).toEqual({
    id,
    verificationToken,
    supervisor: { id: supervisor.id, name: supervisor.name, email: supervisor.email },
    verificationUrl: `http://hours.example.com/verify/${verificationToken}`,
    emailed: true,
    emailedReason: null,
    reminders: true,
    endedAt: null,
    openedAt: null,
    createdAt: made.createdAt,
    expiresAt: new Date(Date.parse(made.createdAt) + 90 * 24 * 60 * 60 * 1000).toISOString(),
    items: records.map((record) => ({ ...record, state: "waiting", reason: null })),
  });
  expect(await mailedTo(app, supervisor.email)).toBe(1);
  for (const { type, id } of records) {
    const path = type === "entry" ? "entries" : "rope-hours";
    const history = (await who.get(`/api/${path}/${id}/verification`)).json<{ log: object[]; intact: boolean }>();
    expect([history.log, history.intact]).toEqual([[expect.objectContaining({ event: "requested" })], true]);
  }
  const [entry] = (await who.get("/api/entries")).json<{ status: string }[]>();
  expect(entry?.status).toBe("requested");
  expect(await count(app.db, "entries", "user_id = ? AND verification_token IS NOT NULL", who.user.id)).toBe(0);
  expect((await app.get(`/api/verify/${verificationToken}`)).json()).toMatchObject({ type: "request" });
});

test("100 records are asked for in two round trips", async () => {
  const { who, entries, supervisor } = await ada(100);
  const answer = await make(who, supervisor.id, entries);
  expect([answer.status, answer.trips, answer.json<Made>().items.length]).toEqual([201, 2, 100]);
});

test("a request leaves the record's own link alone, and each request has a link of its own", async () => {
  const { who, entries, supervisor } = await ada(1);
  const own = await who.requestVerification(entries[0]?.id ?? 0);
  await app.idle();
  const tokens = [];
  for (let n = 0; n < 2; n += 1) {
    tokens.push((await make(who, supervisor.id, entries)).json<Made>().verificationToken);
    await app.idle();
  }
  expect(new Set([own, ...tokens]).size).toBe(3);
  expect(await who.requestVerification(entries[0]?.id ?? 0, supervisor.id)).toBe(own);
  const list = (await who.get(CALL)).json<Made[]>();
  expect(list.map(({ verificationToken }) => verificationToken)).toEqual([...tokens.reverse(), own]);
});

test("a body without records, with 101, a record twice, an unknown type or a bad id is 400, and nothing is made", async () => {
  const { who, entries, supervisor } = await ada(1);
  const [entry] = entries;
  const many = Array.from({ length: 101 }, (_, id) => ({ type: "entry", id: id + 1 }));
  for (const [body, path, message] of [
    [{ supervisorId: supervisor.id }, "records", "records must be a list"],
    [{ supervisorId: supervisor.id, records: [] }, "records", "Choose at least one record"],
    [{ supervisorId: supervisor.id, records: many }, "records", "A request has at most 100 records"],
    [{ supervisorId: supervisor.id, records: [entry, entry] }, "records", "records has a record twice"],
    [{ supervisorId: supervisor.id, records: [7] }, "records.0", "A record is an object with type and id"],
    [
      { supervisorId: supervisor.id, records: [{ ...entry, type: "x" }] },
      "records.0.type",
      "type must name a kind of record",
    ],
    [{ supervisorId: supervisor.id, records: [{ ...entry, id: "x" }] }, "records.0.id", "id must be a number"],
    [{ records: [entry] }, "supervisorId", "Choose a supervisor"],
  ] as const) {
    const answer = await who.json("POST", CALL, body);
    expect([answer.status, answer.json()]).toEqual([400, { code: "invalid", message, errors: [{ path, message }] }]);
  }
  expect(await count(app.db, "verification_requests", "user_id = ?", who.user.id)).toBe(0);
});

test("a missing record, another technician's, and another's supervisor are 404, before any 409", async () => {
  const [mine, theirs] = [await ada(1), await ada(1)];
  const { who, supervisor } = mine;
  const { entry } = await who.addVerifiedEntry();
  const verified: Item = { type: "entry", id: entry.id };
  const missing = "There is no such entry in your log.";
  for (const [supervisorId, records, message] of [
    [supervisor.id, [verified, { type: "entry", id: 999_999 }], missing],
    [supervisor.id, [...mine.entries, ...theirs.entries], missing],
    [supervisor.id, [theirs.rope], "There are no such rope hours in your log."],
    [theirs.supervisor.id, mine.entries, "That supervisor is not in your list."],
    [999_999, [verified], "That supervisor is not in your list."],
  ] as const) {
    const answer = await make(who, supervisorId, records);
    expect([answer.status, answer.json()]).toEqual([404, { code: "not_found", message }]);
  }
  expect((await app.json("POST", CALL, {})).status).toBe(401);
});

test("if one of the records is verified, the answer is 409 and nothing is made", async () => {
  const { who, entries, supervisor } = await ada(2);
  const { entry } = await who.addVerifiedEntry();
  const before = await count(app.db, "verification_requests");
  const answer = await make(who, supervisor.id, [...entries, { type: "entry", id: entry.id }]);
  expect([answer.status, answer.json()]).toEqual([
    409,
    {
      code: "already_verified",
      message: "Nothing was sent, because a record is already verified: 20 Nov 2026, Mongstad, MT, 7.5 h.",
    },
  ]);
  expect(await count(app.db, "verification_requests")).toBe(before);
  expect(await count(app.db, "entries", "user_id = ? AND requested_at IS NOT NULL", who.user.id)).toBe(0);
});

test("a supervisor with the technician's own address is 400 on email", async () => {
  const { who, entries, supervisor } = await ada(1);
  await app.db.prepare("UPDATE supervisors SET email = ? WHERE id = ?").bind(who.user.email, supervisor.id).run();
  const answer = await make(who, supervisor.id, entries);
  expect([answer.status, answer.json<{ errors: object[] }>().errors]).toEqual([
    400,
    [{ path: "email", message: "This is your own email address. Someone else must verify your hours." }],
  ]);
});

test("the same key and content again return the first answer and make nothing, also after the records are verified", async () => {
  const { who, entries, supervisor } = await ada(2);
  app.mailChannels.reset();
  const send = (records = entries) => make(who, supervisor.id, records, { "Idempotency-Key": "k" });
  const answers = await Promise.all(Array.from({ length: 10 }, () => send()));
  await app.idle();
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(await count(app.db, "verification_requests", "user_id = ?", who.user.id)).toBe(1);
  expect(await mailedTo(app, supervisor.email)).toBe(1);
  const made = answers[0]?.json<Made>();
  await app.json("POST", `/api/verify/${made?.verificationToken}`, { supervisorName: "Ola Hansen" });
  const late = await send();
  expect([late.status, late.json<Made>().id, late.trips]).toEqual([201, made?.id, 1]);
  const { id } = await who.addEntry();
  expect((await send([{ type: "entry", id }])).json()).toMatchObject({ code: "key_reused" });
});

test("over a limit on emails the request is made, and emailed is false", async () => {
  const { who, entries } = await ada(2);
  const supervisor = await who.addSupervisor({ email: freshEmail() });
  expect((await make(who, supervisor.id, entries)).json<Made>().emailed).toBe(true);
  const again = (await make(who, supervisor.id, entries)).json<Made>();
  expect([again.emailed, again.items.length]).toEqual([false, 2]);
  // One of the records is new to the supervisor.
  const { id } = await who.addEntry();
  expect((await make(who, supervisor.id, [...entries, { type: "entry", id }])).json<Made>().emailed).toBe(true);
  expect(await mailedTo(app, supervisor.email)).toBe(2);
});

test("a request beside a verification or an edit of a record is whole or not there, and logs stay intact", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { who, entries, supervisor } = await ada(3);
    const [first, second] = entries;
    const token = await who.requestVerification(first?.id ?? 0);
    await app.idle();
    const [made] = await Promise.all([
      make(who, supervisor.id, entries),
      app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" }),
      who.json("PATCH", `/api/entries/${second?.id}`, { hours: 3 }),
    ]);
    await app.idle();
    expect([201, 409]).toContain(made.status);
    const items = await rows<{ record_id: number; state: string; cause: string | null }>(
      app.db,
      "SELECT record_id, state, cause FROM verification_items JOIN verification_requests ON id = request_id WHERE user_id = ? AND token <> ?",
      who.user.id,
      token,
    );
    expect(items.length).toBe(made.status === 201 ? 3 : 0);
    for (const { record_id, state } of items.filter(({ record_id }) => record_id === first?.id)) {
      expect([record_id, state]).toEqual([first?.id, "ended"]);
    }
    for (const { id } of entries) {
      expect((await who.get(`/api/entries/${id}/verification`)).json()).toMatchObject({ intact: true });
    }
  }
});

const DAY = 24 * 60 * 60 * 1000;

const FULL =
  "You made 100 new requests in 24 hours, which is the most. One request can ask for up to 100 records. Please try again in 24 hours.";

test("100 new requests a day are enough: the next is 429 with the figure and stores nothing, whichever way it comes", async () => {
  const { who, entries, supervisor } = await ada(4);
  const [one, other, third, fourth] = entries;
  await storeRequests(app.db, who.user.id, 98);
  const key = { "Idempotency-Key": crypto.randomUUID() };
  expect((await make(who, supervisor.id, [one], key)).status).toBe(201);
  const ask = (id: number | undefined, body: object) => who.json("POST", `/api/verify-request/${id}`, body);
  const own = await ask(other?.id, { supervisorId: supervisor.id });
  expect([own.status, own.trips]).toEqual([200, 2]);

  const stored = async () => [
    await rows(app.db, "SELECT * FROM verification_requests WHERE user_id = ?", who.user.id),
    await rows(app.db, "SELECT * FROM entries WHERE user_id = ?", who.user.id),
    await rows(app.db, "SELECT * FROM supervisors WHERE user_id = ?", who.user.id),
    // Their states change, because emails are sent after the answer.
    await rows(app.db, "SELECT id, kind, request_id FROM outbox WHERE user_id = ?", who.user.id),
    await count(app.db, "verification_log", "record_id = ?", third?.id),
  ];
  await app.idle(); // the emails are sent
  const before = await stored();
  const refused = [await make(who, supervisor.id, [third]), await ask(third?.id, { supervisorId: supervisor.id })];
  for (const answer of refused) {
    expect([answer.status, answer.json().message]).toEqual([429, FULL]);
    expect(Number(answer.headers.get("Retry-After"))).toSatisfy((seconds) => seconds > 86_000 && seconds <= 86_400);
  }
  const { name, email, phone, certificationLevel, company } = aSupervisor({ email: freshEmail() });
  const newSupervisor = { supervisor: "new", name, email, phone, certificationLevel, company };
  for (const form of [{ supervisor: String(supervisor.id) }, newSupervisor]) {
    const page = await who.post(`/profile/request/${third?.id}`, form);
    expect([page.status, page.text.includes("You made 100 new requests in 24 hours")]).toEqual([429, true]);
  }
  expect(await stored()).toEqual(before);

  // The same submission again, and a renewed request, are no new ones.
  const again = await make(who, supervisor.id, [one], key);
  expect([again.status, again.json<Made>().items[0]?.id]).toEqual([201, one?.id]);
  expect((await ask(other?.id, { supervisorId: supervisor.id })).json().verificationToken).toBe(
    own.json().verificationToken,
  );
  // Nor is one that is sent to another supervisor, 100 times a day.
  const limit = readdressLimit({ secret: "a secret for tests, of 32 bytes and more" }, who.user.id);
  const attempts = JSON.stringify(Array.from({ length: 99 }, (_, index) => index));
  await app.db
    .prepare("INSERT INTO attempts (subject, at) SELECT ?, ? FROM json_each(?)")
    .bind(limit.subject, Date.now(), attempts)
    .run();
  const next = await who.addSupervisor();
  const events = () => count(app.db, "verification_log", "record_id = ?", other?.id);
  const readdressed = await ask(other?.id, { supervisorId: next.id });
  expect([readdressed.status, readdressed.trips]).toEqual([200, 2]);
  await app.idle();
  const logged = await events();
  const last = await ask(other?.id, { supervisorId: supervisor.id });
  expect([last.status, last.json().message]).toEqual([
    429,
    "You sent 100 open requests to another supervisor in 24 hours, which is the most. Please try again in 24 hours.",
  ]);
  const [request] = (await who.get(CALL)).json<Made[]>();
  expect([request?.supervisor.email, await events()]).toEqual([next.email, logged]);
  expect((await ask(other?.id, { supervisorId: next.id })).status).toBe(200);
  // A withdrawn one counts: otherwise asking and withdrawing would fill the audit log.
  expect((await who.json("DELETE", `/api/verify-request/${other?.id}`)).status).toBe(200);
  expect((await ask(other?.id, { supervisorId: supervisor.id })).status).toBe(429);
  expect((await who.json("DELETE", `/api/entries/${other?.id}`)).status).toBe(200);
  expect((await make(who, supervisor.id, [third])).status).toBe(429);
  // Another account is not concerned.
  const jan = await ada(1);
  expect((await make(jan.who, jan.supervisor.id, jan.entries)).status).toBe(201);

  const shift = "UPDATE verification_requests SET created_at = created_at + ? WHERE user_id = ?";
  await app.db.prepare(shift).bind(-DAY, who.user.id).run();
  expect((await make(who, supervisor.id, [third])).status).toBe(201);
  // Requests of a clock that was a day ahead do not count.
  await app.db
    .prepare(shift)
    .bind(2 * DAY, who.user.id)
    .run();
  expect((await ask(fourth?.id, { supervisorId: supervisor.id })).status).toBe(200);
});
