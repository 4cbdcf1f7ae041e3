import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import binary from "#scripts/binary.ts";
import { installChromium } from "./chromium.ts";
import { type Counts, CRASHED, countsIn, sumOf } from "./counts.ts";
import { freePort } from "./free-port.ts";
import { run } from "./process.ts";

/** Every suite, in the order in which they run. */
export const SUITES: Record<string, () => Promise<Counts>> = {
  types: () => asOneTest("tsc"),
  lint: () => asOneTest("biome", "check", "--error-on-warnings"),
  imports: () => asOneTest("depcruise", ...CRUISED),
  unit: () => vitest("unit"),
  worker: () => vitest("worker"),
  browser: () => playwright("playwright.config.ts"),
  "self-host": () =>
    all(
      () => vitest("self-host"),
      () => vitest("worker-in-binary", MAIN_JOB),
      mainPathInBinary,
    ),
};

/** Suites that run only when they are asked for. */
export const MORE_SUITES: typeof SUITES = {
  // The whole Worker suite against the executable; `self-host` runs the files of the main job.
  "worker-in-binary": () => vitest("worker-in-binary"),
};

/** Everything that imports; the rules are in `.dependency-cruiser.cjs`. */
const CRUISED = "app bench demo scripts self-host tests vite remix.config.ts playwright.config.ts".split(" ");

const MAIN_JOB = [
  "tests/worker/calls",
  "tests/worker/d1",
  "app/verification/verification",
  "app/records/idempotency",
  "app/mail/outbox",
];

/** The folder of the reports, outside of the sources. */
const REPORTS = "node_modules/.cache/tests";

/** A program whose success is one test. */
async function asOneTest(program: string, ...args: string[]): Promise<Counts> {
  const { status } = await run(program, args);
  return status === 0 ? { ...CRASHED, passed: 1, failed: 0 } : CRASHED;
}

/** One after the other, as one suite. */
async function all(...runs: (() => Promise<Counts>)[]): Promise<Counts> {
  const results: Counts[] = [];
  for (const run of runs) results.push(await run());
  return sumOf(results);
}

/** Every page and state against axe. */
export function accessibility(): Promise<Counts> {
  return playwright("playwright.config.ts", "accessibility");
}

/** People's main path through the executable; with SAFE set, the export as well. */
export async function mainPathInBinary(): Promise<Counts> {
  await binary();
  return playwright("tests/self-host/playwright.config.ts");
}

async function vitest(project: string, files: string[] = []): Promise<Counts> {
  const report = reportOf(project);
  const reporters = ["--reporter=default", "--reporter=junit", `--outputFile.junit=${report}`];
  const options = ["--config", "remix.config.ts", "--project", project, "--passWithNoTests", ...reporters];
  const { status } = await run("vitest", ["run", ...files, ...options]);
  return countsOf(report, status);
}

async function playwright(config: string, ...files: string[]): Promise<Counts> {
  const chromium = await installChromium();
  if (!chromium) {
    console.error("There is no Chromium here and none could be installed: CHROMIUM_PATH can name one.");
    return CRASHED;
  }
  const report = reportOf("browser");
  const data = mkdtempSync(join(tmpdir(), "hours-tracker-tests-"));
  const { status } = await run(
    "playwright",
    ["test", ...files, "--config", config, "--pass-with-no-tests", "--reporter=list,junit"],
    {
      env: {
        CHROMIUM_PATH: chromium,
        PLAYWRIGHT_JUNIT_OUTPUT_FILE: report,
        BROWSER_TEST_PORT: String(await freePort()),
        BROWSER_TEST_DATA: data,
      },
    },
  );
  rmSync(data, { recursive: true, force: true });
  return countsOf(report, status);
}

/** The counts of a report. A suite that ended with an error has failed, whatever its report says. */
function countsOf(report: string, status: number): Counts {
  if (!existsSync(report)) return CRASHED;
  const counts = countsIn(readFileSync(report, "utf8"));
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Where a suite writes its report; an old one is removed. */
function reportOf(suite: string): string {
  mkdirSync(REPORTS, { recursive: true });
  const file = `${REPORTS}/${suite}.xml`;
  rmSync(file, { force: true });
  return file;
}
