import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VERSION } from "#app/server/version.ts";
import { BINARY } from "#scripts/binary.ts";
import { assemble, compile } from "#self-host/build/compile.ts";
import type { Module } from "#self-host/build/config.ts";
import { dataAsModule, migrationFiles } from "#self-host/build/modules.ts";
import { type Migration, stateOf } from "#self-host/migrations.ts";
import { longTest } from "#tests/safe/figures.ts";
import { npmStart, runCommand } from "./npm-start.ts";
import { dataFolder, logged, logIn, register, SETTINGS, start, TOKEN, visit } from "./start.ts";

/*
 * The executable migrates by itself. It refuses a database of a newer version, and one of before 1.0.0 that was made from
 * another version of the first migration, as do npm start and a restore. Catches a program that uses tables that it does not know.
 */

const AUTHORISED = { Authorization: `Bearer ${TOKEN}` };

const NEWER = "INSERT INTO d1_migrations (name) VALUES ('9999_of_a_newer_version.sql')";
const TOO_NEW =
  /the database has had 9999_of_a_newer_version\.sql, which this version does not have: run the newer version/;

const OTHER =
  /its tables are not those of this version: it was made by a version of before 1\.0\.0, so run that version; or it was altered, so keep a copy, .* restore a backup of before/;

/** The parts of this version's executable. They are bundled once, which takes seconds. */
let parts: ReturnType<typeof assemble> | undefined;

/** An executable of another version, by its migrations and maybe its number. */
async function otherVersion(migrations: Migration[], version = VERSION): Promise<string> {
  const file = join(dataFolder(), "other");
  parts ??= assemble({ hasFiles: false });
  const { front, storage, ...others } = await parts;
  const changed = ({ name, content }: Module): Module =>
    name === "binary:migrations"
      ? dataAsModule(name, migrations)
      : { name, content: typeof content === "string" ? content.replaceAll(VERSION, version) : content };
  compile({ ...others, front: front.map(changed), storage: storage.map(changed) }, file);
  return file;
}

const [first = { name: "", sql: "" }] = migrationFiles();
/** The first migration as it may have been once, and under the name of before. */
const EARLIER = [{ ...first, sql: first.sql.replace("records_by_kind", "records_of_kind") }];
/** With another NDT method: its tables are the same. */
const OTHER_ROWS = [{ ...first, sql: first.sql.replace("('LSI')", "('NR')") }];
const BEFORE = [{ ...first, name: "0001_house.sql" }];

test("a backup of another version is not restored", async () => {
  const running = await start(dataFolder());
  const copy = await (await visit(`${running.url}/backup`, { headers: AUTHORISED })).text();
  const applied = (sql: string) => copy.replace("\n--;\n-- end", `\n--;\n${sql}\n--;\n-- end`);
  const counted = (text: string) => text.replace('"d1_migrations":1', '"d1_migrations":2');
  for (const [body, words] of [
    [counted(applied(NEWER)), TOO_NEW],
    [applied("UPDATE d1_migrations SET name = '0001_house.sql'"), OTHER],
    [applied("ALTER TABLE records ADD COLUMN extra TEXT"), OTHER],
    [applied("DROP VIEW entries"), OTHER],
    [applied("UPDATE methods SET name = 'NR' WHERE name = 'LSI'"), OTHER],
    [applied("DROP TRIGGER verified_stays"), /its triggers are not those of this version/],
  ] as const) {
    const answer = await visit(`${running.url}/restore`, { method: "POST", headers: AUTHORISED, body });
    const { message }: { message: string } = await answer.json();
    expect([answer.status, message]).toEqual([409, expect.stringMatching(words)]);
    expect((await visit(`${running.url}/auth`)).status).toBe(200);
  }
  const answer = await visit(`${running.url}/restore`, { method: "POST", headers: AUTHORISED, body: copy });
  expect(answer.status).toBe(200);
});

const OF_NEWER = { name: "9999_of_a_newer_version.sql", sql: "CREATE TABLE newer (id INTEGER)" };
const REFUSED = "is refused by the executable, which says so and changes nothing";
test(`a data folder of a newer version ${REFUSED}`, () => isRefused([...migrationFiles(), OF_NEWER], TOO_NEW));
test(`a data folder of another first migration ${REFUSED}`, () => isRefused(EARLIER, OTHER));
// A restore goes through the same check, above.
longTest(`a data folder of a first migration with other methods ${REFUSED}`, () => isRefused(OTHER_ROWS, OTHER));
longTest(`a data folder of other migrations ${REFUSED}`, () => isRefused(BEFORE, OTHER));

