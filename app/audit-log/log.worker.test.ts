import { expect, test } from "vitest";
import { rows, startDatabase } from "#tests/worker/database.ts";
import { insert, type Row } from "#tests/worker/rows.ts";
import { eventHash, FIRST } from "./log.server.ts";

/*
 * What the database itself keeps to, whatever the code above it does: a log is only added to, and each line carries
 * the hash of the one before. Catches a log without triggers, in which an UPDATE, a DELETE or a REPLACE simply works.
 */

const db = await startDatabase();

/** A line of an entry's log, as it is stored. */
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

test("a line is added behind the last one of its record", async () => {
  const first = line(1, 1, FIRST);
  const second = line(1, 2, first.hash);
  await insert(db, "verification_log", first);
  await insert(db, "verification_log", second);
  await insert(db, "verification_log", line(2, 1, FIRST));
  const stored = await rows(db, "SELECT number, previous FROM verification_log WHERE record_id = 1 ORDER BY number");
  expect(stored).toEqual([
    { number: 1, previous: FIRST },
    { number: 2, previous: first.hash },
  ]);
});

test("a line that does not follow the last one is refused: another number, another hash, the same place twice", async () => {
  const first = line(3, 1, FIRST);
  await insert(db, "verification_log", first);
  const wrong = [
    line(3, 3, first.hash),
    line(3, 2, FIRST),
    line(3, 1, FIRST),
    line(4, 1, first.hash),
    line(4, 2, FIRST),
  ];
  for (const row of wrong) {
    for (const verb of ["INSERT", "INSERT OR REPLACE"]) {
      await expect(insert(db, "verification_log", row, verb)).rejects.toThrow(/follows the last one/);
    }
  }
});

test("a line is never changed, deleted or replaced", async () => {
  const first = line(5, 1, FIRST);
  const id = await insert(db, "verification_log", first);
  const refusals = [
    () => rows(db, "UPDATE verification_log SET address = '192.0.2.8' WHERE id = ?", id),
    () => rows(db, "DELETE FROM verification_log WHERE id = ?", id),
    () => insert(db, "verification_log", { ...line(5, 2, first.hash), id }, "INSERT OR REPLACE"),
  ];
  for (const refusal of refusals) await expect(refusal()).rejects.toThrow(/only added to|follows the last one/);
  expect(await rows(db, "SELECT address FROM verification_log WHERE id = ?", id)).toEqual([{ address: "192.0.2.7" }]);
});

test("every fact of a line is in its hash", () => {
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
    previous: FIRST,
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

test("a line from before accounts were noted keeps its hash", () => {
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
    previous: FIRST,
  } as const;
  // Made by the version before migration 0005.
  expect(eventHash(line)).toBe("269a4735f75f217cd810875f3f9d63cfce4b78a4445dadfd737a649fe24dfb85");
});

test("only a confirmation names an account", async () => {
  await expect(insert(db, "verification_log", line(6, 1, FIRST, { account_id: 7 }))).rejects.toThrow(/CHECK/);
  const verified = { event: "verified", name: "Ola", account_id: 0 };
  await expect(insert(db, "verification_log", line(6, 1, FIRST, verified))).rejects.toThrow(/CHECK/);
  await insert(db, "verification_log", line(6, 1, FIRST, { ...verified, account_id: 7 }));
});
