import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import binary from "#scripts/binary.ts";
import { run } from "#scripts/lib/process.ts";
import { installChromium } from "./chromium.ts";
import { freePort } from "./free-port.ts";
import { databaseFolder, keepDatabasesInMemory } from "./memory-folder.ts";

/** The result of a suite. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Each failed test: its name, then the reason from the second line on. */
  failures: string[];
}

/** The counts of a suite that ended without a report. */
export const CRASHED: Counts = { passed: 0, failed: 1, skipped: 0, failures: [] };

export function sumOf(all: Counts[]): Counts {
  const total = (of: (counts: Counts) => number) => all.reduce((sum, counts) => sum + of(counts), 0);
  return {
    passed: total(({ passed }) => passed),
    failed: total(({ failed }) => failed),
    skipped: total(({ skipped }) => skipped),
    failures: all.flatMap(({ failures }) => failures),
  };
}

/** Prints a suite's output elsewhere than on the terminal. */
type Print = (text: string) => void;

type Suite = (print?: Print) => Promise<Counts>;

/** All suites, in the order in which they run. */
export const SUITES: Record<string, Suite> = {
  types: () => asOneTest("tsc"),
  lint: () => asOneTest("biome", "check", "--error-on-warnings"),
  imports: () => asOneTest("depcruise", ...CRUISED),
  unit: (print) => vitest("unit", { print }),
  worker: (print) => vitest("worker", { print }),
  browser: (print) => playwright("playwright.config.ts", { print }),
  "self-host": (print) =>
    all(
      () => vitest("self-host", { print }),
      () => vitest("worker-in-binary", { files: ON_EXECUTABLE, print }),
    ),
};

/**
 * The suite that runs beside all others, because it mostly waits: for starts, timers and the disk. The browser's beside
 * the Worker's too was no faster, and a browser on a busy machine is late with the steps of a test.
 */
export const BESIDE = "self-host";

/** The suites that look at the sources alone: they run while the app is built, which keeps one core busy. */
export const BEFORE_BUILD = ["types", "lint", "imports"];

/** Suites that run only if named. */
export const MORE_SUITES: typeof SUITES = {
  // The words of screens, emails and documents, for `npm run check`; `unit` has the file, too.
  english: (print) => vitest("unit", { files: ["tests/spec/english.test.ts"], print }),
  // The whole Worker suite on the executable; `self-host` runs two of its files, `npm run safe` those of the main job.
  "worker-in-binary": (print) => vitest("worker-in-binary", { print }),
  // Stores a new picture of each screen that looks different from its picture, or has none.
  "keep-screens": (print) => {
    process.env.SAFE = "1"; // all four pictures of each screen
    return playwright("playwright.config.ts", { args: ["/states", "--grep", "pictures", "--update-snapshots"], print });
  },
};

/** All folders with imports; the rules are in `.dependency-cruiser.cjs`. */
const CRUISED = "app bench demo scripts self-host tests vite remix.config.ts playwright.config.ts".split(" ");

const ON_EXECUTABLE = ["tests/worker/d1", "app/verification/verification"];

const MAIN_JOB = ["tests/worker/calls", "app/records/idempotency", "app/mail/outbox"];

/** The folder of the reports. */
const REPORTS = "node_modules/.cache/tests";

/** Counts a program as one test, which passes if the program succeeds. */
async function asOneTest(program: string, ...args: string[]): Promise<Counts> {
  const { status } = await run(program, args);
  return status === 0 ? { ...CRASHED, passed: 1, failed: 0 } : CRASHED;
}

/** Runs suites one after the other and adds their counts. */
async function all(...runs: (() => Promise<Counts>)[]): Promise<Counts> {
  const results: Counts[] = [];
  for (const run of runs) results.push(await run());
  return sumOf(results);
}

/** Visits every page and state: axe, and the pictures; and whether a whole Chromium can install the app. */
export function states(): Promise<Counts> {
  return playwright("playwright.config.ts", { args: ["/states", "/install"] });
}

/** Weighs every page and state (docs/measure.md). */
export function bytes(): Promise<Counts> {
  return playwright("playwright.config.ts", { args: ["bytes"] });
}

/** The main job on the executable: every API call, sending again, and emails. */
export function mainJobInBinary(): Promise<Counts> {
  return vitest("worker-in-binary", { files: MAIN_JOB });
}

/** The users' main path and the export, through the executable. */
export async function mainPathInBinary(): Promise<Counts> {
  await binary();
  return playwright("tests/self-host/playwright.config.ts", { report: "browser-in-binary" });
}

async function vitest(
  project: string,
  { files = [], print }: { files?: string[]; print?: Print | undefined } = {},
): Promise<Counts> {
  const report = reportOf(project);
  const reporters = ["--reporter=default", "--reporter=junit", `--outputFile.junit=${report}`];
  const options = ["--config", "remix.config.ts", "--project", project, ...reporters];
  const { status } = await run("vitest", ["run", ...files, ...options], { print });
  return countsOf(report, status);
}

async function playwright(
  config: string,
  { args = [], report: name = "browser", print }: { args?: string[]; report?: string; print?: Print | undefined } = {},
): Promise<Counts> {
  const chromium = await installChromium();
  if (!chromium) {
    console.error("There is no Chromium here and none could be installed: CHROMIUM_PATH can name one.");
    return CRASHED;
  }
  const report = reportOf(name);
  keepDatabasesInMemory();
  const data = databaseFolder();
  const { status } = await run(
    "playwright",
    ["test", ...args, "--config", config, "--pass-with-no-tests", "--reporter=list,junit"],
    {
      print,
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

/** The path of a suite's report. An old report is removed. */
function reportOf(suite: string): string {
  mkdirSync(REPORTS, { recursive: true });
  const file = `${REPORTS}/${suite}.xml`;
  rmSync(file, { force: true });
  return file;
}

/** Counts the tests in a JUnit report, the format of Vitest and Playwright. */
function countsIn(report: string): Counts {
  const tests = report.split(/^\s*<testcase /m).slice(1);
  const failed = tests.filter((test) => /<(failure|error)\b/.test(test));
  const skipped = tests.filter((test) => !failed.includes(test) && test.includes("<skipped"));
  return {
    passed: tests.length - failed.length - skipped.length,
    failed: failed.length,
    skipped: skipped.length,
    failures: failed.map(failureIn),
  };
}

function failureIn(test: string): string {
  const of = (attribute: string) => new RegExp(`\\b${attribute}="([^"]*)"`).exec(test)?.[1] ?? "";
  const [, why = ""] =
    /<(?:failure|error)\b[^>]*>(?:\s*<!\[CDATA\[)?\s*([\s\S]*?)(?:\]\]>\s*)?<\/(?:failure|error)>/.exec(test) ?? [];
  return decoded(`${of("classname")} › ${of("name")}\n${why.trimEnd()}`);
}

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" };

function decoded(text: string): string {
  return text.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
}
