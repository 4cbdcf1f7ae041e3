import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { batch, connect } from "#app/db/client.server.ts";
import { count, rows, startDatabase } from "#tests/worker/database.ts";
import { insert, type Row, userRow } from "#tests/worker/rows.ts";
import { parseFacts } from "./event-facts.ts";
import { eventHash, factsHash, NO_PREVIOUS } from "./event-hash.server.ts";
import { appendEvent, appendEvents, lastEvent, type NewEvent } from "./log.server.ts";

/*
 * What the database itself enforces: a log allows only additions, and each event contains the hash of the previous one.
 * Catches a log without triggers, in which an UPDATE, a DELETE or a REPLACE succeeds.
 */

const db = await startDatabase();
const orm = connect(db);
await insert(db, "users", userRow({ id: 7 }));

const EVENT = {
  recordId: 1,
  number: 1,
  event: "verified",
  at: new Date("2026-11-21T12:00:00Z"),
  cause: null,
  via: "link",
  recordHash: "a".repeat(64),
  technicianHash: "f".repeat(64),
  supervisorHash: "e".repeat(64),
  previous: NO_PREVIOUS,
} as const;

/** A row of an entry's log. */
function line(recordId: number, number: number, previous: string, over: Row = {}): Row & { hash: string } {
  const event = { ...EVENT, recordId, number, previous };
  return {
    record_id: recordId,
    number,
    event: event.event,
    at: event.at.getTime(),
    via: event.via,
    record_hash: event.recordHash,
    technician_hash: event.technicianHash,
    supervisor_hash: event.supervisorHash,
    previous,
    hash: eventHash(event),
    ...over,
  };
}

test("an event is appended after the last one of its record", async () => {
  const first = line(1, 1, NO_PREVIOUS);
  const second = line(1, 2, first.hash);
  await insert(db, "verification_log", first);
  await insert(db, "verification_log", second);
  await insert(db, "verification_log", line(2, 1, NO_PREVIOUS));
  const stored = await rows(db, "SELECT number, previous FROM verification_log WHERE record_id = 1 ORDER BY number");
  expect(stored).toEqual([
    { number: 1, previous: NO_PREVIOUS },
    { number: 2, previous: first.hash },
  ]);
});

test("an event that does not follow the last one is refused: a wrong number, a wrong hash, the same number twice", async () => {
  const first = line(3, 1, NO_PREVIOUS);
  await insert(db, "verification_log", first);
  const wrong = [
    line(3, 3, first.hash),
    line(3, 2, NO_PREVIOUS),
    line(3, 1, NO_PREVIOUS),
    line(4, 1, first.hash),
    line(4, 2, NO_PREVIOUS),
  ];
  for (const row of wrong) {
    for (const verb of ["INSERT", "INSERT OR REPLACE"]) {
      await expect(insert(db, "verification_log", row, verb)).rejects.toThrow(/follows the last one/);
    }
  }
});

test("an event cannot be changed, deleted or replaced", async () => {
  const first = line(5, 1, NO_PREVIOUS);
  const id = await insert(db, "verification_log", first);
  const refusals = [
    () => rows(db, "UPDATE verification_log SET via = 'mailbox' WHERE id = ?", id),
    () => rows(db, "DELETE FROM verification_log WHERE id = ?", id),
    () => insert(db, "verification_log", { ...line(5, 2, first.hash), id }, "INSERT OR REPLACE"),
  ];
  for (const refusal of refusals) await expect(refusal()).rejects.toThrow(/only added to|follows the last one/);
  expect(await rows(db, "SELECT via FROM verification_log WHERE id = ?", id)).toEqual([{ via: "link" }]);
});

test("the facts of an event cannot be changed or replaced, but deleted", async () => {
  const facts = { event_id: 1, about: "technician", user_id: 7, facts: "{}" };
  const add = (about: string, verb = "INSERT") =>
    rows(db, `${verb} INTO event_facts VALUES (1, '${about}', 7, randomblob(16), '{}')`);
  await add("technician");
  const refusals = [
    () => rows(db, `UPDATE event_facts SET facts = '{"name":"X"}'`),
    () => add("technician", "INSERT OR REPLACE"),
    () =>
      rows(
        db,
        "INSERT INTO event_facts VALUES (1, 'technician', 7, randomblob(16), '{}') ON CONFLICT DO UPDATE SET facts = NULL",
      ),
  ];
  for (const refusal of refusals) await expect(refusal()).rejects.toThrow(/only added and deleted/);
  expect(await rows(db, "SELECT event_id, about, user_id, facts FROM event_facts")).toEqual([facts]);
  await add("supervisor");
  await expect(add("nobody")).rejects.toThrow(/CHECK/);
  await rows(db, "DELETE FROM event_facts WHERE event_id = 1");
  expect(await count(db, "event_facts")).toBe(0);
});

