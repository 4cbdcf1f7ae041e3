import { beforeEach, expect, test } from "vitest";
import { restore, type Snapshot, snapshotOf } from "#tests/safe/snapshot.ts";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { textsOf } from "#tests/worker/html.ts";
import type { Technician } from "#tests/worker/people.ts";
import { checkLog, type Report } from "./check-log.server.ts";
import { eventHash, NO_PREVIOUS } from "./log.server.ts";

/*
 * What `npm run verify-log` finds after someone with access to the database, past its triggers, has altered the log. Each
 * alteration went unnoticed while its check was removed from chain.server.ts or check-log.server.ts.
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
  // The entry above was verified without an account, these hours by a signed-in user.
  const kari = await app.register();
  await kari.json("POST", `/api/verify/${verificationToken}`, { supervisorName: "Kari Dahl" });
  return id;
}

beforeEach(() => restore(db, whole));

async function check(): Promise<Report & { reported: string[] }> {
  const reported: string[] = [];
  const report = await checkLog(
    (sql) => rows(db, sql),
    (kind, id, { line, text }) => reported.push(`${kind?.name ?? null} ${id} ${line}: ${text}`),
  );
  return { ...report, reported };
}

const ENTRY = `record_kind = 'entry' AND record_id = ${entry.id}`;
const ROPE = `record_kind = 'rope_hour' AND record_id = ${rope}`;

test("an unaltered log has no fault, and its events are counted", async () => {
  const { reported, digest, ...counts } = await check();
  expect(reported).toEqual([]);
  // The entry: requested, verified; the rope hours too; the open entry: requested, withdrawn, requested.
  expect(counts).toEqual({ lines: 7, chains: 3, verified: 2, older: 0, faults: 0 });
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect((await check()).digest).toBe(digest);
});

/** Alterations of the database, with the expected faults. */
const TAMPERING: [name: string, sql: string[], reported: RegExp[]][] = [
  [
    "one byte of an address",
    [`UPDATE verification_log SET address = address || '0' WHERE ${ENTRY} AND number = 1`],
    [/entry \d+ 1: its hash does not match/],
  ],
  [
    "the typed name",
    [`UPDATE verification_log SET name = 'Ola Hanson' WHERE ${ENTRY} AND number = 2`],
    [/entry \d+ 2: its hash does not match/, /another verifier/],
  ],
  [
    "the account of a confirmation that named none",
    [`UPDATE verification_log SET account_id = 1 WHERE ${ENTRY} AND number = 2`],
    [/entry \d+ 2: its hash does not match/],
  ],
  [
    "the account of a confirmation is another",
    [`UPDATE verification_log SET account_id = account_id + 1 WHERE ${ROPE} AND number = 2`],
    [/rope_hour \d+ 2: its hash does not match/],
  ],
  [
    "the account of a verification is cleared",
    [`UPDATE verification_log SET account_id = NULL WHERE ${ROPE} AND number = 2`],
    [/rope_hour \d+ 2: its hash does not match/],
  ],
  [
    "a hash",
    [`UPDATE verification_log SET hash = lower(hex(zeroblob(32))) WHERE ${ENTRY} AND number = 1`],
    [/entry \d+ 1: its hash does not match/, /entry \d+ 2: its hash of the previous/],
  ],
  [
    "the last hash is replaced",
    [`UPDATE verification_log SET hash = lower(hex(zeroblob(32))) WHERE ${ENTRY} AND number = 2`],
    [/entry \d+ 2: its hash does not match/],
  ],
  [
    "an event in the middle is removed",
    [`DELETE FROM verification_log WHERE record_id = ${open.id} AND number = 2`],
    [
      /entry \d+ 3: its number is 3 and should be 2/,
      /entry \d+ 3: its hash of the previous/,
      /7 events were written, but there are 6/,
    ],
  ],
  [
    "an event in the middle is removed, and later numbers are moved up",
    [
      `DELETE FROM verification_log WHERE record_id = ${open.id} AND number = 2`,
      `UPDATE verification_log SET number = 2 WHERE record_id = ${open.id} AND number = 3`,
    ],
    [
      /entry \d+ 2: its hash of the previous/,
      /entry \d+ 2: its hash does not match/,
      /7 events were written, but there are 6/,
    ],
  ],
  [
    "the event at the end of a verified record is removed",
    [`DELETE FROM verification_log WHERE ${ROPE} AND number = 2`],
    [/rope_hour \d+ null: the record is verified, but its log has no verification/, /7 events/],
  ],
  [
    "every event of a verified record is removed",
    [`DELETE FROM verification_log WHERE ${ENTRY}`],
    [/7 events were written, but there are 5/],
  ],
  [
    "the event at the end of a record that is not verified is removed",
    [`DELETE FROM verification_log WHERE record_id = ${open.id} AND number = 3`],
    [/7 events were written, but there are 6/],
  ],
  [
    "an event is inserted, with the right previous hash",
    [
      `INSERT INTO verification_log SELECT NULL, record_kind, record_id, 3, 'opened', at, '192.0.2.1', NULL, NULL, NULL, NULL,
        record_hash, hash, previous, NULL FROM verification_log WHERE ${ENTRY} AND number = 2`,
    ],
    [/entry \d+ 3: its hash does not match/],
  ],
  [
    "a second verification is inserted",
    [
      `INSERT INTO verification_log SELECT NULL, record_kind, record_id, 3, event, at, address, browser, supervisor, name, cause,
        record_hash, hash, hash, account_id FROM verification_log WHERE ${ENTRY} AND number = 2`,
    ],
    [/entry \d+ 3: its hash does not match/, /entry \d+ 3: it is a second/],
  ],
  [
    "the hours of a verified record",
    [`UPDATE entries SET hours = 75 WHERE id = ${entry.id}`],
    [/entry \d+ 2: the record differs from the verified one/],
  ],
  [
    "the location of a verified record",
    [`UPDATE rope_hours SET location = 'Kårstø' WHERE id = ${rope}`],
    [/rope_hour \d+ 2: the record differs/],
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
    "an unverified record is marked as verified",
    [`UPDATE entries SET verified = 1, verified_by = 'X', verified_at = 1900000000000 WHERE id = ${open.id}`],
    [/entry \d+ null: the record is verified, but its log/],
  ],
  [
    "a record with a log is marked as verified before the log existed",
    [`UPDATE entries SET verified = 1, verified_by = 'X', verified_at = 1 WHERE id = ${open.id}`],
    [/entry \d+ null: the record is verified, but its log/],
  ],
  [
    "a verified record is marked as unverified",
    [`UPDATE entries SET verified = 0, verified_by = NULL, verified_at = NULL WHERE id = ${entry.id}`],
    [/entry \d+ 2: it is a verification, but the record is not/],
  ],
];

