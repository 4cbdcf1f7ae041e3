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
 * Compiles the executable with the observed Worker before the Worker suite runs on it, once with real and once with
 * cheap password hashes. Otherwise it equals that of `npm run binary`.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const tearDownWorker = await setUpWorker(project);
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-under-test-"));
  const programs = { dear: join(folder, "dear"), cheap: join(folder, "cheap") };
  const { content: built } = builtWorker();
  const program = await assemble({ app: observed(String(built)) });
  program.environment = [...program.environment, "SABOTAGE"];
  compile(program, programs.dear);
  const cheap = observed(cheapened(String(built)));
  program.front = program.front.map((module) => cheap.find(({ name }) => name === module.name) ?? module);
  compile(program, programs.cheap);
  project.provide("programs", programs);
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
