import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENVIRONMENT, slipsOf } from "#self-host/settings.ts";
import { type Module, type Program, writeConfig } from "./config.ts";
import { bundle, dataAsModule, migrationsModule } from "./modules.ts";
import { staticFiles } from "./static-files.ts";

const require = createRequire(import.meta.url); // as in lib/local.ts

/** The path of workerd, in the version that Miniflare depends on. */
export const workerd: string = (require("workerd") as { default: string }).default;

interface Parts {
  /** The built Worker; tests pass another. */
  app?: Module[];
  migrations?: Module;
  /** Whether static files are included. */
  hasFiles?: boolean;
}

/** The parts of the executable, from the current build. */
export async function assemble({
  app = [builtWorker()],
  migrations = migrationsModule(),
  hasFiles = true,
}: Parts = {}): Promise<Program> {
  const { unstable_getMiniflareWorkerOptions: optionsFrom } = require("wrangler") as typeof import("wrangler");
  const { compatibilityDate, compatibilityFlags, assets } = optionsFrom("wrangler.toml").workerOptions;
  if (!compatibilityDate || !compatibilityFlags || !assets) throw new Error("wrangler.toml lacks a runtime setting");
  const { files, modules } = hasFiles ? await staticFiles("build/client", assets) : { files: {}, modules: [] };
  return {
    front: [
      { name: "front", content: await bundle("self-host/front.tsx") },
      ...app,
      dataAsModule("binary:files", files),
      ...modules.map(({ name, bytes }) => ({ name, content: bytes })),
    ],
    storage: [{ name: "storage", content: await bundle("self-host/storage.ts") }, migrations],
    environment: [...ENVIRONMENT, ...slipsOf().keys()],
    compatibilityDate,
    compatibilityFlags,
  };
}

export function builtWorker(): Module {
  return { name: "binary:app", content: readFileSync("build/server/index.js", "utf8") };
}

/**
 * Lets workerd append a program to a copy of itself.
 * @throws {Error} with workerd's message
 */
export function compile(program: Program, target: string): void {
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-binary-"));
  const unfinished = `${target}.new`;
  const output = openSync(unfinished, "w");
  try {
    const config = writeConfig(folder, program);
    const { status, stderr } = spawnSync(workerd, ["compile", config, "program"], {
      stdio: ["ignore", output, "pipe"],
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`workerd could not compile the program:\n${stderr}`);
    chmodSync(unfinished, 0o755);
    renameSync(unfinished, target); // a running executable keeps the old file
  } finally {
    closeSync(output);
    rmSync(unfinished, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}
