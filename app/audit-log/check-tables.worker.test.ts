import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sessionId } from "#app/accounts/access.server.ts";
import { checkCheckpoints } from "#app/proof/check-checkpoints.server.ts";
import { databaseOf, serveWorker } from "#scripts/lib/local.ts";
import { databaseFolder } from "#tests/memory-folder.ts";
import { startApp } from "#tests/worker/app.ts";
import { migrate, rows } from "#tests/worker/database.ts";
import { textOf } from "#tests/worker/html.ts";
import { PASSWORD_HASH } from "#tests/worker/people.ts";
import { insert } from "#tests/worker/rows.ts";
import { checkLog } from "./check-log.server.ts";
import { tableFaults } from "./check-tables.server.ts";

/*
 * Rows that only a change past the app can store: ids that it never gives, and indexes that disagree with their tables.
 */

const DAY = 24 * 60 * 60 * 1000;
const STRANGE_IDS = ["-1", "0", "9007199254740993"]; // the last is 2^53 + 1, which JavaScript reads as 2^53

interface Column {
  table: string;
  name: string;
  type: string;
  isNeeded: 0 | 1;
  isKey: 0 | 1;
  parent: string | null;
}

/** The columns of every table with an integer key that must have a value, and those of its key. */
function neededColumns(db: D1Database): Promise<Column[]> {
  return rows<Column>(
    db,
    `SELECT made.name AS "table", part.name, part.type, part."notnull" AND part.dflt_value IS NULL AS isNeeded,
        part.pk = 1 AS isKey, (SELECT "table" FROM pragma_foreign_key_list(made.name) WHERE "from" = part.name) AS parent
      FROM sqlite_master AS made, pragma_table_info(made.name) AS part
      WHERE made.type = 'table' AND made.name NOT LIKE '\\_%' ESCAPE '\\' AND made.name NOT LIKE 'sqlite%'
        AND EXISTS (SELECT 1 FROM pragma_table_info(made.name) WHERE pk = 1 AND type = 'INTEGER')
      ORDER BY made.rowid, part.cid`,
  );
}

/** Returns the value of a column for a row that no call can create. */
function storedValue({ table, name, type, isKey, parent }: Column, id: string, userId: number): string {
  if (isKey || (table === "verification_log" && name === "record_id")) return id;
  if (name === "user_id") return table.startsWith("email_") ? id : String(userId); // of those an account has one
  if (parent)
    return `(SELECT ${type === "TEXT" ? "name" : "id"} FROM ${parent} WHERE ${type === "TEXT" ? "name = 'entry'" : "id > 0"} LIMIT 1)`;
  if (/^(methods|mapping)$/.test(name)) return "'[]'";
  if (name === "date") return "'2026-01-01'";
  if (type === "BLOB") return "randomblob(32)";
  return type === "TEXT" ? "lower(hex(randomblob(16)))" : "1";
}

test("rows with ids below 1 and above 2^53 are found in each table, and every walk comes to its end", async () => {
  const app = await startApp();
  const { db } = app;
  const [admin, ada] = [await app.register({ isAdmin: true }), await app.register()];
  await ada.addVerifiedEntry();
  await app.idle();
  await app.tick(new Date());
  const columns = await neededColumns(db);
  const tables = [...new Set(columns.map(({ table }) => table))];
  expect(tables.length).toBeGreaterThan(25);
  const insertion = (table: string, id: string) => {
    const needed = columns.filter((column) => column.table === table && (column.isNeeded || column.isKey));
    return `INSERT INTO "${table}" (${needed.map(({ name }) => name).join(", ")})
      VALUES (${needed.map((column) => storedValue(column, id, ada.user.id)).join(", ")})`;
  };
  for (const table of tables) await expect(db.prepare(insertion(table, "-1")).run(), table).rejects.toThrow();
  for (const { name } of await rows<{ name: string }>(db, "SELECT name FROM sqlite_master WHERE type = 'trigger'"))
    await db.prepare(`DROP TRIGGER "${name}"`).run();
  await db.prepare("PRAGMA ignore_check_constraints = ON").run();
  for (const table of tables) for (const id of STRANGE_IDS) await db.prepare(insertion(table, id)).run();
  await db.prepare("PRAGMA ignore_check_constraints = OFF").run();

  const execute = (sql: string) => rows(db, sql);
  const found = await tableFaults(execute);
  for (const table of tables)
    expect(found).toContainEqual(
      expect.stringMatching(
        new RegExp(`^the table ${table} has 3 rows whose \\w+ the app never gives: from -1 to 9007199254740993$`),
      ),
    );
  const faulty: unknown[] = [];
  const { lines } = await checkLog(execute, (_kind, id) => faulty.push(id));
  expect([lines, faulty]).toEqual([4, expect.arrayContaining([-1, 0, null])]);
  const { faults } = await checkCheckpoints(execute, null);
  expect(faults.join()).toContain("has the id -1, which does not follow 0");

  await admin.json("POST", "/api/admin/log-check");
  for (let minute = 0, isDone = false; !isDone; minute++) {
    expect(minute).toBeLessThan(20);
    await app.tick(new Date(Date.now() + DAY));
    const [row] = await rows<{ progress: string | null }>(db, "SELECT progress FROM log_checks WHERE only = 1");
    isDone = row?.progress === null;
  }
  const [checked] = await rows<{ faults: number }>(db, "SELECT faults FROM log_checks WHERE only = 1");
  expect(checked?.faults).toBeGreaterThan(tables.length);

  for (const path of ["/api/export.json", "/api/entries", "/api/events", "/profile/print?form=ojt"])
    expect([path, (await ada.get(path)).status]).toEqual([path, 200]);
  expect((await admin.get("/api/admin/export.csv?tab=entries")).status).toBe(200);
});

