import { readdirSync, readFileSync } from "node:fs";
import { build } from "vite";
import type { Module } from "./config.ts";

/**
 * The modules that exist only in the executable, each bundled into one. What is imported as `binary:…` stays an import:
 * the program has it as a module of that name.
 */
export async function bundle(entry: string): Promise<string> {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = "production"; // what Vite goes by, also where a test calls this
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

/** `migrations/` as a module. */
export function migrationsModule(): Module {
  const migrations = readdirSync("migrations")
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => ({ name, sql: readFileSync(`migrations/${name}`, "utf8") }));
  return dataAsModule("binary:migrations", migrations);
}

export function dataAsModule(name: string, data: unknown): Module {
  return { name, content: `export default ${JSON.stringify(data)};` };
}
