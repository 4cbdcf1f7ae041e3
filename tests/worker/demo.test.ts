import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkLog } from "#app/audit-log/check-log.server.ts";
import { tableFaults } from "#app/audit-log/check-tables.server.ts";
import { progressFromRows, progressQueries } from "#app/certification/progress.server.ts";
import { progressOf } from "#app/certification/progress.ts";
import { batch, connect } from "#app/db/client.server.ts";
import { checkCheckpoints } from "#app/proof/check-checkpoints.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { valuesOf } from "#app/records/kind.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import { type Added, fillDemo, HasEventsError } from "#demo/fill-demo.ts";
import { fillLarge, LARGE_LOGS, largeEmail } from "#demo/large.ts";
import { databaseOf, serveWorker } from "#scripts/lib/local.ts";
import { databaseFolder } from "#tests/memory-folder.ts";
import { count, migrate, rows } from "./database.ts";

/*
 * The rows that `npm run seed` stores, with a part of the large data: it has the same statements for any number of
 * technicians.
 */

const data = databaseFolder();
const worker = serveWorker({ SESSION_SECRET: "a secret for tests, of 32 bytes and more" }, { data, quiet: true });
afterAll(async () => {
  await worker.dispose();
  rmSync(data, { recursive: true, force: true });
});
const db = databaseOf(worker);
const target = { database: db, origin: "http://localhost:8787", secret: "a secret for tests, of 32 bytes and more" };

// A Monday, so that the weekend before it is seen.
const NOW = new Date("2026-11-23T12:00:00Z");
let added: Added;

beforeAll(async () => {
  await migrate(db);
  added = await fillDemo(target, undefined, NOW);
});

const DANA = "user_id = (SELECT id FROM users WHERE email = 'demo@example.com')";
const OPEN = "verified = 0 AND verification_token IS NOT NULL";
const PENDING = "verified = 0 AND verification_token IS NULL";

/** Every row of every table, except the hashes of passwords. */
async function everything(): Promise<string> {
  const tables = await rows<{ name: string }>(
    db,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf*'",
  );
  const contents = await Promise.all(tables.map(({ name }) => rows(db, `SELECT * FROM ${name}`)));
  return JSON.stringify(contents);
}

/** The faults of the audit log, and its report. */
async function check() {
  const faults: string[] = [];
  const execute = async (sql: string) => rows(db, sql);
  const report = await checkLog(execute, (kind, id, { text }) => faults.push(`${kind?.name} ${id}: ${text}`));
  faults.push(...(await tableFaults(execute)), ...(await checkCheckpoints(execute, null)).faults);
  return { faults, report };
}

test("the demo technician has a year of verified, requested and pending records, four supervisors, and an instructor", async () => {
  const states = async (table: string) =>
    Promise.all(["verified = 1", OPEN, PENDING].map((state) => count(db, table, `${DANA} AND ${state}`)));
  expect(await states("entries")).toEqual([71, 9, 10]);
  expect(await states("rope_hours")).toEqual([11, 2, 2]);
  expect(await count(db, "supervisors", DANA)).toBe(5);
  const [span] = await rows(
    db,
    `SELECT min(date) AS first, max(date) AS last, count(DISTINCT location) AS places,
    count(DISTINCT method) AS methods, count(DISTINCT verified_by) AS verifiers FROM entries WHERE ${DANA}`,
  );
  expect(span).toMatchObject({ places: 12, methods: 11, verifiers: 4 });
  expect(String(span?.first) > "2025-11-23" && String(span?.first) < "2026-01-01").toBe(true);
  expect(String(span?.last) >= "2026-11-20" && String(span?.last) <= "2026-11-22").toBe(true);
});

test("a request that a supervisor has answered was opened before", async () => {
  const answered = "id IN (SELECT request_id FROM verification_answers)";
  expect(await count(db, "verification_requests", answered)).toBeGreaterThan(100);
  expect(await count(db, "verification_requests", `${answered} AND coalesce(opened_at, 0) < requested_at`)).toBe(0);
});

test("the demo technician works towards two targets: one of entries, one of rope hours", async () => {
  const items = await rows<{ title: string; required: number }>(
    db,
    `SELECT title, required FROM target_items WHERE target_id IN (SELECT id FROM targets WHERE ${DANA}) ORDER BY title`,
  );
  expect(items.map(({ title }) => title)).toEqual([
    ...["Colour vision", "Composite", "General", "Hours on the rope", "Level 1 certificate"],
    ...["Months since the certificate", "Near vision", "Practical", "Specific", "Total NDT experience"],
    ...["UT classroom training", "UT experience"],
  ]);
});

