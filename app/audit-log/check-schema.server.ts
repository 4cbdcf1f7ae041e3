import type { Execute } from "#app/db/client.server.ts";

/**
 * Finds faults in the triggers of the database, which refuse changes of the log and of verified records, and in its
 * indexes: each that was dropped, changed or added past the migrations. Comments and white space do not count. A row of
 * the schema whose type is not in lower case is a fault: SQLite obeys it, and queries for its type miss it.
 */
export async function checkSchema(execute: Execute, migrations: readonly { sql: string }[]): Promise<string[]> {
  const expected = objectsOf(migrations);
  const stored = new Map<string, string>();
  const hidden: string[] = [];
  // An index without SQL belongs to a UNIQUE or PRIMARY KEY of its table.
  for (const { type, name, sql } of await execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")) {
    const kind = String(type).toLowerCase();
    if (kind !== type) hidden.push(`the schema has ${name} as ${type}: it was written past SQLite`);
    if (kind === "trigger" || kind === "index") stored.set(`${kind} ${name}`, plainSql(String(sql)));
  }
  const missing = [...expected.keys()].filter((name) => !stored.has(name));
  const changed = [...expected].filter(([name, sql]) => stored.has(name) && stored.get(name) !== sql);
  const added = [...stored.keys()].filter((name) => !expected.has(name));
  return [
    ...missing.map(
      (name) => `the ${name} is missing${name.startsWith("trigger") ? ": what it refuses was possible since" : ""}`,
    ),
    ...changed.map(([name]) => `the ${name} was changed`),
    ...added.map((name) => `the ${name} is not one of the app`),
    ...hidden,
  ];
}

/** The triggers and indexes that migrations leave, by type and name, as `plainSql`. A trigger's body ends with a statement. */
function objectsOf(migrations: readonly { sql: string }[]): Map<string, string> {
  const objects = new Map<string, string>();
  for (const { sql } of migrations) {
    const statements = plainSql(sql).matchAll(
      /\bCREATE TRIGGER (?<trigger>\w+) .*?; END(?=;)|\bCREATE (?:UNIQUE )?INDEX (?<index>\w+) [^;]*|\bDROP (?<type>TRIGGER|INDEX) (?:IF EXISTS )?(?<dropped>\w+)/g,
    );
    for (const { 0: text, groups: { trigger, index, type, dropped } = {} } of statements) {
      if (dropped !== undefined) objects.delete(`${type?.toLowerCase()} ${dropped}`);
      else objects.set(trigger === undefined ? `index ${index}` : `trigger ${trigger}`, text);
    }
  }
  return objects;
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
