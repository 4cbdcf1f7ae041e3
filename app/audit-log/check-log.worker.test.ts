import { beforeEach, expect, test } from "vitest";
import { restore, type Snapshot, snapshotOf } from "#tests/safe/snapshot.ts";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { textsOf } from "#tests/worker/html.ts";
import type { Technician } from "#tests/worker/people.ts";
import { checkLog, type Report } from "./check-log.server.ts";
import { eventHash, FIRST } from "./log.server.ts";

/*
 * What `npm run verify-log` finds when somebody with the database in their hands, past its triggers, alters the past.
 * Each was seen to go unnoticed while its check was taken out of chain.server.ts or check-log.server.ts.
 */

const app = await startApp();
const { db } = app;
for (const { name } of await rows<{ name: string }>(db, "SELECT name FROM sqlite_master WHERE type = 'trigger'")) {
  await db.prepare(`DROP TRIGGER "${name}"`).run();
}
const ada = await app.register();
const { entry } = await ada.addVerifiedEntry({ location: "Mongstad" });
const rope = await verifiedRope(ada);
const open = await ada.addEntry();
await ada.requestVerification(open.id);
await ada.json("DELETE", `/api/verify-request/${open.id}`);
await ada.requestVerification(open.id);
await app.idle();
const whole: Snapshot = await snapshotOf(db);

async function verifiedRope(who: Technician): Promise<number> {
  const { id } = await who.addRopeHours();
  const { id: supervisorId } = await who.addSupervisor();
  const asked = await who.json("POST", `/api/verify-request-rope/${id}`, { supervisorId });
  const { verificationToken } = asked.json<{ verificationToken: string }>();
  // The entry above was verified by a stranger, these hours by somebody who was signed in.
  const kari = await app.register();
  await kari.json("POST", `/api/verify/${verificationToken}`, { supervisorName: "Kari Dahl" });
  return id;
}

beforeEach(() => restore(db, whole));

async function check(): Promise<Report & { told: string[] }> {
  const told: string[] = [];
  const report = await checkLog(
    (sql) => rows(db, sql),
    (kind, id, { line, text }) => told.push(`${kind?.name ?? null} ${id} ${line}: ${text}`),
  );
  return { ...report, told };
}

const ENTRY = `record_kind = 'entry' AND record_id = ${entry.id}`;
const ROPE = `record_kind = 'rope_hour' AND record_id = ${rope}`;

test("a log that nobody touched has no fault, and is counted", async () => {
  const { told, digest, ...counts } = await check();
  expect(told).toEqual([]);
  // The entry: requested, verified; the rope hours too; the open entry: requested, withdrawn, requested.
  expect(counts).toEqual({ lines: 7, chains: 3, verified: 2, older: 0, faults: 0 });
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect((await check()).digest).toBe(digest);
});