test("towards Level II one part is met, one waits, one is missing and one ends soon", async () => {
  const [{ id } = { id: 0 }] = await rows<{ id: number }>(db, "SELECT id FROM users WHERE email = 'demo@example.com'");
  const today = "2026-11-23";
  const orm = connect(db);
  const answers = progressFromRows(await batch(orm, progressQueries(orm, id, { today })));
  const [{ target, parts } = { target: null, parts: [] }] = await progressOf(answers.targets, answers.rows, today);
  expect(target?.title).toBe("SNT-TC-1A, UT, Level II after Level I, high school");
  expect(Object.fromEntries(parts.map(({ part, state }) => [part, state]))).toEqual({
    training: "met",
    experience: "missing",
    examinations: "waiting",
    vision: "ends_soon",
  });
  const certificates = await count(db, "records", `${DANA} AND kind = 'certificate'`);
  expect([certificates, await count(db, "records", `${DANA} AND kind = 'training'`)]).toEqual([8, 2]);
});

test("a day of the demo technician has 2.5 to 12 hours, and few days are on a weekend", async () => {
  const days = await rows<{ date: string; hours: number }>(
    db,
    `SELECT date, sum(hours) AS hours FROM entries WHERE ${DANA} GROUP BY date`,
  );
  expect(days.filter(({ hours }) => hours < 2.5 || hours > 12)).toEqual([]);
  const weekends = days.filter(({ date }) => [0, 6].includes(new Date(date).getUTCDay()));
  expect(weekends.length).toBeGreaterThan(0);
  expect(weekends.length).toBeLessThan(days.length / 8);
});

test("the admin has a company of 30 other technicians with logs, one of them without a name", async () => {
  expect(added.accounts).toBe(32);
  expect(await rows(db, "SELECT email FROM users WHERE is_admin = 1")).toEqual([{ email: "admin@example.com" }]);
  const logs = await rows<{ name: string | null; entries: number }>(
    db,
    `SELECT name, (SELECT count(*) FROM entries WHERE user_id = users.id) AS entries FROM users
      WHERE is_admin = 0 AND email <> 'demo@example.com'`,
  );
  expect(logs).toHaveLength(30);
  expect(logs.filter(({ name }) => name === null)).toHaveLength(1);
  expect(logs.filter(({ entries }) => entries < 5 || entries > 20)).toEqual([]);
});

test("every record has the fields that the app accepts, and its times are in order and in the past", async () => {
  for (const kind of [entryKind, ropeHoursKind]) {
    const table = kind === entryKind ? "entries" : "rope_hours";
    const columns = valuesOf(kind).map(
      (field) => `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} AS ${field}`,
    );
    const records = await rows(db, `SELECT ${columns.join(", ")} FROM ${table}`);
    expect(records.filter((record) => !kind.schema.safeParse(record).success)).toEqual([]);
    const last = kind === entryKind ? "date" : "end_date";
    expect(await count(db, table, `${last} > '2026-11-23' OR unixepoch(${last}) * 1000 > created_at`)).toBe(0);
    expect(await count(db, table, "verified_at < created_at OR verified_at > ?", NOW.getTime())).toBe(0);
  }
  expect(await count(db, "entries", "created_at < (SELECT created_at FROM users WHERE id = user_id)")).toBe(0);
});

test("the audit log verifies, with a request for each record that is not pending", async () => {
  const { faults, report } = await check();
  expect(faults).toEqual([]);
  const verified = await count(db, "records", "verified = 1");
  const asked = "kind IN ('training', 'certificate') AND requested_at IS NOT NULL";
  const open =
    (await count(db, "entries", OPEN)) + (await count(db, "rope_hours", OPEN)) + (await count(db, "records", asked));
  // Records of the requests for several records have no link of their own. One of them was declined, which is an event.
  const several = await count(db, "entries", `${PENDING} AND (requested_at IS NOT NULL OR declined_at IS NOT NULL)`);
  const ropes = await count(db, "rope_hours", `${PENDING} AND requested_at IS NOT NULL`);
  const declined = await count(db, "verification_items", "state = 'declined'");
  const chains = verified + open + several + ropes;
  expect(report).toMatchObject({ verified, chains, lines: chains + verified + declined });
});

