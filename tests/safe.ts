import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import binary from "#scripts/binary.ts";
import { fail, run } from "#scripts/lib/process.ts";
import { bytes, mainJobInBinary, mainPathInBinary, states } from "./suites.ts";

/** A row of the table: the test, its target, and the names of the figures that it writes. */
type Row = [what: string, target: string, ...figures: string[]];

const ROWS: Row[] = [
  ["OWASP ASVS 5.0", "level 1 all, 2 95 %", "ASVS level 1", "ASVS level 2"],
  ["Access matrix", "every cell asserted", "Access matrix"],
  ["Cross-site requests", "every non-GET refused", "Cross-site requests"],
  ["A secret in an answer or the log", "none", "Secrets in answers and log"],
  ["Confirm raced by 50", "exactly 1 in 100 seeds", "Confirm raced by 50"],
  ["  its naive form", "loses", "Confirm raced by 50, the naive form"],
  ["50 records answered by 50 at once", "1 winner each", "Answers raced by 50"],
  ["Reset raced by 50", "exactly 1 in 100 seeds", "Reset raced by 50"],
  ["  its naive form", "loses", "Reset raced by 50, the naive form"],
  ["Change of password raced by 8", "exactly 1", "Change of password raced by 8"],
  ["  its naive form", "loses", "Change of password raced by 8, the naive form"],
  ["Corrections raced", "never confirmed unseen", "Edit raced with confirm"],
  ["Deletion raced with everything", "nothing left behind", "Deletion raced with everything"],
  ["D1 fails at call k, every action", "all or nothing", "D1 fails at call k"],
  ["The mail service misbehaves", "0 of 1,000 lost", "Mail schedules"],
  ["A mailbox of another, 10,000", "0 verifications", "Mailboxes of others"],
  ["Disowned hours, anywhere", "0, at once", "Disowned hours"],
  ["Reminders under mail faults", "1 a day, 3 a request", "Reminders under mail faults"],
  ["Alterations past the triggers", "all found", "Alterations of the log"],
  ["Alterations of forms", "all found", "Alterations of forms"],
  ["Personal data after erasure", "0 bytes", "Personal data after erasure"],
  ["Checkpoint of a million events", "in 20 runs", "Checkpoint of a million events"],
  ["Page time, mail hung ÷ healthy", "≤ 1.10", "Page time, mail hung ÷ healthy"],
  ["Events followed with stops", "0 missed, 0 twice", "Events followed"],
  ["Export, import, export", "1,000 logs identical", "Export, import, export"],
  ["Progress against a count", "1,000 logs, no difference", "Progress against a count"],
  ["A simulated year", "no swept table grows", "A simulated year"],
  ["The same form sent twice", "no double entry", "The same form sent twice"],
  ["Random sequences, a model", "no difference", "Random sequences against the model"],
  ["Random sequences of requests", "no difference", "Requests against the model"],
  ["Schedules without a signal", "1,000, 0 lost or doubled", "Offline schedules"],
  ["Fuzzed requests", "10,000, no mistake", "Fuzzed requests"],
  ["Time against size, every route", "≤ 2.6 × for twice", "Time against size"],
  ["What one request may cost", "≤ 30 × a page, 200 ×", "What one request may cost"],
  ["  of every route", "≤ 30 ×, 200 ×, 2 MB", "Cost of every route"],
  ["Others beside a few busy ones", "< 3 s", "Others beside a few busy ones"],
  ["Log-in, known ÷ unknown", "0.95 to 1.05", "Login timing, known ÷ unknown"],
  ["Reset, known ÷ unknown", "alike", "Reset timing, known ÷ unknown"],
  ["20,000 requests, npm start", "descriptors, memory level", "Descriptors and memory, npm start"],
  ["20,000 requests, the executable", "descriptors, memory level", "Descriptors and memory, the executable"],
  ["npm run measure", "each part ends", "Parts of npm run measure"],
  ["Redocly's recommended rules", "0 problems", "Redocly's recommended rules"],
  ["A client by openapi-typescript", "compiles and runs", "A client by openapi-typescript"],
  ["html-validate, every page", "0 problems", "html-validate on every page"],
  ["A JOSE library", "verifies the statement", "A JOSE library"],
  ["csv-spectrum", "each file", "csv-spectrum"],
  ["qpdf --check", "no warning", "qpdf"],
  ["axe, four screens of each state", "0 violations", "Accessibility and pictures"],
  ["Four pictures of each screen", "no difference", "Accessibility and pictures"],
  ["Bytes, requests and script of pages", "docs/measure.md", "Bytes of pages"],
  ["The main job on the executable", "all pass", "The main job on the executable"],
  ["The executable in a browser", "all pass", "The executable in a browser"],
];

