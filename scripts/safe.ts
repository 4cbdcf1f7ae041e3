import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { run } from "#scripts/lib/process.ts";
import { accessibility, mainPathInBinary } from "#scripts/lib/suites.ts";

/** A row of the table: what is proved, what it should come to, and the figures of the tests that prove it. */
interface Row {
  what: string;
  target: string;
  figures: string[];
}

const ROWS: Row[] = [
  { what: "OWASP ASVS 5.0", target: "level 1 all, 2 95 %", figures: ["ASVS level 1", "ASVS level 2"] },
  { what: "Access matrix", target: "every cell asserted", figures: ["Access matrix"] },
  { what: "Cross-site requests", target: "every non-GET refused", figures: ["Cross-site requests"] },
  { what: "A secret in an answer or the log", target: "none", figures: ["Secrets in answers and log"] },
  { what: "Confirm raced by 50", target: "exactly 1 in 100 seeds", figures: ["Confirm raced by 50"] },
  { what: "  its naive form", target: "loses", figures: ["Confirm raced by 50, the naive form"] },
  { what: "Reset raced by 50", target: "exactly 1 in 100 seeds", figures: ["Reset raced by 50"] },
  { what: "  its naive form", target: "loses", figures: ["Reset raced by 50, the naive form"] },
  { what: "Change of password raced by 8", target: "exactly 1", figures: ["Change of password raced by 8"] },
  { what: "  its naive form", target: "loses", figures: ["Change of password raced by 8, the naive form"] },
  { what: "Corrections raced", target: "never confirmed unseen", figures: ["Edit raced with confirm"] },
  {
    what: "Deletion raced with everything",
    target: "nothing left behind",
    figures: ["Deletion raced with everything"],
  },
  { what: "D1 fails at call k, every action", target: "all or nothing", figures: ["D1 fails at call k"] },
  { what: "The mail service misbehaves", target: "0 of 1,000 lost", figures: ["Mail schedules"] },
  { what: "Page time, mail hung ÷ healthy", target: "≤ 1.10", figures: ["Page time, mail hung ÷ healthy"] },
  { what: "The same form sent twice", target: "no double entry", figures: ["The same form sent twice"] },
  { what: "Random sequences, a model", target: "no difference", figures: ["Random sequences against the model"] },
  { what: "Fuzzed requests", target: "10,000, no mistake", figures: ["Fuzzed requests"] },
  { what: "Time against size, every route", target: "≤ 2.6 × for twice", figures: ["Time against size"] },
  { what: "Log-in, known ÷ unknown", target: "0.95 to 1.05", figures: ["Login timing, known ÷ unknown"] },
  { what: "Reset, known ÷ unknown", target: "alike", figures: ["Reset timing, known ÷ unknown"] },
  { what: "axe, 360 and 1280 px, light, dark", target: "0 violations", figures: ["Accessibility"] },
  { what: "The executable in a browser", target: "all pass", figures: ["The executable in a browser"] },
];

/** Where the tests write their figures, outside of the sources. */
const FIGURES = "node_modules/.cache/tests/safe.jsonl";

/**
 * `npm run safe`: the long versions of the tests that prove the app safe, one file after the other so that times mean
 * something, and then a table of what they came to. Half an hour. `npm run safe -- 10` takes a tenth of everything but
 * the times.
 */
export default async function safe([part = "1"]: string[]): Promise<void> {
  const share = (whole: number) => String(Math.max(1, Math.round(whole / Number(part))));
  process.env.SAFE = "1"; // for every program below
  mkdirSync("node_modules/.cache/tests", { recursive: true });
  rmSync(FIGURES, { force: true });
  const projects = ["unit", "worker", "timing"].flatMap((name) => ["--project", name]);
  const proofs = ["tests/spec/security", "tests/safe/", "tests/worker/access", "tests/worker/mail-schedules"];
  const files = [...proofs, "app/pdf/document", "app/pdf/embedded-fonts"];
  const args = ["run", "--config", "remix.config.ts", ...projects, ...files, "--no-file-parallelism"];
  const { status } = await run("vitest", args, {
    env: {
      SAFE_FIGURES: FIGURES,
      SAFE_SEEDS: share(100),
      SAFE_SEQUENCES: share(100),
      SAFE_REQUESTS: share(10_000),
      MAIL_SCHEDULES: share(1_000),
    },
  });
  const axe = await accessibility();
  const figures = figuresIn(FIGURES);
  const binary = await mainPathInBinary();
  if (binary.failed === 0) figures.set("The executable in a browser", `${binary.passed} passed`);
  if (axe.failed === 0) figures.set("Accessibility", `0 in ${axe.passed} tests of a page or state in all four`);
  const isMissed = print(figures);
  process.exit(status !== 0 || isMissed ? 1 : 0);
}

function figuresIn(file: string): Map<string, string> {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  return new Map(
    lines.filter(Boolean).map((line) => {
      const { row, figure } = JSON.parse(line) as { row: string; figure: string }; // tests/safe/figures.ts wrote it
      return [row, figure];
    }),
  );
}

/** A test hands in its figure when it has passed; a row without one has missed. Returns whether there is such a row. */
function print(figures: Map<string, string>): boolean {
  let isMissed = false;
  console.log("");
  for (const { what, target, figures: names } of ROWS) {
    const found = names.flatMap((name) => figures.get(name) ?? []);
    const isThere = found.length === names.length;
    isMissed ||= !isThere;
    console.log(
      `${isThere ? "pass" : "MISS"}  ${what.padEnd(34)} ${target.padEnd(24)} ${isThere ? found.join("; ") : "no figure: its test failed, see above"}`,
    );
  }
  return isMissed;
}