/** What is done to the database, and what is then said, of which line. */
const TAMPERING: [name: string, sql: string[], told: RegExp[]][] = [
  [
    "one byte of an address",
    [`UPDATE verification_log SET address = address || '0' WHERE ${ENTRY} AND number = 1`],
    [/entry \d+ 1: what it says/],
  ],
  [
    "the name that was typed",
    [`UPDATE verification_log SET name = 'Ola Hanson' WHERE ${ENTRY} AND number = 2`],
    [/entry \d+ 2: what it says/, /another verifier/],
  ],
  [
    "the account of a confirmation that named none",
    [`UPDATE verification_log SET account_id = 1 WHERE ${ENTRY} AND number = 2`],
    [/entry \d+ 2: what it says/],
  ],
  [
    "the account of a confirmation is another",
    [`UPDATE verification_log SET account_id = account_id + 1 WHERE ${ROPE} AND number = 2`],
    [/rope_hour \d+ 2: what it says/],
  ],
  [
    "the account of a confirmation is taken out",
    [`UPDATE verification_log SET account_id = NULL WHERE ${ROPE} AND number = 2`],
    [/rope_hour \d+ 2: what it says/],
  ],
  [
    "a hash",
    [`UPDATE verification_log SET hash = lower(hex(zeroblob(32))) WHERE ${ENTRY} AND number = 1`],
    [/entry \d+ 1: what it says/, /entry \d+ 2: the hash/],
  ],
  [
    "the last hash, put in anew",
    [`UPDATE verification_log SET hash = lower(hex(zeroblob(32))) WHERE ${ENTRY} AND number = 2`],
    [/entry \d+ 2: what it says/],
  ],
  [
    "a line in the middle is gone",
    [`DELETE FROM verification_log WHERE record_id = ${open.id} AND number = 2`],
    [/entry \d+ 3: it is number 3 where 2/, /entry \d+ 3: the hash/, /7 lines were written, and 6/],
  ],
  [
    "a line in the middle is gone, and the numbers close the gap",
    [
      `DELETE FROM verification_log WHERE record_id = ${open.id} AND number = 2`,
      `UPDATE verification_log SET number = 2 WHERE record_id = ${open.id} AND number = 3`,
    ],
    [/entry \d+ 2: the hash/, /entry \d+ 2: what it says/, /7 lines were written, and 6/],
  ],
  [
    "the line at the end of a verified record is gone",
    [`DELETE FROM verification_log WHERE ${ROPE} AND number = 2`],
    [/rope_hour \d+ null: the record is verified, and no line tells of it/, /7 lines/],
  ],
  [
    "every line of a verified record is gone",
    [`DELETE FROM verification_log WHERE ${ENTRY}`],
    [/7 lines were written, and 5/],
  ],
  [
    "the line at the end of a record that is not verified is gone",
    [`DELETE FROM verification_log WHERE record_id = ${open.id} AND number = 3`],
    [/7 lines were written, and 6/],
  ],
  [
    "a line is put in, with a hash that fits the one before",
    [
      `INSERT INTO verification_log SELECT NULL, record_kind, record_id, 3, 'opened', at, '192.0.2.1', NULL, NULL, NULL, NULL,
        record_hash, hash, previous, NULL FROM verification_log WHERE ${ENTRY} AND number = 2`,
    ],
    [/entry \d+ 3: what it says/],
  ],
  [
    "a second verification is put in",
    [
      `INSERT INTO verification_log SELECT NULL, record_kind, record_id, 3, event, at, address, browser, supervisor, name, cause,
        record_hash, hash, hash, account_id FROM verification_log WHERE ${ENTRY} AND number = 2`,
    ],
    [/entry \d+ 3: what it says/, /entry \d+ 3: it is not the only one/],
  ],
  [
    "the hours of a verified record",
    [`UPDATE entries SET hours = 75 WHERE id = ${entry.id}`],
    [/entry \d+ 2: the record is not what was verified/],
  ],
  [
    "the place of a verified record",
    [`UPDATE rope_hours SET location = 'Kårstø' WHERE id = ${rope}`],
    [/rope_hour \d+ 2: the record is not/],
  ],
  [
    "the verifier of a record",
    [`UPDATE entries SET verified_by = 'X' WHERE id = ${entry.id}`],
    [/entry \d+ 2: the record names another verifier/],
  ],
  [
    "the time of a verification",
    [`UPDATE entries SET verified_at = verified_at + 1 WHERE id = ${entry.id}`],
    [/entry \d+ 2: the record has another time/],
  ],
  [
    "a record that nobody verified is verified",
    [`UPDATE entries SET verified = 1, verified_by = 'X', verified_at = 1900000000000 WHERE id = ${open.id}`],
    [/entry \d+ null: the record is verified, and no line/],
  ],
  [
    "a record that has a log is verified, as if before there was one",
    [`UPDATE entries SET verified = 1, verified_by = 'X', verified_at = 1 WHERE id = ${open.id}`],
    [/entry \d+ null: the record is verified, and no line/],
  ],
  [
    "a verified record is made open again",
    [`UPDATE entries SET verified = 0, verified_by = NULL, verified_at = NULL WHERE id = ${entry.id}`],
    [/entry \d+ 2: it tells of a verification, and the record is not/],
  ],
];

for (const [name, statements, expected] of TAMPERING) {
  test(`altered by hand: ${name}`, async () => {
    const { digest } = await check();
    for (const sql of statements) await db.prepare(sql).run();
    const { told, faults, digest: after } = await check();
    expect(told).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
    expect(faults).toBe(expected.length);
    if (/gone|put in/.test(name)) expect(after).not.toBe(digest);
  });
}

// Catches a digest of the chains alone: neither change breaks one.
test.each([
  ["a verified record is given to another account", "UPDATE entries SET user_id = 2 WHERE verified = 1"],
  [
    "one is made up that looks older than the log",
    `INSERT INTO entries (user_id, date, location, method, hours, search, created_at, verified, verified_by, verified_at)
      VALUES (1, '2020-01-01', 'X', 'MT', 8, '', 0, 1, 'X', 1)`,
  ],
])("the digest is another where %s", async (_name, sql) => {
  const { digest } = await check();
  await db.prepare(sql).run();
  const after = await check();
  expect([after.told, after.digest === digest]).toEqual([[], false]);
});

test("the record's own page says that it was altered, and whose fault is not said", async () => {
  await db.prepare(`UPDATE entries SET hours = 75 WHERE id = ${entry.id}`).run();
  const page = await ada.get(`/profile/record/${entry.id}`);
  expect(textsOf(page.text, "p", "alert")[0]).toMatch(/^This record has been altered/);
  const { intact } = (await ada.get(`/api/entries/${entry.id}/verification`)).json<{ intact: boolean }>();
  expect(intact).toBe(false);
});

