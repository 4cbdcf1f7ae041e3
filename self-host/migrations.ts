export interface Migration {
  name: string;
  sql: string;
}

/** wrangler's table of applied migrations, so that a database can move to Cloudflare and back. */
const RECORD = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** Runs SQL text of one or more statements and returns the rows of the last. */
export type Exec = (sql: string, ...values: string[]) => Record<string, unknown>[];

/**
 * What is wrong if a database has had migrations that this version does not know, in words for the operator, or null.
 * An older program could lose what newer columns and triggers are for.
 */
export function newerProblem(applied: Iterable<unknown>, known: Iterable<string>): string | null {
  const names = new Set<unknown>(known);
  const unknown = [...applied].filter((name) => !names.has(name));
  if (unknown.length === 0) return null;
  return `the database has had ${unknown.join(", ")}, which this version does not know: run the newer version again`;
}

/**
 * Runs the missing migrations in order and returns their names. Call it in a transaction and roll back if it throws.
 * @throws {Error} a message for the operator: which migration failed and why, or that the database is newer
 */
export function migrate(exec: Exec, migrations: Migration[]): string[] {
  exec(RECORD);
  const applied = new Set(exec("SELECT name FROM d1_migrations").map(({ name }) => name));
  const problem = newerProblem(
    applied,
    migrations.map(({ name }) => name),
  );
  if (problem) throw new Error(problem);
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
