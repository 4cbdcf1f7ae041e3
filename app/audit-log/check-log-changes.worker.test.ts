import { expect, test } from "vitest";
import { ATTEMPTS } from "#app/db/client.server.ts";
import { startAlterableLog } from "#tests/worker/alterable-log.ts";
import { rows } from "#tests/worker/database.ts";
import { checkLog } from "./check-log.server.ts";
import { eventHash, NO_PREVIOUS } from "./event-hash.server.ts";

/* The check of records that change while it runs, of deleted records, and of a log of many pages. */

const { app, db, ada, entry, open, check, ROPE } = await startAlterableLog();

test("the chain of a deleted record is checked too", async () => {
  await db.prepare(`DELETE FROM users WHERE id = ${ada.user.id}`).run();
  expect(await check()).toMatchObject({ reported: [], lines: 7, chains: 3, verified: 0 });
  await db.prepare(`UPDATE verification_log SET at = at + 1 WHERE ${ROPE} AND number = 1`).run();
  expect((await check()).reported).toEqual([expect.stringMatching(/null \d+ 1: its hash does not match/)]);
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
  await db.prepare(`UPDATE verification_log SET at = at + 1 WHERE record_id = ${open.id} AND number = 1`).run();
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
  await db.prepare(`UPDATE verification_log SET at = at + 1 WHERE record_id = ${open.id} AND number = 1`).run();
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
  expect([looked, reported]).toEqual([2 * ATTEMPTS, ["it changed during every attempt, so check it again"]]);
});

test("a log of more than one page is checked completely", async () => {
  const many = Array.from({ length: 2_100 }, (_, n) => n);
  await db
    .prepare(
      `INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
        SELECT ${ada.user.id}, 'entry', '2026-11-01', 'x', 'MT', 100, '', 0 FROM json_each(?)`,
    )
    .bind(JSON.stringify(many))
    .run();
  // Chains of one event each, of deleted records.
  const lines = many.map((n) => {
    const recordId = 1_000_000 + n;
    const event = { recordId, number: 1, event: "requested", at: new Date(1), cause: null } as const;
    const hashes = {
      recordHash: NO_PREVIOUS,
      technicianHash: NO_PREVIOUS,
      supervisorHash: null,
      previous: NO_PREVIOUS,
    };
    return { recordId, hash: eventHash({ ...event, via: null, ...hashes }) };
  });
  await db
    .prepare(
      `INSERT INTO verification_log SELECT NULL, value ->> 'recordId', 1, 'requested', 1, NULL, NULL, unhex(?1), unhex(?1),
        NULL, unhex(?1), unhex(value ->> 'hash') FROM json_each(?2)`,
    )
    .bind(NO_PREVIOUS, JSON.stringify(lines))
    .run();
  expect(await check()).toMatchObject({
    reported: [],
    lines: 2_107,
    erased: 2_100,
    chains: 2_103,
    verified: 2,
  });
  await db.prepare(`UPDATE records SET hours = 7500 WHERE id = ${entry.id}`).run();
  expect((await check()).reported).toHaveLength(1);
});
