import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Migration } from "#self-host/migrations.ts";

const FOLDER = "migrations";

/** The migrations of this version, in their order. */
export function migrationFiles(): Migration[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));
  return names.sort().map((name) => ({ name, sql: readFileSync(join(FOLDER, name), "utf8") }));
}
