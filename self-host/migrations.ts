/** One numbered file of `migrations/`. */
export interface Migration {
  name: string;
  sql: string;
}

/** wrangler's own record of what it has applied, so that a database can move between here and Cloudflare. */
const RECORD = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** Runs one text of SQL, which may hold several statements, and returns the rows of the last. */
export type Exec = (sql: string, ...values: string[]) => Record<string, unknown>[];

/**
 * Brings a database up to date: each migration that it has not had, once, in order. Call it in a transaction: where it
 * throws, nothing may stay. Returns the names of those that it ran.
 * @throws {Error} in words for the operator: which migration failed and why, or that the database is newer
 */
export function migrate(exec: Exec, migrations: Migration[]): string[] {
  exec(RECORD);
  const applied = new Set(exec("SELECT name FROM d1_migrations").map(({ name }) => name));
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied].filter((name) => !known.has(String(name)));
  if (unknown.length > 0) {
    throw new Error(
      `the database has had ${unknown.join(", ")}, which this version does not know: run the newer version again`,
    );
  }
  const missing = migrations.filter(({ name }) => !applied.has(name));
  for (const { name, sql } of missing) {
    try {
      exec(sql);
    } catch (error) {
      throw new Error(`migration ${name} failed: ${error instanceof Error ? error.message : error}`);
    }
    exec("INSERT INTO d1_migrations (name) VALUES (?)", name);
  }
  return missing.map(({ name }) => name);
}