async function isRefused(made: Migration[], words: RegExp): Promise<void> {
  const data = dataFolder();
  const file = await otherVersion(made);
  const other = await start(data, SETTINGS, file);
  await register(other, "ada@example.com");
  await other.stop();

  const refusing = await start(data);
  const statuses = [await visit(`${refusing.url}/auth`), await visit(`${refusing.url}/healthz`)].map(
    ({ status }) => status,
  );
  expect(statuses).toEqual([503, 503]);
  await logged(refusing.log, words);
  const line = await logged(refusing.log, /"not ready"/);
  const release = `version ${VERSION.replaceAll(".", "\\.")}, schema ([0-9a-f]{8})`;
  const [, last, own] = new RegExp(`it was last used by ${release}, and this is ${release}`).exec(line) ?? [];
  expect([line, last === own]).toEqual([line, false]);
  await logged(refusing.log, /Nothing was changed/);
  await refusing.stop();
  const back = await start(data, SETTINGS, file);
  expect((await (await logIn(back, "ada@example.com")).call("GET", "/api/user")).status).toBe(200);
}

// Catches a first start on a full disk: the next one said that another version had used the data, and copied it.
test("a database with the table of migrations and no migration is new", async () => {
  const ask = async (sql: string) => (sql.includes("sqlite_schema") ? [{ name: "d1_migrations", sql: "" }] : []);
  expect(await stateOf(ask, migrationFiles())).toEqual({ isNew: true, missing: migrationFiles(), problem: null });
});

// Catches an update that cannot be undone, because the last backup is the one of the night before.
test("before a new version uses a database a backup is taken, once; without one it does not start, unless backups are off", async () => {
  const data = dataFolder();
  const file = await otherVersion(migrationFiles(), "0.0.9");
  const older = await start(data, SETTINGS, file);
  await register(older, "ada@example.com");
  await older.stop();
  const folder = join(data, "backups");
  rmSync(folder, { recursive: true, force: true });
  const statusOf = async (env: Record<string, string>) => {
    const running = await start(data, { ...SETTINGS, ...env });
    const { status } = await visit(`${running.url}/auth`);
    return { ...running, status };
  };

  writeFileSync(folder, "a file where the folder would be");
  const failing = await statusOf({});
  expect(failing.status).toBe(503);
  expect(JSON.parse(await logged(failing.log, /"not ready"/))).toMatchObject({
    problem: expect.stringContaining(`no backup could be taken before version ${VERSION}: the folder backups cannot`),
    advice: expect.stringMatching(/^Nothing was changed\. .*BACKUP_AT=off/),
  });
  await failing.stop();
  rmSync(folder);

  const names = () => readdirSync(folder).filter((name) => name.includes("-before-"));
  for (const _ of ["the first start", "the second"]) {
    const newer = await statusOf({});
    expect(newer.status).toBe(200);
    expect(names()).toHaveLength(2); // with its note
    await newer.stop();
  }
  const [backup = ""] = names();
  expect(backup).toMatch(new RegExp(`^hours-tracker-.*Z-before-${VERSION}\\.sql\\.gz$`));
  const restored = await start(dataFolder(), SETTINGS, BINARY);
  const body = readFileSync(join(folder, backup));
  expect((await visit(`${restored.url}/restore`, { method: "POST", headers: AUTHORISED, body })).status).toBe(200);
  expect((await (await logIn(restored, "ada@example.com")).call("GET", "/api/user")).status).toBe(200);

  const back = await start(data, { ...SETTINGS, BACKUP_AT: "off" }, file);
  expect((await visit(`${back.url}/auth`)).status).toBe(200);
  expect(names()).toHaveLength(2);
});

// Slow, because it runs wrangler three times. `npm test` checks the same rule on the executable, above.
longTest("a data folder of another version is refused by npm start and the commands", async () => {
  const data = dataFolder();
  const app = await npmStart(data);
  await app.stop();
  const wrangler = ["node_modules/wrangler/bin/wrangler.js", "d1", "execute", "DB", "--local", "--persist-to", data];
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "true" };
  const { name } = first;
  for (const [sql, words] of [
    [NEWER, TOO_NEW],
    [`UPDATE d1_migrations SET name = '0001_house.sql' WHERE name = '${name}'`, OTHER],
    [`DELETE FROM d1_migrations; INSERT INTO d1_migrations (name) VALUES ('${name}'); DROP VIEW entries`, OTHER],
  ] as const) {
    expect(spawnSync(process.execPath, [...wrangler, "--command", sql], { env }).status).toBe(0);
    for (const command of ["start", "verify-log"]) {
      const refused = await runCommand(command, { DATA_DIR: data });
      expect([command, refused.status, refused.words]).toEqual([command, 1, expect.stringMatching(words)]);
      expect(refused.words).toContain(`It was last used by version ${VERSION}, schema `);
    }
  }
});
