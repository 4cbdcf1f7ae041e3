import { expect, test } from "vitest";
import { rows, startDatabase } from "#tests/worker/database.ts";
import { insert, type Row } from "#tests/worker/rows.ts";
import { eventHash, NO_PREVIOUS } from "./log.server.ts";

/*
 * What the database itself enforces: a log allows only additions, and each event contains the hash of the previous one.
 * Catches a log without triggers, in which an UPDATE, a DELETE or a REPLACE succeeds.
 */

const db = await startDatabase();

/** A row of an entry's log. */
function line(recordId: number, number: number, previous: string, over: Row = {}): Row & { hash: string } {
  const facts = {
    recordKind: "entry",
    recordId,
    number,
    event: "opened",
    at: new Date("2026-11-21T12:00:00Z"),
    address: "192.0.2.7",
    browser: null,
    supervisor: null,
    name: null,
    cause: null,
    accountId: null,
    recordHash: "a".repeat(64),
    previous,
  } as const;
  return {
    record_kind: "entry",
    record_id: recordId,
    number,
    event: "opened",
    at: facts.at.getTime(),
    address: facts.address,
    record_hash: facts.recordHash,
    previous,
    hash: eventHash(facts),
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
    () => rows(db, "UPDATE verification_log SET address = '192.0.2.8' WHERE id = ?", id),
    () => rows(db, "DELETE FROM verification_log WHERE id = ?", id),
    () => insert(db, "verification_log", { ...line(5, 2, first.hash), id }, "INSERT OR REPLACE"),
  ];
  for (const refusal of refusals) await expect(refusal()).rejects.toThrow(/only added to|follows the last one/);
  expect(await rows(db, "SELECT address FROM verification_log WHERE id = ?", id)).toEqual([{ address: "192.0.2.7" }]);
});

test("the hash covers every field of an event", () => {
  const facts = {
    recordKind: "entry",
    recordId: 1,
    number: 1,
    event: "verified",
    at: new Date(1),
    address: "192.0.2.7",
    browser: "Browser",
    supervisor: "{}",
    name: "Ola",
    cause: null,
    accountId: null,
    recordHash: "a".repeat(64),
    previous: NO_PREVIOUS,
  } as const;
  const others = [
    { recordKind: "rope_hour" as const },
    { recordId: 2 },
    { number: 2 },
    { event: "opened" as const },
    { at: new Date(2) },
    { address: null },
    { browser: null },
    { supervisor: null },
    { name: "Kari" },
    { cause: "edited" as const },
    { accountId: 7 },
    { recordHash: "b".repeat(64) },
    { previous: "1".repeat(64) },
  ];
  expect(others.length).toBe(Object.keys(facts).length);
  const hashes = [facts, ...others.map((other) => ({ ...facts, ...other }))].map((one) => eventHash(one));
  expect(new Set(hashes).size).toBe(hashes.length);
});

test("an event from before accounts were stored keeps its hash", () => {
  const line = {
    recordKind: "entry",
    recordId: 1,
    number: 4,
    event: "verified",
    at: new Date(1_763_726_400_000),
    address: "192.0.2.7",
    browser: "Gauge/1.0",
    supervisor: null,
    name: "Ola Hansen",
    cause: null,
    accountId: null,
    recordHash: "a".repeat(64),
    previous: NO_PREVIOUS,
  } as const;
  // Computed by the version before migration 0005.
  expect(eventHash(line)).toBe("269a4735f75f217cd810875f3f9d63cfce4b78a4445dadfd737a649fe24dfb85");
});

test("only a verification has an account", async () => {
  await expect(insert(db, "verification_log", line(6, 1, NO_PREVIOUS, { account_id: 7 }))).rejects.toThrow(/CHECK/);
  const verified = { event: "verified", name: "Ola", account_id: 0 };
  await expect(insert(db, "verification_log", line(6, 1, NO_PREVIOUS, verified))).rejects.toThrow(/CHECK/);
  await insert(db, "verification_log", line(6, 1, NO_PREVIOUS, { ...verified, account_id: 7 }));
});