/**
 * The files that measure the processor time or the memory of their own server, which other work changes little: they run two
 * at a time, the longest first, and nothing else beside them.
 */
const MEASURED = [
  "tests/safe/every-route.timing.ts",
  "tests/safe/cost.timing.ts",
  "app/certification/progress-cost.worker.test.ts",
];

/** The files that measure times by the clock: they run alone, one after the other. */
const TIMED = [
  "tests/safe/growth.test.ts",
  "tests/safe/million-events.test.ts",
  "tests/safe/fuzz.test.ts",
  "tests/safe/busy.timing.ts",
  "tests/safe/mail-page.timing.ts",
  "tests/safe/sign-in.timing.ts",
];

/**
 * The searches that take longest, in that order. They begin first, so that the two workers end at about the same time: Vitest
 * itself would begin with what took longest in the last `npm test`, which does not run them.
 */
const LONGEST = [
  "tests/worker/reminder-schedules",
  "tests/safe/offline",
  "tests/safe/mailbox",
  "tests/safe/deletion-races",
  "tests/safe/races",
  "tests/safe/correction-races",
  "tests/safe/answer-races",
  "tests/safe/round-trips",
  "tests/worker/mail-schedules",
  "app/pdf/qr-codes",
  "tests/safe/request-model",
  "tests/worker/spellings",
  "tests/worker/access",
  "tests/safe/model.test",
];

/**
 * The files that run programs: they run beside the searches, one file after the other. Only their long tests: the
 * others are those of `npm test`.
 */
const BESIDE = ["measure", "npm-start", "passwords", "set-up", "upgrade", "endurance"].map(
  (name) => `tests/self-host/${name}.test.ts`,
);

/** The longest that each part may take, in milliseconds. Each test has a shorter limit of its own, which names what hangs. */
const LIMIT = 120 * 60_000;

/** The file to which the tests write their figures. */
const FIGURES = "node_modules/.cache/tests/safe.jsonl";

/**
 * `npm run safe`: the long versions of the security and reliability tests, then a table of their figures with the time that
 * each took. `npm run safe -- 10` runs a tenth of everything but the times.
 */
