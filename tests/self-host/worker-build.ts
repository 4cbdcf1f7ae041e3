import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { assemble, builtWorker, compile } from "#self-host/build/compile.ts";
import type { Module } from "#self-host/build/config.ts";
import setUpWorker from "#tests/worker/build.ts";
import { HARNESS } from "#tests/worker/harness.ts";
import { cheapened } from "#tests/worker/miniflare.ts";

/**
 * Compiles the executable with the observed Worker before the Worker suite runs on it, with cheap password hashes. Otherwise it
 * equals that of `npm run binary`.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const tearDownWorker = await setUpWorker(project);
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-under-test-"));
  const file = join(folder, "program");
  const program = await assemble({ app: observed(cheapened(String(builtWorker().content))) });
  program.environment = [...program.environment, "SABOTAGE"];
  compile(program, file);
  project.provide("program", file);
  return () => {
    tearDownWorker();
    rmSync(folder, { recursive: true, force: true });
  };
}

function observed(built: string): Module[] {
  return [
    { name: "binary:app", content: readFileSync("tests/self-host/app-under-test.js", "utf8") },
    ...HARNESS,
    { name: "index.js", content: built },
  ];
}
