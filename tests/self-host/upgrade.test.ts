import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assemble, compile } from "#self-host/build/compile.ts";
import { dataAsModule, migrationsModule } from "#self-host/build/modules.ts";
import { PASSWORD } from "#tests/worker/people.ts";
import { npmStart, refusedStart } from "./npm-start.ts";
import { dataFolder, logged, logIn, register, SETTINGS, start, TOKEN, visit } from "./start.ts";

/*
 * The executable migrates by itself. It is given a backup of each kept schema, filled by the app of its time
 * (tests/worker/kept-schemas.test.ts). Catches a migration that only Cloudflare's D1 can run, such as one that copies the audit
 * log without its counter.
 */

const VERSIONS = readdirSync("tests/fixtures").flatMap((name) => /^schema-(\d+)\.json$/.exec(name)?.[1] ?? []);
const AUTHORISED = { Authorization: `Bearer ${TOKEN}` };

type Tables = Record<string, Record<string, string | number | null>[]>;

/** The triggers that migrations leave, by name. */
function triggersOf(migrations: string[]): Map<string, string> {
  const triggers = new Map<string, string>();
  for (const [sql, dropped, name = ""] of migrations
    .join("\n")
    .matchAll(/^DROP TRIGGER (\w+);|^CREATE TRIGGER (\w+) [\s\S]*?^END;/gm)) {
    if (dropped) triggers.delete(dropped);
    else triggers.set(name, sql);
  }
  return triggers;
}

/** The kept database as a backup of its version: like in a real one, the triggers come after the rows, which they would reject. */
function backup(version: string, tables: Tables): string {
  const names = readdirSync("migrations").filter((name) => name.slice(0, 4) <= version);
  const migrations = names.map((name) => readFileSync(`migrations/${name}`, "utf8"));
  const triggers = triggersOf(migrations);
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const fill = ([table, list]: [string, Tables[string]]) => {
    const columns = Object.keys(list[0] ?? {});
    const values = columns.map((column) => `value ->> '${column}'`).join(", ");
    const rows = `SELECT ${values} FROM json_each(${quoted(JSON.stringify(list))})`;
    return list.length > 0 ? [`INSERT INTO ${table} (${columns.join(", ")}) ${rows}`] : [];
  };
  const { sqlite_sequence: counters = [], ...others } = tables;
  return [
    "-- Hours Tracker backup",
    "PRAGMA defer_foreign_keys = TRUE",
    ...migrations,
    ...[...triggers.keys()].map((name) => `DROP TRIGGER ${name}`),
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP)",
    ...names.map((name) => `INSERT INTO d1_migrations (name) VALUES (${quoted(name)})`),
    ...Object.keys(others).map((table) => `DELETE FROM ${table}`),
    ...Object.entries(others).flatMap(fill),
    "DELETE FROM sqlite_sequence WHERE name <> 'd1_migrations'",
    ...fill(["sqlite_sequence", counters]),
    ...triggers.values(),
    "-- end of backup\n",
  ].join("\n--;\n");
}

const post = (url: string, path: string, body?: string) =>
  visit(url + path, { method: "POST", headers: AUTHORISED, ...(body !== undefined && { body }) });

test("at least six versions are kept", () => {
  expect(VERSIONS.length).toBeGreaterThanOrEqual(6);
});

