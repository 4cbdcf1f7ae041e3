import { beforeEach, expect, test } from "vitest";
import { batch, connect } from "#app/db/client.server.ts";
import { restore, snapshotOf } from "#tests/safe/snapshot.ts";
import { rows } from "#tests/worker/database.ts";
import { startKeptDatabase } from "#tests/worker/kept-database.ts";
import { checkLog } from "./check-log.server.ts";
import { appendEvent, lastEvent } from "./log.server.ts";

/*
 * The log of events from before migration 0008, whose own hashes cover their facts, after facts were altered or erased by
 * someone past the triggers. Each alteration went unnoticed while its check was removed from chain.server.ts.
 */

const db = await startKeptDatabase("0007");
for (const { name } of await rows(db, "SELECT name FROM sqlite_master WHERE type = 'trigger'")) {
  await db.prepare(`DROP TRIGGER "${name}"`).run();
}
const [verified] = await rows<{ id: number; record_id: number; number: number }>(
  db,
  "SELECT id, record_id, number FROM verification_log WHERE event = 'verified' AND record_kind = 'entry'",
);
if (!verified) throw new Error("the kept database has a verified entry");
const whole = await snapshotOf(db);
beforeEach(() => restore(db, whole));

async function check() {
  const reported: string[] = [];
  const report = await checkLog(
    (sql) => rows(db, sql),
    (kind, id, { line, text }) => reported.push(`${kind?.name ?? null} ${id} ${line}: ${text}`),
  );
  return { ...report, reported };
}

const AT = `entry ${verified.record_id} ${verified.number}: `;
const THIS = `event_id = ${verified.id}`;
const OTHER = `event_id = ${verified.id - 1}`;

test("the log verifies after the migration, with nothing erased", async () => {
  expect(await check()).toMatchObject({ reported: [], erased: 0, verified: 4 });
});

test.each([
  ["the typed name", `UPDATE event_facts SET facts = json_set(facts, '$.name', 'X') WHERE ${THIS}`],
  ["an address", `UPDATE event_facts SET facts = json_set(facts, '$.address', '192.0.2.9') WHERE ${THIS}`],
  ["a browser", `UPDATE event_facts SET facts = json_remove(facts, '$.browser') WHERE ${THIS}`],
  ["the account", `UPDATE event_facts SET facts = json_set(facts, '$.accountId', 3) WHERE ${THIS}`],
  ["the supervisor", `UPDATE event_facts SET facts = json_set(facts, '$.supervisor', json('{}')) WHERE ${THIS}`],
  [
    "facts of another event",
    `UPDATE event_facts SET facts = (SELECT facts FROM event_facts WHERE ${OTHER}) WHERE ${THIS}`,
  ],
  ["a salt where there was none", `UPDATE event_facts SET salt = '0123456789012345678901' WHERE ${THIS}`],
  ["the time", `UPDATE verification_log SET at = at + 1 WHERE id = ${verified.id}`],
])("altered by hand: %s", async (_name, sql) => {
  await db.prepare(sql).run();
  const { reported } = await check();
  expect(reported[0]).toBe(`${AT}its hash does not match its content`);
});

test("erased facts are counted and no fault, the digest stays, and the place in the chain is still checked", async () => {
  const { digest, lines } = await check();
  await db.prepare("DELETE FROM event_facts").run();
  expect(await check()).toMatchObject({ reported: [], erased: lines, lines, digest });
  await db.prepare(`UPDATE verification_log SET hash = previous WHERE id = ${verified.id - 1}`).run();
  expect((await check()).reported).toEqual([`${AT}its hash of the previous event is wrong`]);
});

// An event's own hash cannot be computed without its facts, so only the digest tells that the rest of it was altered.
test("the digest changes if an erased event is altered together with its record", async () => {
  await db.prepare("DELETE FROM event_facts").run();
  const { digest } = await check();
  await db.prepare(`UPDATE verification_log SET at = 7 WHERE id = ${verified.id}`).run();
  await db.prepare(`UPDATE entries SET verified_at = 7 WHERE id = ${verified.record_id}`).run();
  const after = await check();
  expect([after.reported, after.digest === digest]).toEqual([[], false]);
});

test("a new event follows an old one, and the chain verifies, also when both are erased", async () => {
  const orm = connect(db);
  const { record_id: id } = verified;
  const [record] = await rows<{ user_id: number }>(db, "SELECT user_id FROM entries WHERE id = ?", id);
  const [last] = (await batch(orm, { last: lastEvent(orm, "entry", id) })).last;
  const position = { kind: "entry", id, userId: record?.user_id ?? 0, last };
  await batch(orm, appendEvent(orm, position, { event: "opened", at: new Date(), recordHash: "a".repeat(64) }));
  expect(await check()).toMatchObject({ reported: [], erased: 0 });
  await db.prepare("DELETE FROM event_facts").run();
  expect((await check()).reported).toEqual([]);
});

test("the facts of records whose owner is unknown are erased by the migration, and their chains verify", async () => {
  const lost = await startKeptDatabase("0007", "DELETE FROM users WHERE id = 1");
  const reported: unknown[] = [];
  const report = await checkLog(
    (sql) => rows(lost, sql),
    (...fault) => reported.push(fault),
  );
  const [facts] = await rows<{ n: number; users: number }>(
    lost,
    "SELECT count(*) AS n, min(user_id) AS users FROM event_facts",
  );
  expect([reported, facts]).toEqual([[], { n: report.lines - report.erased, users: 2 }]);
  expect(report.erased).toBeGreaterThan(0);
});
