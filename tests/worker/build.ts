import type { TestProject } from "vitest/node";
import { unstable_splitSqlQuery as splitSql, unstable_getMiniflareWorkerOptions as workerOptions } from "wrangler";
import build from "#scripts/build.ts";
import { migrationFiles } from "#self-host/build/modules.ts";

/** One numbered file of `migrations/`, as the statements that D1 runs one by one. */
export interface Migration {
  name: string;
  statements: string[];
}

declare module "vitest" {
  interface ProvidedContext {
    /** In the order in which wrangler applies them. */
    migrations: Migration[];
    /** The runtime settings of `wrangler.toml`. */
    /** Where `startApp` runs the app: in Miniflare, or in the executable. */
    target: "binary" | undefined;
    /** Executables with the observed Worker inside: one with real password hashes, one with cheap ones. */
    programs: { dear: string; cheap: string };
    runtime: { compatibilityDate: string; compatibilityFlags: string[]; assets: object };
  }
}

/**
 * Runs before the first Worker test: builds the app if its sources changed, and reads with wrangler, once for all
 * files, the settings and migrations of a real deployment.
 */
export default async function setup(project: TestProject): Promise<void> {
  await build();
  const { compatibilityDate, compatibilityFlags, assets } = workerOptions("wrangler.toml").workerOptions;
  if (!compatibilityDate || !compatibilityFlags || !assets) throw new Error("wrangler.toml lacks a runtime setting");
  project.provide("runtime", { compatibilityDate, compatibilityFlags, assets: JSON.parse(JSON.stringify(assets)) });
  project.provide(
    "migrations",
    migrationFiles().map(({ name, sql }) => ({ name, statements: splitSql(sql) })),
  );
}
