import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { AT_ONCE, SWEEPS } from "#app/sweeps/run-sweeps.server.ts";
import { count, rows, startDatabase } from "#tests/worker/database.ts";
import { entryRow, insert, type Row, requestRow, sessionRow, tokenNumber, userRow } from "#tests/worker/rows.ts";
import { runSweeps } from "./run-sweeps.server.ts";

/*
 * Every sweep removes what is due and nothing else, finds it by its index, and removes a limited number at a time. And
 * every table of the database has a row in docs/scale.md that says what bounds it. tests/safe/year.test.ts checks that
 * this is enough for a year of use.
 */

const db = await startDatabase();
const NOW = Date.parse("2026-11-21T12:00:00Z");
await insert(db, "users", userRow());

vi.spyOn(console, "log").mockImplementation(() => {});
vi.spyOn(console, "error").mockImplementation(() => {});

const HEX = (n: number) => n.toString(16).padStart(64, "0");
const message = (over: Row): Row => ({ kind: "password_changed", user_id: 1, state: "sent", created_at: 0, ...over });
const anImport = { user_id: 1, kind: "entry", mapping: "[]" };

/** For each sweep a row whose time, from which its age counts, is `at`. */
const SAMPLES: Record<string, (at: number, n: number) => Row> = {
  sessions: (at, n) => sessionRow({ id: HEX(n), created_at: at - 1, expires_at: at }),
  "reset links": (at, n) =>
    userRow({ email: `${n}@example.com`, reset_token: HEX(n), reset_token_expiry: at, reset_nonce: "n" }),
  "account links": (at, n) => ({
    user_id: 1,
    ...(n % 2 === 0 ? { purpose: "change", old_email: "b@example.com" } : { purpose: "confirmation", old_email: null }),
    email: "a@example.com",
    token: HEX(n),
    nonce: "n",
    created_at: at - 1,
    expires_at: at,
    used_at: at - 26 * 60 * 60 * 1000,
  }),
  attempts: (at) => ({ subject: HEX(1), at }),
  "attempts of the future": (at) => ({ subject: HEX(1), at }),
  "deleted records": (at) => entryRow({ deleted_at: at }),
  "unused imports": (at) => ({ ...anImport, content: "Date", created_at: at }),
  imports: (at) => ({ ...anImport, content: "", created_at: at, applied_at: at, created: 1, skipped: 0 }),
  messages: (at) => message({ ended_at: at }),
  "known recipients": (at, n) => ({ user_id: 1, recipient: HEX(n), last_at: at }),
  events: (at, n) => ({ id: at * 1000 - (n % 10_000), user_id: 1, type: "request.created", request_id: n }),
  "ended tokens": (at, n) => ({
    user_id: 1,
    name: "May read",
    access: "read",
    hash: HEX(n),
    created_at: at - 1,
    expires_at: at,
  }),
  notices: (at) => ({ recipient: HEX(1), created_at: at - 1, expires_at: at }),
  "secrets of requests": (at, n) => requestRow({ token: tokenNumber(n), submission: `s${n}`, ended_at: at }),
};

/** The rows that a sweep strips and leaves: the condition that they were stripped. */
const STRIPPED: Record<string, string> = {
  "reset links": "email <> 'kari@example.com' AND reset_nonce IS NULL",
  "secrets of requests": "nonce = printf('%032d', 0) AND submission IS NULL",
};

