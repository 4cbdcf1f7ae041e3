import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { batch, connect } from "#app/db/client.server.ts";
import { IS_FACT_OF_EVENT } from "#app/db/schema.ts";
import { count, rows, startDatabase } from "#tests/worker/database.ts";
import { bytes, insert, type Row, userRow } from "#tests/worker/rows.ts";
import { parseFacts } from "./event-facts.ts";
import { eventHash, factsHash, NO_PREVIOUS } from "./event-hash.server.ts";
import { appendEvent, appendEvents, lastEvent, type NewEvent } from "./log.server.ts";

/*
 * The rules that the database itself enforces: a log allows only additions, and each event contains the hash of the
 * previous one. Catches a log without triggers, in which an UPDATE, a DELETE or a REPLACE succeeds.
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
function line(recordId: number, number: number, previous: number[], over: Row = {}) {
  const event = { ...EVENT, recordId, number, previous: Buffer.from(previous).toString("hex") };
  return {
    record_id: recordId,
    number,
    event: event.event,
    at: event.at.getTime(),
    via: event.via,
    record_hash: bytes(event.recordHash),
    technician_hash: bytes(event.technicianHash),
    supervisor_hash: bytes(event.supervisorHash),
    previous,
    hash: bytes(eventHash(event)),
    ...over,
  };
}

const NONE = bytes(NO_PREVIOUS);

test("an event is appended after the last one of its record", async () => {
  const first = line(1, 1, NONE);
  const second = line(1, 2, first.hash);
  await insert(db, "verification_log", first);
  await insert(db, "verification_log", second);
  await insert(db, "verification_log", line(2, 1, NONE));
  const previous = "lower(hex(previous)) AS previous";
  const stored = await rows(db, `SELECT number, ${previous} FROM verification_log WHERE record_id = 1 ORDER BY number`);
  expect(stored).toEqual([
    { number: 1, previous: NO_PREVIOUS },
    { number: 2, previous: Buffer.from(first.hash).toString("hex") },
  ]);
});

test("an event that does not follow the last one is refused: a wrong number, a wrong hash, the same number twice", async () => {
  const first = line(3, 1, NONE);
  await insert(db, "verification_log", first);
  const wrong = [line(3, 3, first.hash), line(3, 2, NONE), line(3, 1, NONE), line(4, 1, first.hash), line(4, 2, NONE)];
  for (const row of wrong) {
    for (const verb of ["INSERT", "INSERT OR REPLACE"]) {
      await expect(insert(db, "verification_log", row, verb)).rejects.toThrow(/follows the last one/);
    }
  }
});

test("an event cannot be changed, deleted or replaced", async () => {
  const first = line(5, 1, NONE);
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
  const facts = { first_event: 1, about: "technician", user_id: 7, facts: "{}" };
  const add = (about: string, verb = "INSERT") =>
    rows(db, `${verb} INTO event_facts VALUES (${hashAbout(about)}, '${about}', 7, 1, 2, randomblob(16), '{}')`);
  const hashAbout = (about: string) => `CAST(substr('${about}' || hex(zeroblob(16)), 1, 32) AS BLOB)`;
  await add("technician");
  const refusals = [
    () => rows(db, `UPDATE event_facts SET facts = '{"name":"X"}'`),
    () => add("technician", "INSERT OR REPLACE"),
    () =>
      rows(
        db,
        `INSERT INTO event_facts VALUES (${hashAbout("technician")}, 'technician', 7, 1, 2, randomblob(16), '{}')
          ON CONFLICT DO UPDATE SET facts = NULL`,
      ),
  ];
  for (const refusal of refusals) await expect(refusal()).rejects.toThrow(/only added and deleted/);
  expect(await rows(db, "SELECT first_event, about, user_id, facts FROM event_facts")).toEqual([facts]);
  await add("supervisor");
  await expect(add("nobody")).rejects.toThrow(/CHECK/);
  await rows(db, "DELETE FROM event_facts WHERE first_event = 1");
  expect(await count(db, "event_facts")).toBe(0);
});

test("the hash covers every field of an event, and the hash of its facts the salt and the facts", () => {
  const others = [
    { recordId: 2 },
    { number: 2 },
    { event: "declined" as const },
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
    `SELECT number, user_id, facts ->> 'name' AS name FROM verification_log LEFT JOIN event_facts ON event_facts.hash = supervisor_hash
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
test("only those of 100 records in two statements that meet the condition get an event, each with its own facts", async () => {
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

// Catches a row of facts for each event, and one that two accounts share: its hash would link them, and erasing it for one
// would erase it for the other.
test("equal facts of events of one owner that are appended together are one row, which another owner or append never shares", async () => {
  await insert(db, "users", userRow({ id: 8, email: "jan@example.com" }));
  const at = (id: number, userId: number) => ({ position: { id, userId, last: undefined }, event: NAMED });
  const before = await count(db, "event_facts");
  await run(appendEvents(orm, [at(31, 7), at(41, 8), at(32, 7), { ...at(33, 7), event: { ...NAMED, name: "Ola" } }]));
  await run(appendEvent(orm, at(34, 7).position, NAMED));
  const owned = await rows(
    db,
    `SELECT user_id AS owner, (SELECT group_concat(record_id) FROM verification_log AS log WHERE ${IS_FACT_OF_EVENT}) AS records
      FROM event_facts AS facts ORDER BY first_event`,
  );
  expect(owned.slice(before)).toEqual([
    { owner: 7, records: "31,32" },
    { owner: 8, records: "41" },
    { owner: 7, records: "33" },
    { owner: 7, records: "34" },
  ]);
  expect([await stored(31), await stored(32), await stored(41)]).toEqual([
    ...[7, 7, 8].map((user_id) => [{ number: 1, user_id, name: NAMED.name }]),
  ]);
});

test("if the owner was deleted meanwhile, the event is appended and its facts are not stored", async () => {
  await run(appendEvent(orm, { id: 22, userId: 999, last: undefined }, NAMED));
  expect(await stored(22)).toEqual([{ number: 1, user_id: null, name: null }]);
});

/** Runs statements of Drizzle as one transaction. */
async function run(statements: ReturnType<typeof appendEvent>): Promise<void> {
  await batch(orm, statements);
}
