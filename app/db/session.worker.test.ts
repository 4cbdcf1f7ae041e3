import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { count, startDatabase } from "#tests/worker/database.ts";
import { insert, userRow } from "#tests/worker/rows.ts";
import { batch } from "./client.server.ts";
import { users } from "./schema.ts";
import { openConnection } from "./session.server.ts";

/*
 * How the app handles D1's transient errors. Each test was seen to fail: without `retryRead` all 1,000 reads fail, and
 * a retried write is applied twice.
 */

const real = await startDatabase();
await insert(real, "users", userRow());

const LOST = "D1_ERROR: Network connection lost.";

/** A database that can fail: `fault` runs before each round trip and may return an error. */
function failing(fault: (nth: number, execute: () => Promise<unknown>) => Promise<unknown>) {
  let trips = 0;
  const make = (execute: () => Promise<unknown>) => {
    trips += 1;
    return fault(trips, execute);
  };
  const wrap = (statement: D1PreparedStatement) => ({
    statement,
    bind: (...values: unknown[]) => wrap(statement.bind(...values)),
    run: () => make(() => statement.run()),
    all: () => make(() => statement.all()),
    raw: () => make(async () => (await statement.all()).results.map((row) => Object.values(row))),
  });
  const session = {
    prepare: (sql: string) => wrap(real.prepare(sql)),
    batch: (list: { statement: D1PreparedStatement }[]) =>
      make(() => real.batch(list.map(({ statement }) => statement))),
    getBookmark: () => null,
  };
  const binding = { withSession: () => session } as unknown as D1Database; // all that a connection uses
  return { db: openConnection(binding, "first-primary").db, trips: () => trips };
}

const kari = { name: users.name };

test("1,000 reads that fail once with a transient error all succeed", async () => {
  const reads = Array.from({ length: 1_000 }, async (_, index) => {
    const { db, trips } = failing((nth, execute) => (nth === 1 ? Promise.reject(new Error(LOST)) : execute()));
    const read = () => db.select(kari).from(users).where(eq(users.id, 1));
    const found = index % 2 === 0 ? await read() : (await batch(db, { one: read(), two: read() })).two;
    return [found[0]?.name, trips()];
  });
  const results = await Promise.all(reads);
  expect(results.filter(([name, trips]) => name !== "Kari Nordmann" || trips !== 2)).toEqual([]);
});

test("a read that fails twice fails, and a read with a permanent error fails at once", async () => {
  const lost = failing(() => Promise.reject(new Error(LOST)));
  await expect(lost.db.select(kari).from(users)).rejects.toThrow();
  expect(lost.trips()).toBe(2);
  const wrong = failing(() => Promise.reject(new Error("D1_ERROR: no such table: nobody")));
  await expect(wrong.db.select(kari).from(users)).rejects.toThrow();
  expect(wrong.trips()).toBe(1);
});

test("a write whose answer is lost is not repeated, alone or in a batch", async () => {
  const { db, trips } = failing(async (_, execute) => {
    await execute();
    throw new Error(LOST);
  });
  const write = (email: string) =>
    db.insert(users).values({ email, password: "$scrypt$x", search: "", createdAt: new Date(0) });
  await expect(write("one@example.com")).rejects.toThrow();
  await expect(batch(db, { read: db.select(kari).from(users), made: write("two@example.com") })).rejects.toThrow(LOST);
  expect([trips(), await count(real, "users")]).toEqual([2, 3]);
});
