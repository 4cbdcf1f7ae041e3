import type { Execute } from "#app/db/client.server.ts";

/**
 * What is wrong with the triggers of the database, which refuse changes of the log and of verified records: each that was
 * dropped, changed or added past the migrations. Comments and white space do not count.
 */
export async function checkTriggers(execute: Execute, migrations: readonly { sql: string }[]): Promise<string[]> {
  const expected = triggersOf(migrations);
  const stored = new Map<string, string>();
  for (const { name, sql } of await execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
    stored.set(String(name), plainSql(String(sql)));
  const missing = [...expected.keys()].filter((name) => !stored.has(name));
  const changed = [...expected].filter(([name, sql]) => stored.has(name) && stored.get(name) !== sql);
  const added = [...stored.keys()].filter((name) => !expected.has(name));
  return [
    ...missing.map((name) => `the trigger ${name} is missing: what it refuses was possible since`),
    ...changed.map(([name]) => `the trigger ${name} was changed`),
    ...added.map((name) => `the trigger ${name} is not one of the app`),
  ];
}

/** The triggers that migrations leave, by name, as `plainSql`. The body of each ends with a statement. */
function triggersOf(migrations: readonly { sql: string }[]): Map<string, string> {
  const triggers = new Map<string, string>();
  for (const { sql } of migrations) {
    const statements = plainSql(sql).matchAll(
      /\bCREATE TRIGGER (?<made>\w+) .*?; END(?=;)|\bDROP TRIGGER (?:IF EXISTS )?(?<dropped>\w+)/g,
    );
    for (const [text, made, dropped] of statements) {
      if (made !== undefined) triggers.set(made, text);
      else if (dropped !== undefined) triggers.delete(dropped);
    }
  }
  return triggers;
}

/**
 * SQL without comments, with single spaces; texts in quotes stay as they are. To SQLite a comment ends at `\n` alone. To
 * JavaScript a line has other ends too, behind which a condition could be hidden: so neither `.` nor `$` nor `\s`.
 */
export function plainSql(sql: string): string {
  return sql
    .replace(
      /('(?:[^']|'')*'|"(?:[^"]|"")*")|--[^\n]*|\/\*[\s\S]*?\*\/|[ \t\n\f\r]+/g,
      (_, quoted?: string) => quoted ?? " ",
    )
    .replace(/('(?:[^']|'')*'|"(?:[^"]|"")*")| {2,}/g, (_, quoted?: string) => quoted ?? " ")
    .trim();
}
