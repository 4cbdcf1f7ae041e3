import { Miniflare } from "miniflare";
import { afterAll, inject } from "vitest";
import type { Migration } from "./build.ts";

/** Miniflare's own copy of the binding's type differs in name only. */
export async function databaseOf(miniflare: Miniflare): Promise<D1Database> {
  return (await miniflare.getD1Database("DB")) as unknown as D1Database;
}

/** A D1 database by itself, in memory, with these migrations or all of them. */
export async function startDatabase(migrations?: Migration[]): Promise<D1Database> {
  const miniflare = new Miniflare({
    modules: true,
    script: "export default {}",
    cf: false,
    d1Databases: { DB: crypto.randomUUID() },
    telemetry: { enabled: false },
  });
  afterAll(() => miniflare.dispose());
  const db = await databaseOf(miniflare);
  await migrate(db, migrations);
  return db;
}

/** Applies migrations in their order, each as one transaction, as wrangler does. */
export async function migrate(db: D1Database, migrations: Migration[] = inject("migrations")): Promise<void> {
  for (const { statements } of migrations) {
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
}

/** The rows of a statement. */
export async function rows<Row = Record<string, unknown>>(
  db: D1Database,
  sql: string,
  ...values: unknown[]
): Promise<Row[]> {
  const { results } = await db
    .prepare(sql)
    .bind(...values)
    .all<Row>();
  return results;
}

/** How many rows a table holds, of those that the condition selects. */
export async function count(db: D1Database, table: string, where = "1", ...values: unknown[]): Promise<number> {
  const [row] = await rows<{ n: number }>(db, `SELECT count(*) AS n FROM ${table} WHERE ${where}`, ...values);
  return row?.n ?? 0;
}