test("what was verified before there was a log is counted apart; what came after it and has no line is a fault", async () => {
  const verified = (id: number, at: number) =>
    db.prepare(`UPDATE entries SET verified = 1, verified_by = 'X', verified_at = ${at} WHERE id = ${id}`).run();
  const [before, after] = await ada.addEntries(2);
  await verified(before?.id ?? 0, 1);
  await verified(after?.id ?? 0, Date.now());
  const { told, verified: all, older } = await check();
  expect(told).toEqual([expect.stringMatching(`entry ${after?.id} null: the record is verified, and no line`)]);
  expect([all, older]).toEqual([4, 1]);
});

test("a chain whose record is gone is checked too, and stands for itself", async () => {
  await db.prepare(`DELETE FROM users WHERE id = ${ada.user.id}`).run();
  expect(await check()).toMatchObject({ told: [], lines: 7, chains: 3, verified: 0 });
  await db.prepare(`UPDATE verification_log SET at = at + 1 WHERE ${ROPE} AND number = 1`).run();
  expect((await check()).told).toEqual([expect.stringMatching(/rope_hour \d+ 1: what it says/)]);
});

test("a record verified while the check runs is no fault", async () => {
  const token = await ada.requestVerification(open.id);
  let asked = 0;
  const told: unknown[] = [];
  const report = await checkLog(
    async (sql) => {
      asked += 1;
      if (asked === 3) await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
      return rows(db, sql);
    },
    (...fault) => told.push(fault),
  );
  expect([told, report.verified]).toEqual([[], 3]);
});

test("a record verified while it is looked at again has no other fault than the one that it had", async () => {
  const token = await ada.requestVerification(open.id);
  await app.idle();
  await db.prepare(`UPDATE verification_log SET address = 'X' WHERE record_id = ${open.id} AND number = 1`).run();
  let isDone = false;
  const told: string[] = [];
  await checkLog(
    async (sql) => {
      if (!isDone && /verification_log .* record_id = \d+ ORDER BY number$/.test(sql)) {
        isDone = true;
        await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
      }
      return rows(db, sql);
    },
    (_kind, _id, { text }) => told.push(text),
  );
  expect([isDone, told]).toEqual([true, [expect.stringMatching(/^what it says/)]]);
});

// Catches a check that looks again without end.
test("a record that is changed each time that it is looked at is told, and the check ends", async () => {
  await ada.requestVerification(open.id);
  await app.idle();
  await db.prepare(`UPDATE verification_log SET address = 'X' WHERE record_id = ${open.id} AND number = 1`).run();
  let looked = 0;
  const told: string[] = [];
  await checkLog(
    async (sql) => {
      const found = await rows(db, sql);
      const isLook = / WHERE id = \d+$/.test(sql);
      if (isLook) looked += 1;
      return isLook ? found.map((row) => ({ ...row, hours: looked })) : found;
    },
    (_kind, _id, { text }) => told.push(text),
  );
  expect([looked, told]).toEqual([24, ["it was changed each time that it was looked at, so check it again"]]);
});

test("a log of more than a page is walked to its end", async () => {
  const many = Array.from({ length: 2_100 }, (_, n) => n);
  await db
    .prepare(
      `INSERT INTO entries (user_id, date, location, method, hours, search, created_at, verified, verified_by, verified_at)
        SELECT ${ada.user.id}, '2026-11-01', 'x', 'MT', 1, '', 0, 1, 'X', 1 FROM json_each(?)`,
    )
    .bind(JSON.stringify(many))
    .run();
  // As many chains of one line, of records that are gone.
  const lines = many.map((n) => {
    const recordId = 1_000_000 + n;
    const nothing = { address: null, browser: null, supervisor: null, name: null, cause: null, accountId: null };
    const line = { recordKind: "entry", recordId, number: 1, event: "opened", at: new Date(1), ...nothing } as const;
    return { recordId, hash: eventHash({ ...line, recordHash: FIRST, previous: FIRST }) };
  });
  await db
    .prepare(
      `INSERT INTO verification_log SELECT NULL, 'entry', value ->> 'recordId', 1, 'opened', 1, NULL, NULL, NULL, NULL, NULL,
        ?1, ?1, value ->> 'hash', NULL FROM json_each(?2)`,
    )
    .bind(FIRST, JSON.stringify(lines))
    .run();
  expect(await check()).toMatchObject({ told: [], lines: 2_107, chains: 2_103, verified: 2_102, older: 2_100 });
  await db.prepare(`UPDATE entries SET hours = 75 WHERE id = ${entry.id}`).run();
  expect((await check()).told).toHaveLength(1);
});
