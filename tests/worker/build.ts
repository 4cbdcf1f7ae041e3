import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { unstable_splitSqlQuery as splitSql, unstable_getMiniflareWorkerOptions as workerOptions } from "wrangler";
import build from "#scripts/build.ts";
import { migrationFiles } from "#self-host/build/modules.ts";
import { databaseFolder } from "#tests/memory-folder.ts";
import { type Migration, makeTemplate } from "./database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** In the order in which wrangler applies them. */
    migrations: Migration[];
    /** The folder of an empty database with all migrations, which each test file copies. */
    template: string;
    /** Where `startApp` runs the app: in Miniflare, or in the executable. */
    target: "binary" | undefined;
    /** The executable with the observed Worker inside, and cheap password hashes. */
    program: string;
    /** The runtime settings of `wrangler.toml`. */
    runtime: { compatibilityDate: string; compatibilityFlags: string[]; assets: object };
  }
}

/**
 * Runs before the first Worker test: builds the app if its sources changed, and reads with wrangler, once for all
 * files, the settings and migrations of a real deployment, which are applied once.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  await build();
  const { compatibilityDate, compatibilityFlags, assets } = workerOptions("wrangler.toml").workerOptions;
  if (!compatibilityDate || !compatibilityFlags || !assets) throw new Error("wrangler.toml lacks a runtime setting");
  project.provide("runtime", { compatibilityDate, compatibilityFlags, assets: JSON.parse(JSON.stringify(assets)) });
  const migrations = migrationFiles().map(({ name, sql }) => ({ name, statements: splitSql(sql) }));
  project.provide("migrations", migrations);
  const template = databaseFolder();
  await makeTemplate(template, migrations);
  project.provide("template", template);
  return () => rmSync(template, { recursive: true, force: true });
}
