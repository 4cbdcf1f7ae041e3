import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { expect, inject, test } from "vitest";
import { checkLog } from "#app/audit-log/check-log.server.ts";
import { type Snapshot, snapshotOf } from "#tests/safe/snapshot.ts";
import { rows } from "./database.ts";
import { askFor, move } from "./email-changes.ts";
import { exportHours } from "./exports.ts";
import { csvOf, upload } from "./imports.ts";
import { KEPT_FOLDER, keptRows, startKeptDatabase } from "./kept-database.ts";
import { startMailApp } from "./mail.ts";
import type { Technician } from "./people.ts";
import { aTarget } from "./targets.ts";

/*
 * Databases of earlier schemas, filled by the app of their time, are kept as `tests/fixtures/schema-{migration}.json`:
 * every row of every table. Every later migration is tested on each of them. Before adding a migration, keep today's
 * schema: `KEEP_SCHEMA=1 npx vitest run --config remix.config.ts --project worker tests/worker/kept-schemas`.
 */

const newest = inject("migrations").at(-1)?.name.slice(0, 4) ?? "";

/** The log as it was before migration 0008, which moved the facts of its events to a table of their own. */
const OLDER_LOG = `(SELECT verification_log.*, facts ->> 'address' AS address, facts ->> 'browser' AS browser,
  facts ->> 'supervisor' AS supervisor, facts ->> 'name' AS name, facts ->> 'accountId' AS account_id
  FROM verification_log LEFT JOIN event_facts ON event_id = id AND salt IS NULL ORDER BY id)`;

/**
 * What migration 0010 moved to other tables and columns, from where app/db/requests-migration.worker.test.ts finds it again:
 * a whole table, and columns.
 */
const MOVED_TABLES = ["ended_links"];
const MOVED_COLUMNS: Record<string, string[]> = {
  outbox: ["record_kind", "record_id", "supervisor_id", "link_ended", "request_id"],
};

/** The words that a migration replaced, by table and column: 0021. */
const RENAMED: Record<string, Record<string, Record<string, string>>> = { outbox: { state: { moot: "cancelled" } } };

/** Tables whose rows expire by themselves. */
const PASSING = ["tries"];

/** Fills a database through the app, so that each table has rows in each state that the app can create. */
async function filledByTheApp(): Promise<Snapshot> {
  const app = await startMailApp();
  const kari = await app.register({ email: "kari@example.com", name: "Kari Nordmann", employeeNumber: "NDT-7" });
  const jan = await app.register({ email: "jan@example.com", name: "Jan Łódzki 山田 العربية", employeeNumber: null });
  await app.register({ email: "admin@example.com", name: null, isAdmin: true });
  await app.register({ email: "new@example.com", isConfirmed: false });
  for (const technician of [kari, jan]) await log(technician);
  await move(app, jan, "jan.new@example.com");
  await askFor(jan, "jan.next@example.com");
  await app.settled(jan);
  app.mailChannels.behave({ status: 503 });
  const { id } = await kari.addEntry({ location: "Waiting for the mail service" });
  await kari.requestVerification(id);
  await app.idle();
  await app.json("POST", "/api/auth/reset-password", { email: "jan.new@example.com" });
  await app.idle();
  await exportHours(kari);
  expect((await kari.json("POST", "/api/tokens", { name: "Payroll", access: "read" })).status).toBe(201);
  // A supervisor is told what was verified in their name, and wants no more emails.
  app.mailChannels.reset();
  await app.tick(new Date());
  await app.idle();
  const told = app.mailChannels.delivered.find(({ subject }) => subject.includes("in your name"));
  const stop = told?.text.match(/hours\.example\.com(\/unsubscribe\/\S+)/)?.[1] ?? "";
  expect((await app.post(stop, {})).status).toBe(200);
  // An email that ended long ago is swept, and its recipient stays known.
  const longAgo =
    "UPDATE outbox SET ended_at = 0 WHERE id = (SELECT max(id) FROM outbox WHERE kind = ? AND state = 'sent')";
  await app.db.prepare(longAgo).bind("verification_requested").run();
  await app.tick(new Date());
  return snapshotOf(app.db);
}

