import { expect, test } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { commit } from "#app/db/commit.server.ts";
import { noticeToken } from "#app/supervisor-mail/notice.server.ts";
import { longTest, reportFigure } from "#tests/safe/figures.ts";
import { type App, startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { anEntry, type Technician } from "#tests/worker/people.ts";
import { storeRequest } from "#tests/worker/requests.ts";
import { storeAnswer } from "#tests/worker/stored-answers.ts";
import { SECRET } from "#tests/worker/world.ts";

/*
 * Many acts of one account at once. The guard compares the account and not the record, so acts on different records conflict too.
 */

const app = await startApp();
const timeout = 300_000;

test("20 edits of 20 records, 20 answers to 20 requests and ten offline sends of one account at once are all stored", {
  timeout,
}, async () => {
  const ada = await app.register();
  const edited = await ada.addEntries(20);
  const answered = await ada.addEntries(20);
  const links = await Promise.all(
    answered.map(({ id }) => storeRequest(app.db, { userId: ada.user.id, records: [{ type: "entry", id }] })),
  );
  const answers = await Promise.all([
    ...edited.map(({ id }, number) => ada.json("PATCH", `/api/entries/${id}`, { location: `Rig ${number}` })),
    ...links.map(({ token }, number) => app.json("POST", `/api/verify/${token}`, { supervisorName: `Ola ${number}` })),
    ...Array.from({ length: 10 }, (_, number) =>
      ada.json("POST", "/api/entries", [anEntry({ location: `Offline ${number}` })], {
        "Idempotency-Key": `sent-${number}`,
      }),
    ),
  ]);
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toEqual([...Array(40).fill(200), ...Array(10).fill(201)]);
  const own = "user_id = ? AND kind = 'entry'";
  expect(await count(app.db, "records", `${own} AND location LIKE 'Rig %'`, ada.user.id)).toBe(20);
  expect(await count(app.db, "records", `${own} AND verified_by LIKE 'Ola %'`, ada.user.id)).toBe(20);
  expect(await count(app.db, "records", `${own} AND location LIKE 'Offline %'`, ada.user.id)).toBe(10);
});

test("the guard's table never holds a row, and an act that only reads leaves the revision", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  await ada.json("PATCH", `/api/entries/${id}`, { location: "Troll" });
  const revision = await revisionOf(app, ada);
  expect(revision).toBeGreaterThan(0);
  // The same values once more change nothing.
  await ada.json("PATCH", `/api/entries/${id}`, { location: "Troll" });
  await ada.get("/profile");
  await ada.addEntry();
  expect([await revisionOf(app, ada), await count(app.db, "acts")]).toEqual([revision, 0]);
});

test("a disowning succeeds beside a technician who changes one record after another", { timeout }, async () => {
  const { changes } = await disownBeside(20, async (change) => {
    for (let number = 0; number < 60; number++) await change(number);
  });
  expect(changes).toBe(60);
});

longTest("a disowning succeeds beside a technician who changes 20 records a second for a minute", async () => {
  const { changes, disownings } = await disownBeside(20, async (change) => {
    const sent: Promise<void>[] = [];
    for (let number = 0; number < 20 * 60; number++) {
      sent.push(change(number));
      await new Promise((resolve) => setTimeout(resolve, 1000 / 20));
    }
    await Promise.all(sent);
  });
  reportFigure("20 disownings beside 20 changes a second", `${changes} changes and ${disownings} disownings stored`);
});

test("a signed-in supervisor disowns 251 records with as many round trips as one who is not signed in", {
  timeout,
}, async () => {
  const trips: number[] = [];
  for (const who of [app, await app.register()]) {
    const ada = await app.register();
    const answer = await who.json("POST", await disownPathOf(ada, 251), {});
    expect([answer.status, answer.json()]).toMatchObject([200, { disowned: 251 }]);
    trips.push(answer.trips);
  }
  expect(trips[1]).toBe(trips[0]);
});

longTest("a disowning whose second part meets a conflict each time says how many records were taken back", async () => {
  const ada = await app.register();
  const path = await disownPathOf(ada, 251);
  await rows(
    app.db,
    `CREATE TRIGGER rest_conflicts BEFORE INSERT ON acts WHEN NEW.user_id = ${ada.user.id}
      AND (SELECT count(*) FROM records WHERE user_id = ${ada.user.id} AND verified = 1) = 1
      BEGIN SELECT RAISE(ABORT, 'acts: the account has changed'); END`,
  );
  const answer = await app.json("POST", path, {});
  expect([answer.status, answer.json()]).toMatchObject([
    409,
    { message: expect.stringContaining("250 records were taken back.") },
  ]);
  await rows(app.db, "DROP TRIGGER rest_conflicts");
  const again = await app.json("POST", path, {});
  expect([again.status, again.json()]).toMatchObject([200, { disowned: 1 }]);
});