for (const [name, statements, expected] of TAMPERING) {
  test(`altered by hand: ${name}`, async () => {
    const { digest } = await check();
    for (const sql of statements) await db.prepare(sql).run();
    const { reported, faults, digest: after } = await check();
    expect(reported).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
    expect(faults).toBe(expected.length);
    if (/removed|inserted|replaced/.test(name)) expect(after).not.toBe(digest);
  });
}

test("the record's page says that it was altered", async () => {
  await db.prepare(`UPDATE entries SET hours = 75 WHERE id = ${entry.id}`).run();
  const page = await ada.get(`/profile/record/${entry.id}`);
  expect(textsOf(page.text, "p", "alert")[0]).toMatch(/^This record was altered/);
  const { intact } = (await ada.get(`/api/entries/${entry.id}/verification`)).json<{ intact: boolean }>();
  expect(intact).toBe(false);
});

test("a record verified before the log existed is counted separately; a later one without an event is a fault", async () => {
  const verified = (id: number, at: number) =>
    db.prepare(`UPDATE entries SET verified = 1, verified_by = 'X', verified_at = ${at} WHERE id = ${id}`).run();
  const [before, after] = await ada.addEntries(2);
  await verified(before?.id ?? 0, 1);
  await verified(after?.id ?? 0, Date.now());
  const { reported, verified: all, older } = await check();
  expect(reported).toEqual([expect.stringMatching(`entry ${after?.id} null: the record is verified, but its log`)]);
  expect([all, older]).toEqual([4, 1]);
});

