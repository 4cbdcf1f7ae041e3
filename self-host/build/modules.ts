import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Migration } from "#self-host/migrations.ts";
import type { Module } from "./config.ts";

const FOLDER = "migrations";

/** The migrations of this version, in their order. */
export function migrationFiles(): Migration[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));
  return names.sort().map((name) => ({ name, sql: readFileSync(join(FOLDER, name), "utf8") }));
}

/** Bundles a module that exists only in the executable. Imports of `binary:…` stay: they are modules there. */
export async function bundle(entry: string): Promise<string> {
  const { build } = await import("vite"); // here, because every command reads the migrations
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = "production"; // Vite reads it, also when a test calls this function
  const result = await build({
    configFile: false,
    logLevel: "error",
    mode: "production",
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      ssr: entry,
      write: false,
      minify: true,
      target: "es2022",
      rollupOptions: {
        external: [/^binary:/, /^cloudflare:/, /^node:/],
        output: { format: "es", inlineDynamicImports: true },
      },
    },
    ssr: {
      target: "webworker",
      noExternal: true,
      resolve: { conditions: ["workerd", "worker", "browser", "module", "production"] },
    },
  }).finally(() => {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  });
  const [output] = [result].flat();
  const chunk = output && "output" in output ? output.output.find(({ type }) => type === "chunk") : undefined;
  if (!chunk || !("code" in chunk)) throw new Error(`${entry} could not be bundled`);
  return chunk.code;
}

export function migrationsModule(): Module {
  return dataAsModule("binary:migrations", migrationFiles());
}

export function dataAsModule(name: string, data: unknown): Module {
  return { name, content: `export default ${JSON.stringify(data)};` };
}