test("a page that was opened for the supervisor who was asked before notes nothing about the one who is asked now", async () => {
  const ada = await app.register();
  const { id: record } = await ada.addEntry();
  const { id, path } = await storeRequest(app.db, { userId: ada.user.id, records: [{ type: "entry", id: record }] });
  await rows(
    app.db,
    `CREATE TRIGGER readdressed AFTER INSERT ON request_events WHEN NEW.request_id = ${id}
      BEGIN UPDATE verification_requests SET requested_at = requested_at + 1 WHERE id = ${id}; END`,
  );
  await app.get(path);
  await app.idle();
  await rows(app.db, "DROP TRIGGER readdressed");
  const opened = () => rows(app.db, "SELECT opened_at FROM verification_requests WHERE id = ?", id);
  expect([await count(app.db, "request_events", "request_id = ?", id), await opened()]).toEqual([
    1,
    [{ opened_at: null }],
  ]);
  await app.get(path, { "User-Agent": "Another/1" });
  await app.idle();
  expect(await opened()).toEqual([{ opened_at: expect.any(Number) }]);
});

test("a request whose email goes out after it had to wait is renewed with its records", async () => {
  const mailing = await startMailApp();
  const ada = await mailing.register();
  const { id: record } = await ada.addEntry();
  const requestedAt = Date.now() - 3 * 86_400_000;
  const asked = { userId: ada.user.id, records: [{ type: "entry" as const, id: record }], requestedAt };
  const { id } = await storeRequest(mailing.db, asked);
  await rows(mailing.db, "UPDATE verification_requests SET email_withheld = 'released', mail_at = 1 WHERE id = ?", id);
  await mailing.tick(new Date());
  const [request] = await rows(mailing.db, "SELECT requested_at FROM verification_requests WHERE id = ?", id);
  expect(Number(request?.requested_at)).toBeGreaterThan(requestedAt);
  expect(await rows(mailing.db, "SELECT requested_at FROM records WHERE id = ?", record)).toEqual([request]);
});

test("a decision needs an account that guards it, and of one account given twice the older state counts", async () => {
  const ada = await app.register();
  const db = connect(app.db);
  await expect(commit(db, [], {})).rejects.toThrow("without an account");
  const revision = await revisionOf(app, ada);
  const { id } = ada.user;
  const both = [
    { id, revision: revision - 1 },
    { id, revision },
  ];
  await expect(commit(db, both, {})).rejects.toThrow("acts: the account has changed");
  await commit(
    db,
    [
      { id, revision },
      { id, revision },
    ],
    {},
  );
  expect(await revisionOf(app, ada)).toBe(revision + 1);
});

/** Stores verified records of a technician. Returns the path at which their supervisor disowns them. */
async function disownPathOf(ada: Technician, size: number): Promise<string> {
  const verified = await ada.addEntries(size);
  const records = verified.map(({ id }) => ({ type: "entry" as const, id }));
  const { id, token } = await storeRequest(app.db, { userId: ada.user.id, records });
  await storeAnswer(app.db, token, Date.now());
  return `/api/disown/${await noticeOf(app.db, id)}`;
}

/**
 * Lets a supervisor disown 20 verified records, one after the other, while their technician makes changes. Every disowning must be
 * stored at the first time that it is sent, and every change.
 */
async function disownBeside(size: number, work: (change: (number: number) => Promise<void>) => Promise<void>) {
  const ada = await app.register();
  const edited = await ada.addEntries(size);
  const verified = await ada.addEntries(size);
  const { id, token } = await storeRequest(app.db, {
    userId: ada.user.id,
    records: verified.map((record) => ({ type: "entry" as const, id: record.id })),
  });
  await storeAnswer(app.db, token, Date.now());
  const path = `/api/disown/${await noticeOf(app.db, id)}`;
  let changes = 0;
  const working = work(async (number) => {
    const { id: record } = edited[number % size] ?? { id: 0 };
    const answer = await ada.json("PATCH", `/api/entries/${record}`, { location: `Rig ${number}` });
    expect(answer.status).toBe(200);
    changes += 1;
  });
  for (const record of verified) {
    const answer = await app.json("POST", path, { records: [{ type: "entry", id: record.id }] });
    expect([answer.status, answer.json()]).toMatchObject([200, { disowned: 1 }]);
  }
  await working;
  expect(await count(app.db, "records", "user_id = ? AND verified = 1", ada.user.id)).toBe(0);
  return { changes, disownings: verified.length };
}

/** The token of the link that disowns what a request has verified. */
async function noticeOf(db: D1Database, requestId: number): Promise<string> {
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const [notice] = await rows<{ id: number }>(
    db,
    "INSERT INTO supervisor_notices (recipient, nonce, created_at, expires_at) VALUES (?, ?, ?, ?) RETURNING id",
    ...["0".repeat(64), nonce, Date.now(), Date.now() + 86_400_000],
  );
  const id = notice?.id ?? 0;
  await rows(db, "UPDATE verification_answers SET notice_id = ? WHERE request_id = ?", id, requestId);
  return noticeToken(SECRET, "disown", { id, nonce });
}

async function revisionOf({ db }: App, { user }: Technician): Promise<number> {
  const [found] = await rows<{ revision: number }>(db, "SELECT revision FROM users WHERE id = ?", user.id);
  return found?.revision ?? -1;
}
