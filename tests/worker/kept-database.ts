import { readFileSync } from "node:fs";
import { inject } from "vitest";
import { restore } from "#tests/safe/snapshot.ts";
import { migrate, startDatabase } from "./database.ts";

export const KEPT_FOLDER = "tests/fixtures";

/** Every row by table. */
type Rows = Record<string, Record<string, string | number | null>[]>;

/** The rows of a kept database (kept-schemas.test.ts) of the schema after this migration: `0003`. */
export function keptRows(version: string): Rows {
  return JSON.parse(readFileSync(`${KEPT_FOLDER}/schema-${version}.json`, "utf8"));
}

/** A database with the rows of a kept one, to which first a statement, then the later migrations were applied. */
export async function startKeptDatabase(version: string, statement?: string): Promise<D1Database> {
  const migrations = inject("migrations");
  const isEarlier = ({ name }: { name: string }) => name.slice(0, 4) <= version;
  const db = await startDatabase(migrations.filter(isEarlier));
  const { sqlite_sequence: counters = [], ...tables } = keptRows(version);
  await restore(db, new Map(Object.entries({ ...tables, sqlite_sequence: counters })));
  if (statement) await db.prepare(statement).run();
  await migrate(
    db,
    migrations.filter((migration) => !isEarlier(migration)),
  );
  return db;
}