test("the hash covers every field of an event, and the hash of its facts the salt and the facts", () => {
  const others = [
    { recordId: 2 },
    { number: 2 },
    { event: "opened" as const },
    { at: new Date(2) },
    { cause: "edited" as const },
    { via: null },
    { recordHash: "b".repeat(64) },
    { technicianHash: "b".repeat(64) },
    { technicianHash: null },
    { supervisorHash: "b".repeat(64) },
    { technicianHash: EVENT.supervisorHash, supervisorHash: EVENT.technicianHash },
    { previous: "1".repeat(64) },
  ];
  expect(new Set(others.flatMap((other) => Object.keys(other)))).toEqual(new Set(Object.keys(EVENT)));
  const hashes = [EVENT, ...others.map((other) => ({ ...EVENT, ...other }))].map((one) => eventHash(one));
  const ofFacts = [factsHash("s", "{}"), factsHash("t", "{}"), factsHash("s", '{"name":"Ola"}')];
  expect(new Set([...hashes, ...ofFacts]).size).toBe(hashes.length + 3);
});

test("facts that are no JSON object are none, so that the check of an altered log does not stop", () => {
  expect([null, "", "{", "[]", "null", "7", '"x"'].map(parseFacts)).toEqual(Array(7).fill({}));
});

const NAMED: NewEvent = { event: "verified", at: EVENT.at, recordHash: EVENT.recordHash, name: 'Ó "Ola"\n\u{1f477}' };
const stored = (id: number) =>
  rows(
    db,
    `SELECT number, user_id, facts ->> 'name' AS name FROM verification_log LEFT JOIN event_facts ON event_id = id AND about = 'supervisor'
      WHERE record_id = ? ORDER BY number`,
    id,
  );

test("an event and its facts are appended together, if their condition is true", async () => {
  const position = { id: 21, userId: 7, last: undefined };
  await run(appendEvent(orm, position, NAMED, sql`WHERE 1 = 2`));
  expect(await stored(21)).toEqual([]);
  await run(appendEvent(orm, position, NAMED, sql`WHERE 1 = 1`));
  expect(await stored(21)).toEqual([{ number: 1, user_id: 7, name: NAMED.name }]);
  await expect(run(appendEvent(orm, position, NAMED))).rejects.toThrow(/follows the last one/);
});

// Catches facts that are stored for the condition alone: they would belong to another request's event.
test("of 100 records in two statements, only those that meet the condition get an event, each with its own facts", async () => {
  const first = { id: 100, userId: 7, last: undefined };
  await run(appendEvent(orm, first, NAMED));
  const [last] = (await batch(orm, { last: lastEvent(orm, 100) })).last;
  const list = Array.from({ length: 100 }, (_, n) => ({
    position: { id: 100 + n, userId: 7, last: n === 0 ? last : undefined },
    event: { ...NAMED, name: `Ola ${n}` },
  }));
  const before = await count(db, "event_facts");
  await run(appendEvents(orm, list, sql`WHERE json_each.value ->> 'recordId' % 2 = 0`));
  expect(await count(db, "event_facts")).toBe(before + 50);
  expect(await stored(100)).toMatchObject([{ name: NAMED.name }, { number: 2, name: "Ola 0" }]);
  expect([await stored(101), await stored(198)]).toMatchObject([[], [{ number: 1, name: "Ola 98" }]]);
});

test("if the owner was deleted meanwhile, the event is appended and its facts are not stored", async () => {
  await run(appendEvent(orm, { id: 22, userId: 999, last: undefined }, NAMED));
  expect(await stored(22)).toEqual([{ number: 1, user_id: null, name: null }]);
});

/** Runs statements of Drizzle as one transaction. */
async function run(statements: ReturnType<typeof appendEvent>): Promise<void> {
  await batch(orm, statements);
}