for (const [index, { name, table, age, index: byTime, statements }] of SWEEPS.entries()) {
  const future = age < 0;
  const time = (isDue: boolean) => NOW - age + (isDue === future ? 1 : 0);

  test(`${name}: what is due goes, 1,000 rows at a time, and nothing else`, async () => {
    const sample = SAMPLES[name];
    if (!sample) throw new Error(`the sweep "${name}" has no sample`);
    const first = index * 10_000 + 1;
    const young = await insert(db, table, sample(time(false), first));
    const due = Array.from({ length: AT_ONCE + 1 }, (_, n) => sample(time(true), first + 1 + n));
    const columns = Object.keys(due[0] ?? {});
    await db
      .prepare(
        `INSERT INTO ${table} (${columns.join(", ")})
          SELECT ${columns.map((column) => `value ->> '${column}'`).join(", ")} FROM json_each(?)`,
      )
      .bind(JSON.stringify(due))
      .run();
    const left = async () =>
      STRIPPED[name] ? AT_ONCE + 2 - (await count(db, table, STRIPPED[name])) : count(db, table);
    expect(await left()).toBe(AT_ONCE + 2);
    await runSweeps(db, new Date(NOW));
    expect(await left()).toBe(2);
    await runSweeps(db, new Date(NOW));
    expect(await left()).toBe(1);
    // Only the young row is left.
    expect([young, await count(db, table)]).not.toContain(0);
    await db.prepare(`DELETE FROM ${table} WHERE ${table === "users" ? "id <> 1" : "1"}`).run();
    await db.prepare("DELETE FROM events").run(); // those of the records and requests of these samples
  });

  test(`${name}: its index finds what is due, without a scan`, async () => {
    for (const sql of statements) {
      const plan = (await rows<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${sql}`, 0)).map(({ detail }) => detail);
      expect(plan.join("\n")).toMatch(new RegExp(`SEARCH ${table} USING (COVERING )?(INDEX )?${byTime}`));
      expect(plan.filter((line) => line.startsWith("SCAN"))).toEqual([]);
    }
  });
}

test("an act that has read a link, record, import or request is decided again once the timer has changed it, and no other act", async () => {
  const other = await insert(db, "users", userRow({ email: "other@example.com" }));
  const revisions = async () =>
    (await rows(db, "SELECT revision FROM users WHERE id IN (1, ?) ORDER BY id", other)).map(
      ({ revision }) => revision,
    );
  const raising: string[] = [];
  for (const [index, { name, table, age }] of SWEEPS.entries()) {
    const sample = SAMPLES[name];
    if (!sample || table === "users") continue; // an expired link of a day ago is open for no act
    const [before] = await revisions();
    await insert(db, table, sample(NOW - age + (age < 0 ? 1 : 0), 800_000 + index));
    const young = sample(NOW - age + 60_000, 900_000 + index);
    if ("user_id" in young) await insert(db, table, { ...young, user_id: other });
    await runSweeps(db, new Date(NOW));
    const [after, ofOther] = await revisions();
    expect([name, ofOther]).toEqual([name, 0]);
    if (after !== before) raising.push(name);
    await db.prepare(`DELETE FROM ${table}`).run();
  }
  expect(raising).toEqual(["account links", "deleted records", "unused imports", "imports", "secrets of requests"]);
  await db.prepare("DELETE FROM users WHERE id <> 1").run();
  await db.prepare("DELETE FROM events").run();
});

test("the recipient of a swept message stays known; of several messages the last one counts", async () => {
  const then = NOW - 40 * 86_400_000;
  const to = (recipient: string | null, after: number, over: Row = {}) =>
    insert(db, "outbox", message({ recipient, created_at: then + after, ended_at: then + 99, ...over }));
  await to(HEX(1), 20);
  await to(HEX(1), 10);
  await to(HEX(2), 30, { state: "cancelled" }); // never sent
  await to(HEX(3), 30, { state: "cancelled", unknown_outcomes: 1 }); // may have been sent
  await to(null, 40);
  await runSweeps(db, new Date(NOW));
  expect(await count(db, "outbox")).toBe(0);
  await to(HEX(3), 25);
  await runSweeps(db, new Date(NOW));
  expect(await rows(db, "SELECT recipient, last_at FROM known_recipients ORDER BY recipient")).toEqual([
    { recipient: HEX(1), last_at: then + 20 },
    { recipient: HEX(3), last_at: then + 30 },
  ]);
});

test("a run with nothing to remove reads no row that it keeps", async () => {
  await insert(db, "records", entryRow());
  for (const [index, { name, table, age }] of SWEEPS.entries()) {
    for (let n = 0; n < 20; n += 1) {
      // A young row of one sweep may be due for no other of its table.
      await insert(db, table, SAMPLES[name]?.(NOW + (age < 0 ? 0 : 10), 500_000 + index * 100 + n) ?? {});
    }
  }
  let read = 0;
  const counting = {
    prepare: (sql: string) => db.prepare(sql),
    async batch<T>(statements: D1PreparedStatement[]) {
      const results = await db.batch<T>(statements);
      read += results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
      return results;
    },
  };
  await runSweeps(counting, new Date(NOW));
  // D1 counts up to 3 rows for finding none.
  expect(read).toBeLessThanOrEqual(3 * SWEEPS.flatMap(({ statements }) => statements).length);
});

test("if one sweep fails, the others run, the log names it, and the run is not noted", async () => {
  await runSweeps(db, new Date(NOW));
  const noted = await rows(db, "SELECT * FROM sweep_runs");
  expect(noted).toEqual([{ name: "all", at: NOW, removed: expect.any(Number) }]);
  await db.prepare("DELETE FROM account_links").run();
  await insert(db, "attempts", { subject: HEX(1), at: 1 });
  const lines: string[] = [];
  vi.mocked(console.error).mockImplementation((line: string) => lines.push(line));
  const failing = {
    prepare: (sql: string) => db.prepare(sql.replace("DELETE FROM sessions", "DELETE FROM no_such_table")),
    batch: <T>(statements: D1PreparedStatement[]) => db.batch<T>(statements),
  };
  await expect(runSweeps(failing, new Date(NOW + 60_000))).rejects.toThrow("no_such_table");
  expect(await count(db, "attempts", "at = 1")).toBe(0);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ event: "sweep", removed: { attempts: 1 }, failed: ["sessions"] }),
  ]);
  expect(await rows(db, "SELECT * FROM sweep_runs")).toEqual(noted);
});

/** The rows of the table in docs/scale.md: a table of the database, what bounds it, and the sweeps. */
const decided = [...readFileSync("docs/scale.md", "utf8").matchAll(/^\| `(\w+)` +\| (\w+) +\|(.*)\|$/gm)].map(
  ([, table = "", bound = "", why = ""]) => ({ table, bound, why }),
);

test("docs/scale.md says of every table what bounds it", async () => {
  const made = await rows<{ name: string }>(db, "SELECT name FROM sqlite_master WHERE type = 'table'");
  const tables = made.map(({ name }) => name).filter((name) => !/^(sqlite_|_cf_|d1_)/.test(name));
  expect(decided.map(({ table }) => table).sort()).toEqual(tables.sort());
});

test("docs/scale.md names every sweep, at its table, and calls those tables swept that are emptied by one", () => {
  // Only records that their owner deleted are removed.
  const emptied = SWEEPS.filter(
    ({ table, statements }) => table !== "records" && statements.at(-1)?.startsWith("DELETE"),
  );
  expect(decided.filter(({ bound }) => bound === "swept").map(({ table }) => table)).toEqual(
    expect.arrayContaining(emptied.map(({ table }) => table)),
  );
  expect(decided.filter(({ bound }) => bound === "swept")).toHaveLength(
    new Set(emptied.map(({ table }) => table)).size,
  );
  for (const { name, table } of SWEEPS) {
    expect([name, decided.find((row) => row.table === table)?.why]).toEqual([
      name,
      expect.stringContaining(`_${name}_`),
    ]);
  }
});