/** Every action of a technician on records of both kinds. */
async function log(technician: Technician): Promise<void> {
  const supervisor = await technician.addSupervisor({ email: `ola-${technician.user.id}@example.org` });
  expect((await technician.json("POST", "/api/targets", aTarget())).status).toBe(201);
  await technician.addEntry({ date: "2025-12-31", hours: 800, broughtForward: true });
  const { id } = await upload(technician, csvOf("2026-11-19,Imported,PT,2"));
  expect((await technician.json("POST", `/api/imports/${id}/apply`)).status).toBe(200);
  await upload(technician, csvOf("2026-11-19,Not yet imported,PT,2"));
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await technician.json(method, path, body);
    expect([method, path, Math.floor(answer.status / 100)]).toEqual([method, path, 2]);
    return answer.json<{ id: number; verificationToken: string }>();
  };
  for (const [path, request, sample] of [
    ["/api/entries", "/api/verify-request", { date: "2026-11-20", location: "Mongstad", method: "MT", hours: 7.25 }],
    [
      "/api/rope-hours",
      "/api/verify-request-rope",
      { startDate: "2026-11-16", endDate: "2026-11-20", location: "Valhall", skills: "Rescue\nRigging", hours: 38.5 },
    ],
  ] as const) {
    const add = async (location: string): Promise<number> => {
      const made = await technician.json("POST", path, { ...sample, location });
      return [made.json<{ id: number } | { id: number }[]>()].flat()[0]?.id ?? 0;
    };
    const requestVerification = async (id: number) =>
      (await send("POST", `${request}/${id}`, { supervisorId: supervisor.id })).verificationToken;
    await add("Pending");
    await requestVerification(await add("Requested"));
    const withdrawn = await add("Withdrawn");
    await requestVerification(withdrawn);
    await send("DELETE", `${request}/${withdrawn}`);
    const edited = await add("Edited");
    await requestVerification(edited);
    await send("PATCH", `${path}/${edited}`, { hours: 6 });
    const deleted = await add("Deleted");
    await requestVerification(deleted);
    await send("DELETE", `${path}/${deleted}`);
    const token = await requestVerification(await add("Verified"));
    const visitor = technician.as(new Map());
    expect((await visitor.get(`/verify/${token}`)).status).toBe(200);
    expect((await visitor.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" })).status).toBe(200);
    await send("POST", "/api/exports", { kind: path === "/api/entries" ? "entries" : "rope_hours" });
  }
}

const { KEEP_SCHEMA } = process.env;

test("a database filled by the app has rows in every table", async () => {
  const filled = await filledByTheApp();
  expect([...filled].filter(([table, list]) => list.length === 0 && !PASSING.includes(table))).toEqual([]);
  if (!KEEP_SCHEMA) return;
  mkdirSync(KEPT_FOLDER, { recursive: true });
  writeFileSync(`${KEPT_FOLDER}/schema-${newest}.json`, `${JSON.stringify(Object.fromEntries(filled), null, 1)}\n`);
});

const kept = readdirSync(KEPT_FOLDER).filter((name) => name.endsWith(".json"));

test("at least one database is kept", () => {
  expect(kept).toContain("schema-0003.json");
});

for (const name of kept) {
  const version = name.replace(/\D/g, "");
  const { sqlite_sequence: counters = [], ...tables } = keptRows(version);

  test(`the migrations after ${version} lose no row and no value of its kept database`, async () => {
    const db = await startKeptDatabase(version);
    for (const [table, list] of Object.entries(tables)) {
      if (MOVED_TABLES.includes(table)) continue;
      const columns = Object.keys(list[0] ?? {}).filter((name) => !MOVED_COLUMNS[table]?.includes(name));
      const before = list.map((row) =>
        Object.fromEntries(columns.map((name) => [name, RENAMED[table]?.[name]?.[String(row[name])] ?? row[name]])),
      );
      const from = table === "verification_log" && version < "0008" ? OLDER_LOG : table;
      const after = columns.length > 0 ? await rows(db, `SELECT ${columns.join(", ")} FROM ${from}`) : [];
      expect([table, after]).toEqual([table, before]);
    }
    expect(await rows(db, "PRAGMA foreign_key_check")).toEqual([]);
    const faults: unknown[] = [];
    const report = await checkLog(
      (sql) => rows(db, sql),
      (...fault) => faults.push(fault),
    );
    expect(faults).toEqual([]);
    expect(report).toMatchObject({ verified: 4, erased: 0 });
    expect(report.lines).toBe(tables.verification_log?.length);
    // The next record gets a new id.
    for (const table of ["entries", "verification_log"]) {
      const counter = await rows(db, "SELECT * FROM sqlite_sequence WHERE name = ?", table);
      expect(counter).toEqual(counters.filter(({ name }) => name === table));
    }
  });
}

test("a migration that copies the outbox keeps its counter: the id of a deleted message is not given again", async () => {
  const last = keptRows("0020").outbox?.at(-1)?.id ?? 0;
  for (const which of [`id = ${last}`, "1"]) {
    const db = await startKeptDatabase("0020", `DELETE FROM outbox WHERE ${which}`);
    const add =
      "INSERT INTO outbox (kind, user_id, state, created_at) VALUES ('password_reset', 1, 'sent', 1) RETURNING id";
    expect(await rows(db, add)).toEqual([{ id: Number(last) + 1 }]);
  }
});
