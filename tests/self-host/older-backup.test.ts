import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PASSWORD } from "#tests/worker/people.ts";
import { dataFolder, logIn, start, TOKEN, visit } from "./start.ts";

/*
 * The executable migrates by itself. It is given a backup of schema 0007, filled by the app of that time. Catches a
 * migration that only Cloudflare's D1 can run, such as one that copies the audit log without its counter.
 */

const VERSION = "0007";
const AUTHORISED = { Authorization: `Bearer ${TOKEN}` };

type Tables = Record<string, Record<string, string | number | null>[]>;

/** The kept database as a backup of its version. */
function backup(tables: Tables): string {
  const names = readdirSync("migrations").filter((name) => name.slice(0, 4) <= VERSION);
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
    ...names.map((name) => readFileSync(`migrations/${name}`, "utf8")),
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP)",
    ...names.map((name) => `INSERT INTO d1_migrations (name) VALUES (${quoted(name)})`),
    ...Object.entries(others).flatMap(fill),
    "DELETE FROM sqlite_sequence WHERE name <> 'd1_migrations'",
    ...fill(["sqlite_sequence", counters]),
    "-- end of backup\n",
  ].join("\n--;\n");
}

test("a backup of the version before erasable facts is migrated, and its audit log verifies", async () => {
  const tables: Tables = JSON.parse(readFileSync(`tests/fixtures/schema-${VERSION}.json`, "utf8"));
  const running = await start(dataFolder());
  const answer = await visit(`${running.url}/restore`, {
    method: "POST",
    headers: AUTHORISED,
    body: backup(tables),
  });
  expect([answer.status, await answer.json()]).toEqual([200, { message: "Restored" }]);

  const kari = await logIn(running, "kari@example.com", PASSWORD);
  const entries: { id: number; verified: boolean }[] = await (await kari.call("GET", "/api/entries")).json();
  const verified = entries.find((entry) => entry.verified);
  const history = await (await kari.call("GET", `/api/entries/${verified?.id}/verification`)).json();
  expect(history).toMatchObject({
    intact: true,
    log: expect.arrayContaining([expect.objectContaining({ erased: false })]),
  });
  expect(JSON.stringify(history)).toContain("Ola Hansen");
  const copy = await (await visit(`${running.url}/backup`, { headers: AUTHORISED })).text();
  const counter = tables.sqlite_sequence?.find(({ name }) => name === "verification_log")?.seq;
  expect(copy).toContain(`INSERT INTO sqlite_sequence VALUES ('verification_log', ${counter})`);
  expect(copy.match(/INSERT INTO event_facts /g)).toHaveLength(tables.verification_log?.length ?? 0);
});
