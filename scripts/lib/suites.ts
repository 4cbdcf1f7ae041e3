import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installChromium } from "./chromium.ts";
import { run } from "./process.ts";

/** What a suite came to. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** What is said of each failed test once all suites are through. */
  failures?: string[];
}

/** A suite that ended without saying what it came to. */
export const CRASHED: Counts = { passed: 0, failed: 1, skipped: 0 };

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
  // The whole Worker suite against the single file; `binary` runs the files of the main job.
  "worker-in-binary": () => vitest("worker-in-binary"),
};

/** Everything that imports; the rules are in `.dependency-cruiser.cjs`. */
const CRUISED = ["app", "bench", "scripts", "self-host", "tests", "vite", "remix.config.ts", "playwright.config.ts"];

const MAIN_JOB = [
  "tests/worker/calls",
  "tests/worker/d1",
  "app/verification/verification",
  "app/records/idempotency",
  "app/mail/outbox",
];

/** The reports, outside of the sources. */
const REPORTS = "node_modules/.cache/tests";

/** A program whose success is one test. */
async function asOneTest(program: string, ...args: string[]): Promise<Counts> {
  const { status } = await run(program, args);
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
}

/** One after the other, as one suite. */
async function all(...runs: (() => Promise<Counts>)[]): Promise<Counts> {
  const results: Counts[] = [];
  for (const run of runs) results.push(await run());
  return sumOf(results);
}

/** What several suites come to. */
export function sumOf(results: Counts[]): Required<Counts> {
  const sum = { passed: 0, failed: 0, skipped: 0, failures: [] as string[] };
  for (const { passed, failed, skipped, failures = [] } of results) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
    sum.failures.push(...failures);
  }
  return sum;
}

/** Every page and state against axe. */
export function accessibility(): Promise<Counts> {
  return playwright("playwright.config.ts", "accessibility");
}

/** People's main path through the single file; with SAFE set, the export as well. */
export function mainPathInBinary(): Promise<Counts> {
  return playwright("tests/self-host/playwright.config.ts");
}

async function vitest(project: string, files: string[] = []): Promise<Counts> {
  const report = reportOf(project);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = [
    "run",
    ...files,
    "--config",
    "remix.config.ts",
    "--project",
    project,
    "--passWithNoTests",
    ...reporters,
  ];
  const { status } = await run("vitest", args);
  const results = read<{
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    numTodoTests: number;
    testResults: {
      name: string;
      status: string;
      message: string;
      assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
    }[];
  }>(report);
  if (!results) return CRASHED;
  // A file that could not be loaded has no tests to count.
  const broken = results.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return checked(status, {
    passed: results.numPassedTests,
    failed: results.numFailedTests + broken.length,
    skipped: results.numPendingTests + results.numTodoTests,
    failures: [
      ...broken.map(({ name, message }) => `${name}\n${message}`),
      ...results.testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === "failed")
          .map(({ fullName, failureMessages }) => `${name} › ${fullName}\n${failureMessages.join("\n")}`),
      ),
    ],
  });
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
    ["test", ...files, "--config", config, "--pass-with-no-tests", "--reporter=list,json"],
    {
      env: {
        CHROMIUM_PATH: chromium,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        BROWSER_TEST_PORT: String(await freePort()),
        BROWSER_TEST_DATA: data,
      },
    },
  );
  rmSync(data, { recursive: true, force: true });
  const results = read<{
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    suites: PlaywrightSuite[];
  }>(report);
  if (!results) return CRASHED;
  const { expected, unexpected, flaky, skipped } = results.stats;
  const failures = results.suites.flatMap(failuresIn);
  return checked(status, { passed: expected, failed: unexpected + flaky, skipped, failures });
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: { file: string; title: string; tests: { results: { errors: { message?: string }[] }[] }[] }[];
}

function failuresIn({ suites = [], specs }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .flatMap(({ results }) => results.flatMap(({ errors }) => errors))
      .map(({ message = "" }) => `${file} › ${title}\n${message}`),
  );
  return [...own, ...suites.flatMap(failuresIn)];
}

/** Whatever a report says, a suite that ended with an error has failed. */
function checked(status: number, counts: Counts): Counts {
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Where a suite's report goes; the one of the last run is gone. */
function reportOf(suite: string): string {
  mkdirSync(REPORTS, { recursive: true });
  const file = `${REPORTS}/${suite}.json`;
  rmSync(file, { force: true });
  return file;
}

function read<Report>(file: string): Report | null {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  } catch {
    return null; // it died while it wrote
  }
}

/** A port that nobody listens on, so that two runs on one machine do not meet. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject).listen(0, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