for (const version of VERSIONS) {
  test(`a database of schema ${version} opens with today's program: pages answer, and every log verifies`, async () => {
    const tables: Tables = JSON.parse(readFileSync(`tests/fixtures/schema-${version}.json`, "utf8"));
    const data = dataFolder();
    const running = await start(data);
    const answer = await post(running.url, "/restore", backup(version, tables));
    expect([answer.status, await answer.json()]).toMatchObject([200, { message: "Restored" }]);

    const kari = await logIn(running, "kari@example.com", PASSWORD);
    for (const path of ["/profile", "/rope-hours", "/progress", "/supervisors", "/requests", "/account"]) {
      expect([path, (await kari.call("GET", path)).status]).toEqual([path, 200]);
    }
    let verified = 0;
    for (const path of ["/api/entries", "/api/rope-hours"]) {
      const records: { id: number; verified: boolean }[] = await (await kari.call("GET", path)).json();
      for (const record of records.filter((one) => one.verified)) {
        const history = await (await kari.call("GET", `${path}/${record.id}/verification`)).json();
        expect(history).toMatchObject({ intact: true });
        expect(JSON.stringify(history)).toContain("Ola Hansen");
        verified += 1;
      }
    }
    expect(verified).toBe(2);
    const copy = await (await visit(`${running.url}/backup`, { headers: AUTHORISED })).text();
    const counter = tables.sqlite_sequence?.find(({ name }) => name === "verification_log")?.seq;
    expect(copy).toContain(`INSERT INTO sqlite_sequence VALUES ('verification_log', ${counter})`);
    expect(copy.match(/INSERT INTO event_facts /g)).toHaveLength(tables.verification_log?.length ?? 0);
    for (const table of ["users", "entries", "rope_hours", "verification_log"]) {
      const inserted = copy.match(new RegExp(`^INSERT INTO ${table} `, "gm"))?.length ?? 0;
      expect([table, inserted]).toEqual([table, tables[table]?.length]);
    }
    await running.stop();
    const again = await start(data);
    expect((await logIn(again, "kari@example.com", PASSWORD)).call).toBeDefined();
  });
}

const NEWER = "INSERT INTO d1_migrations (name) VALUES ('9999_of_a_newer_version.sql')";
const TOO_NEW =
  /the database has had 9999_of_a_newer_version\.sql, which this version does not know: run the newer version/;

test("a backup of a newer version is not restored", async () => {
  const running = await start(dataFolder());
  const copy = await (await visit(`${running.url}/backup`, { headers: AUTHORISED })).text();
  const answer = await post(
    running.url,
    "/restore",
    copy.replace("\n--;\n-- end", `\n--;\n${NEWER}\n--;\n-- end`).replace(/-- rows .*\n/, "\n"),
  );
  const { message }: { message: string } = await answer.json();
  expect([answer.status, message]).toEqual([409, expect.stringMatching(TOO_NEW)]);
  expect((await visit(`${running.url}/auth`)).status).toBe(200);
});

test("a data folder of a newer version is refused by the executable, which says so and changes nothing", async () => {
  const data = dataFolder();
  const migrations = [
    ...migrationsOf(migrationsModule()),
    { name: "9999_of_a_newer_version.sql", sql: "CREATE TABLE newer (id INTEGER)" },
  ];
  const file = join(dataFolder(), "newer");
  compile(await assemble({ migrations: dataAsModule("binary:migrations", migrations), hasFiles: false }), file);
  const newer = await start(data, SETTINGS, file);
  await register(newer, "ada@example.com");
  await newer.stop();

  const older = await start(data);
  expect([(await visit(`${older.url}/auth`)).status, (await visit(`${older.url}/healthz`)).status]).toEqual([503, 503]);
  await logged(older.log, TOO_NEW);
  await logged(older.log, /Nothing was changed/);
  await older.stop();
  const back = await start(data, SETTINGS, file);
  expect((await (await logIn(back, "ada@example.com")).call("GET", "/api/user")).status).toBe(200);
});

function migrationsOf({ content }: { content: string | Buffer }): { name: string; sql: string }[] {
  return JSON.parse(content.toString().replace(/^export default |;$/g, ""));
}

// Slow, because it runs wrangler. `npm test` checks the same rule on the executable, above.
test.runIf(process.env.SAFE)("a data folder of a newer version is refused by npm start", async () => {
  const data = dataFolder();
  const app = await npmStart(data);
  await app.stop();
  const wrangler = ["node_modules/wrangler/bin/wrangler.js", "d1", "execute", "DB", "--local", "--persist-to", data];
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "true" };
  expect(spawnSync(process.execPath, [...wrangler, "--command", NEWER], { env }).status).toBe(0);
  const refused = await refusedStart({ DATA_DIR: data });
  expect([refused.status, refused.words]).toEqual([1, expect.stringMatching(TOO_NEW)]);
});
