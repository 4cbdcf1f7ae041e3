import { readFileSync } from "node:fs";
import { messageOf } from "#app/errors.ts";
import { end, endOnSignals, fail, run } from "#scripts/lib/process.ts";
import { oldRuntimeWarning } from "#self-host/build/config.ts";
import { BEFORE_BUILD, BESIDE, type Counts, CRASHED, MORE_SUITES, SUITES, sumOf } from "./suites.ts";

/**
 * `npm test` runs all suites, even if one fails; `npm test -- worker` runs one. The last line is the total. The exit
 * code is 1 if a test failed.
 */
export default async function test(names: string[]): Promise<void> {
  endOnSignals(130);
  const suites = names.length > 0 ? { ...SUITES, ...MORE_SUITES } : SUITES;
  const unknown = names.find((name) => !(name in suites));
  if (unknown) fail(`There is no suite "${unknown}". There are ${Object.keys(suites).join(", ")}.`);

  const isAll = names.length === 0;
  const beside = isAll ? startBeside(BESIDE) : null;
  const results: [name: string, counts: Counts][] = [];
  for (const [name, runSuite] of Object.entries(suites)) {
    if (isAll ? name === BESIDE : !names.includes(name)) continue;
    if (!BEFORE_BUILD.includes(name)) await beside?.built;
    console.log(`\n── ${name} ──`);
    results.push([name, await runSuite().catch(crashed)]);
  }
  if (beside) results.push([BESIDE, await beside.counts()]);

  const sum = sumOf(results.map(([, counts]) => counts));
  // Printed again at the end, where they are seen first.
  for (const failure of sum.failures) console.log(`\n✗ ${shortened(failure)}`);
  console.log("");
  for (const [name, counts] of results) console.log(`${name.padEnd(9)} ${totals(counts)}`);
  console.log(`\n${totals(sum)}`);
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const [, runtime = ""] = devDependencies["workerd-of-executable"].split("npm:workerd@");
  const warning = oldRuntimeWarning(runtime, new Date());
  if (warning) console.warn(`\n${warning}`);
  await end(sum.failed === 0 ? 0 : 1);
}

/**
 * Starts a suite beside the others, once all that it and they need is built, so that it is not built twice at once. `built`
 * resolves then, also if the build fails: the suites themselves say so. `counts` waits for the suite's end and prints its output.
 */
function startBeside(name: string): { built: Promise<unknown>; counts: () => Promise<Counts> } {
  console.log(`The suite ${name} runs beside the others. Its output comes at the end.`);
  const output: string[] = [];
  const built = run(process.execPath, ["scripts/run.mjs", "binary"], { isSystem: true });
  const counts = built.then(() => SUITES[name]?.((text) => output.push(text))).catch(crashed);
  return {
    built,
    async counts() {
      const result = (await counts) ?? CRASHED;
      console.log(`\n── ${name} ──`);
      process.stdout.write(output.join(""));
      return result;
    },
  };
}

function crashed(error: unknown): Counts {
  console.error(messageOf(error));
  return CRASHED;
}

/** A failure's name and the first lines of its message. */
function shortened(failure: string): string {
  const [name = "", ...lines] = failure.split("\n");
  return [name, ...lines.slice(0, 12)].map((line) => line.slice(0, 300)).join("\n  ");
}

function totals({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