const PLAIN = "brought_forward, hours, level";
const FORGED = "brought_forward, 99900, level";

test("999 hours that an index alone has are shown by a page, and found, where quick_check is content", async () => {
  const data = databaseFolder();
  const start = () =>
    serveWorker({ SESSION_SECRET: "a secret for tests, of 32 bytes and more" }, { data, quiet: true });
  let worker = start();
  afterAll(async () => {
    await worker.dispose();
    rmSync(data, { recursive: true, force: true });
  });
  let db = databaseOf(worker);
  await migrate(db);
  const now = Date.now();
  const userId = await insert(db, "users", {
    ...{ email: "ada@example.com", password: PASSWORD_HASH, name: "Ada", search: "", created_at: now },
    email_confirmed_at: now,
  });
  await insert(db, "sessions", { id: sessionId("a token"), user_id: userId, created_at: now, expires_at: now + DAY });
  await insert(db, "records", {
    ...{ user_id: userId, kind: "entry", date: "2026-11-20", location: "Mongstad", method: "MT", hours: 750 },
    ...{ verified: 1, verified_by: "Ola", verified_at: now, verified_via: "link", search: "", created_at: now },
  });
  const cookie = `session=${encodeURIComponent(Buffer.from(JSON.stringify("a token")).toString("base64"))}`;
  const profile = async () =>
    textOf(await (await worker.dispatchFetch("http://localhost/profile", { headers: { Cookie: cookie } })).text());
  const faults = () => tableFaults((sql) => rows(db, sql));
  expect([await faults(), await profile()]).toEqual([[], expect.not.stringContaining("999")]);

  // The index is made of another expression, and the schema then says what it was: what `writable_schema` does.
  const [index] = await rows<{ sql: string }>(db, "SELECT sql FROM sqlite_master WHERE name = 'records_by_date'");
  await db.prepare("DROP INDEX records_by_date").run();
  await db.prepare(index?.sql.replace(PLAIN, FORGED) ?? "").run();
  // Enough for SQLite to move its write-ahead log, which has checksums, into the file.
  await db
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
        INSERT INTO attempts (subject, at) SELECT hex(randomblob(32)), 1 FROM n`,
    )
    .run();
  await worker.dispose();
  const files = readdirSync(data, { recursive: true, encoding: "utf8" }).map((name) => join(data, name));
  for (const file of files.filter((name) => /-(wal|shm)$/.test(name))) rmSync(file);
  for (const file of files.filter((name) => name.endsWith(".sqlite"))) {
    const bytes = readFileSync(file);
    const at = bytes.indexOf(FORGED);
    if (at === -1) continue;
    bytes.write(PLAIN, at);
    writeFileSync(file, bytes);
  }
  worker = start();
  db = databaseOf(worker);

  expect(await rows(db, "SELECT sql FROM sqlite_master WHERE name = 'records_by_date'")).toEqual([index]);
  expect(await rows(db, "PRAGMA quick_check")).toEqual([{ quick_check: "ok" }]);
  expect(await profile()).toContain("999");
  expect(await faults()).toEqual([
    "the index records_by_date disagrees with its table in 1 row: pages and sums that are read from it are wrong",
  ]);
});