test("the chain of a deleted record is checked too", async () => {
  await db.prepare(`DELETE FROM users WHERE id = ${ada.user.id}`).run();
  expect(await check()).toMatchObject({ reported: [], lines: 7, chains: 3, verified: 0 });
  await db.prepare(`UPDATE verification_log SET at = at + 1 WHERE ${ROPE} AND number = 1`).run();
  expect((await check()).reported).toEqual([expect.stringMatching(/rope_hour \d+ 1: its hash does not match/)]);
});

test("a record verified while the check runs is no fault", async () => {
  const token = await ada.requestVerification(open.id);
  let asked = 0;
  const reported: unknown[] = [];
  const report = await checkLog(
    async (sql) => {
      asked += 1;
      if (asked === 3) await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
      return rows(db, sql);
    },
    (...fault) => reported.push(fault),
  );
  expect([reported, report.verified]).toEqual([[], 3]);
});

test("a record verified while it is checked again has only the fault that it had before", async () => {
  const token = await ada.requestVerification(open.id);
  await app.idle();
  await db.prepare(`UPDATE verification_log SET address = 'X' WHERE record_id = ${open.id} AND number = 1`).run();
  let isDone = false;
  const reported: string[] = [];
  await checkLog(
    async (sql) => {
      if (!isDone && /verification_log .* record_id = \d+ ORDER BY number$/.test(sql)) {
        isDone = true;
        await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
      }
      return rows(db, sql);
    },
    (_kind, _id, { text }) => reported.push(text),
  );
  expect([isDone, reported]).toEqual([true, [expect.stringMatching(/^its hash does not match/)]]);
});

// Catches a check that repeats for ever.
test("a record that changes during every attempt is reported, and the check ends", async () => {
  await ada.requestVerification(open.id);
  await app.idle();
  await db.prepare(`UPDATE verification_log SET address = 'X' WHERE record_id = ${open.id} AND number = 1`).run();
  let looked = 0;
  const reported: string[] = [];
  await checkLog(
    async (sql) => {
      const found = await rows(db, sql);
      const isLook = / WHERE id = \d+$/.test(sql);
      if (isLook) looked += 1;
      return isLook ? found.map((row) => ({ ...row, hours: looked })) : found;
    },
    (_kind, _id, { text }) => reported.push(text),
  );
  expect([looked, reported]).toEqual([24, ["it changed during every attempt, so check it again"]]);
});

test("a log of more than one page is checked completely", async () => {
  const many = Array.from({ length: 2_100 }, (_, n) => n);
  await db
    .prepare(
      `INSERT INTO entries (user_id, date, location, method, hours, search, created_at, verified, verified_by, verified_at)
        SELECT ${ada.user.id}, '2026-11-01', 'x', 'MT', 1, '', 0, 1, 'X', 1 FROM json_each(?)`,
    )
    .bind(JSON.stringify(many))
    .run();
  // Chains of one event each, of deleted records.
  const lines = many.map((n) => {
    const recordId = 1_000_000 + n;
    const nothing = { address: null, browser: null, supervisor: null, name: null, cause: null, accountId: null };
    const line = { recordKind: "entry", recordId, number: 1, event: "opened", at: new Date(1), ...nothing } as const;
    return { recordId, hash: eventHash({ ...line, recordHash: NO_PREVIOUS, previous: NO_PREVIOUS }) };
  });
  await db
    .prepare(
      `INSERT INTO verification_log SELECT NULL, 'entry', value ->> 'recordId', 1, 'opened', 1, NULL, NULL, NULL, NULL, NULL,
        ?1, ?1, value ->> 'hash', NULL FROM json_each(?2)`,
    )
    .bind(NO_PREVIOUS, JSON.stringify(lines))
    .run();
  expect(await check()).toMatchObject({ reported: [], lines: 2_107, chains: 2_103, verified: 2_102, older: 2_100 });
  await db.prepare(`UPDATE entries SET hours = 75 WHERE id = ${entry.id}`).run();
  expect((await check()).reported).toHaveLength(1);
});
