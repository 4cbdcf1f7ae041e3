import { end, endOnSignals } from "./lib/ending.ts";
import { fail, messageOf } from "./lib/process.ts";
import { type Counts, CRASHED, MORE_SUITES, SUITES } from "./lib/suites.ts";

/**
 * `npm test`: every suite, also after one that failed; `npm test -- worker` runs one. The last line is the sum of all,
 * and a run that is not all green exits with 1.
 */
export default async function test(names: string[]): Promise<void> {
  endOnSignals(130);
  const suites = names.length > 0 ? { ...SUITES, ...MORE_SUITES } : SUITES;
  const unknown = names.find((name) => !(name in suites));
  if (unknown) fail(`There is no suite "${unknown}". There are ${Object.keys(suites).join(", ")}.`);

  const results: [name: string, counts: Counts][] = [];
  for (const [name, runSuite] of Object.entries(suites)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(`\n── ${name} ──`);
    const counts = await runSuite().catch((error) => {
      console.error(messageOf(error));
      return CRASHED;
    });
    results.push([name, counts]);
  }

  console.log("");
  for (const [name, counts] of results) console.log(`${name.padEnd(8)} ${inWords(counts)}`);
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const [, { passed, failed, skipped }] of results) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  console.log(`\n${inWords(sum)}`);
  await end(sum.failed === 0 ? 0 : 1);
}

function inWords({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