export default async function safe([part = "1"]: string[]): Promise<void> {
  if (!(Number(part) >= 1))
    fail(`npm run safe [-- 10]: it takes a number, to run only that part of it; it was given ${part}.`);
  const share = (whole: number) => String(Math.max(1, Math.round(whole / Number(part))));
  process.env.SAFE = "1"; // for all processes started below
  mkdirSync("node_modules/.cache/tests", { recursive: true });
  rmSync(FIGURES, { force: true });
  const proofs = [
    "tests/spec/security",
    "tests/spec/proof-docs",
    "tests/spec/variants",
    ...readdirSync("tests/safe")
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `tests/safe/${name}`)
      .filter((file) => ![...MEASURED, ...TIMED].includes(file)),
    "tests/worker/access",
    "tests/worker/call-bodies",
    "tests/worker/spellings",
    "tests/worker/mail-schedules",
    "tests/worker/reminder-schedules",
  ];
  const paper = ["document", "embedded-fonts", "long-rows", "qr-codes"].map((name) => `app/pdf/${name}`);
  const files = [...proofs, "app/certification/progress.worker", "app/transfer/read-import", ...paper];
  const env = {
    SAFE_FIGURES: FIGURES,
    SAFE_FIRST: [...LONGEST, ...BESIDE, ...MEASURED].join(" "),
    SAFE_SEEDS: share(100),
    SAFE_SEQUENCES: share(100),
    SAFE_REQUESTS: share(10_000),
    SAFE_INTRUDERS: share(10_000),
    SAFE_DISOWNED: share(100),
    SAFE_TAMPERINGS: share(1_000),
    SAFE_ERASURES: share(100),
    MAIL_SCHEDULES: share(1_000),
    SAFE_LOGS: share(1_000),
    SAFE_OFFLINE: share(1_000),
    SAFE_EVENTS: share(1_000),
    SAFE_ENDURANCE: share(20_000),
  };
  const vitest = (of: string[], more: string[], print?: (text: string) => void) =>
    run("vitest", ["run", "--config", "remix.config.ts", ...of.flatMap((name) => ["--project", name]), ...more], {
      env,
      print,
      timeout: LIMIT,
    });
  const start = Date.now();
  await binary(); // and the build: two parts would make them at once
  const output: string[] = [];
  const beside = () =>
    vitest(["self-host"], [...BESIDE, "--tags-filter=long", "--no-file-parallelism"], (text) => output.push(text));
  const [searches, programs] = await Promise.all([vitest(["unit", "worker"], files), beside()]);
  process.stdout.write(output.join(""));
  console.log(`\nThe searches, and what runs beside them${tookOf(Date.now() - start)}`);
  const before = Date.now();
  const measured = await vitest(["worker", "timing"], MEASURED);
  const timed = await vitest(["worker", "timing"], [...TIMED, "--no-file-parallelism"]);
  console.log(`\nWhat measures times or memory${tookOf(Date.now() - before)}`);
  const status = searches.status || programs.status || measured.status || timed.status;
  const figures = figuresIn(FIGURES);
  for (const [row, run] of Object.entries({
    "Accessibility and pictures": states,
    "Bytes of pages": bytes,
    "The main job on the executable": mainJobInBinary,
    "The executable in a browser": mainPathInBinary,
  })) {
    const before = Date.now();
    const { passed, failed } = await run();
    if (failed === 0) figures.set(row, `${passed} passed${tookOf(Date.now() - before)}`);
  }
  const isMissed = print(figures);
  console.log(`\nAll of it${tookOf(Date.now() - start)}`);
  process.exit(status !== 0 || isMissed ? 1 : 0);
}

function figuresIn(file: string): Map<string, string> {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  return new Map(
    lines.filter(Boolean).map((line) => {
      // Written by tests/safe/figures.ts; null for a figure that several tests prove together.
      const { row, figure, seconds } = JSON.parse(line) as { row: string; figure: string; seconds: number | null };
      return [row, seconds === null ? figure : figure + tookOf(seconds * 1000)];
    }),
  );
}

function tookOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? ` (${seconds} s)` : ` (${Math.round(seconds / 60)} min)`;
}

/** Prints the table. A test writes its figure if it passes: returns whether one is missing. */
function print(figures: Map<string, string>): boolean {
  let isMissed = false;
  console.log("");
  for (const [what, target, ...names] of ROWS) {
    const found = names.flatMap((name) => figures.get(name) ?? []);
    const isThere = found.length === names.length;
    isMissed ||= !isThere;
    console.log(
      `${isThere ? "pass" : "MISS"}  ${what.padEnd(34)} ${target.padEnd(24)} ${isThere ? found.join("; ") : "no figure: its test failed, see above"}`,
    );
  }
  return isMissed;
}