test("the demo technician has a request for several records that waits, and one that was answered in part", async () => {
  const items = await rows(
    db,
    `SELECT group_concat(state, ' ') AS states FROM
      (SELECT request_id, state FROM verification_items ORDER BY request_id, position)
      GROUP BY request_id HAVING count(*) > 1 ORDER BY request_id`,
  );
  expect(items).toEqual([
    { states: "waiting waiting waiting waiting waiting waiting" },
    { states: "verified declined waiting" },
  ]);
});

test("the demo leaves no session and no email, and returns the link of an open request", async () => {
  expect([await count(db, "sessions"), await count(db, "outbox")]).toEqual([0, 0]);
  const token = added.openLink?.replace("http://localhost:8787/verify/", "");
  expect(await count(db, "entries", `${OPEN} AND verification_token = ?`, token)).toBe(1);
});

// Any program of the machine can reach a Worker in Miniflare by its port.
test("the Worker that answers SQL for commands answers no request without its key", async () => {
  const body = JSON.stringify({ kind: "all", statements: [{ sql: "SELECT 1", values: [] }] });
  for (const headers of [
    new Headers(),
    new Headers({ Authorization: "" }),
    new Headers({ Authorization: "undefined" }),
  ]) {
    const url = await worker.unsafeGetDirectURL("side-worker");
    const answer = await fetch(url, { method: "POST", headers, body });
    expect([answer.status, await answer.text()]).toEqual([403, "Forbidden"]);
  }
});

test("a second run changes nothing", async () => {
  const before = await everything();
  let hasStarted = false;
  const onStart = () => {
    hasStarted = true;
  };
  expect(await fillDemo(target, onStart)).toEqual({ accounts: 0, openLink: null });
  expect(hasStarted).toBe(false);
  expect(await everything()).toBe(before);
});

test("the demo is not added, in whole or in part, where the audit log has events of others", async () => {
  await db.prepare("UPDATE users SET email = 'dana@example.org' WHERE email = 'demo@example.com'").run();
  const before = await everything();
  await expect(fillDemo(target)).rejects.toThrow(HasEventsError);
  expect(await everything()).toBe(before);
  await db.prepare("UPDATE users SET email = 'demo@example.com' WHERE email = 'dana@example.org'").run();
});

test("the large data has a million entries, 100,000 and 10,000 of them for one technician each", () => {
  expect(LARGE_LOGS.reduce((sum, one) => sum + one, 0)).toBe(1_000_000);
  expect(LARGE_LOGS.slice(0, 3)).toEqual([100_000, 10_000, 1_000]);
});

test("the large data is valid, is searched as the app's own, leaves the audit log without fault, and is added once", async () => {
  const logs = [6_000, 1_000, 1_000];
  const earlier = await count(db, "entries");
  expect(await fillLarge(db, logs, NOW)).toBe(8_000);
  expect(await count(db, "entries")).toBe(earlier + 8_000);
  for (const [index, entries] of logs.entries()) {
    const mine = `user_id = (SELECT id FROM users WHERE email = '${largeEmail(index)}')`;
    expect(await count(db, "entries", mine)).toBe(entries);
    for (const state of ["verified = 1", OPEN, PENDING]) {
      expect(await count(db, "entries", `${mine} AND ${state}`)).toBeGreaterThan(entries / 100);
    }
  }
  const sample = await rows<{
    date: string;
    location: string;
    method: "ET";
    hours: number;
    by: string | null;
    search: string;
  }>(
    db,
    "SELECT date, location, method, hours / 100.0 AS hours, verified_by AS 'by', search FROM records ORDER BY id DESC LIMIT 2000",
  );
  for (const { by, search, ...values } of sample) {
    expect(entryKind.schema.safeParse(values).success).toBe(true);
    expect(search).toBe([entryKind.search({ ...values, details: {} }), ...(by ? [by.toLowerCase()] : [])].join("\n"));
  }
  expect(await count(db, "entries", "length(verification_token) <> 36 OR date > '2026-11-23'")).toBe(0);
  const { faults, report } = await check();
  expect(faults).toEqual([]);
  const verified = await count(db, "records", "verified = 1");
  expect([report.verified, await count(db, "records", "submission = 'large'")]).toEqual([verified, 0]);

  const users = await count(db, "users");
  expect(await fillLarge(db, logs, NOW)).toBe(0);
  expect(await fillLarge(db, [...logs, 1_000], NOW)).toBe(1_000); // goes on after an interruption
  expect(await count(db, "users")).toBe(users + 1);
});
