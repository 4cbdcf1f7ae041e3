import { type Counts, CRASHED, sumOf } from "#scripts/lib/counts.ts";
import { end, endOnSignals } from "#scripts/lib/ending.ts";
import { fail, messageOf } from "#scripts/lib/process.ts";
import { MORE_SUITES, SUITES } from "#scripts/lib/suites.ts";

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

  const sum = sumOf(results.map(([, counts]) => counts));
  // Again at the end: the last lines are what a person reads first.
  for (const failure of sum.failures) console.log(`\n✗ ${shortened(failure)}`);
  console.log("");
  for (const [name, counts] of results) console.log(`${name.padEnd(8)} ${totals(counts)}`);
  console.log(`\n${totals(sum)}`);
  await end(sum.failed === 0 ? 0 : 1);
}

/** A failure's name, and as much of what it says as helps to recognise it. */
function shortened(failure: string): string {
  const [name = "", ...lines] = failure.split("\n");
  return [name, ...lines.slice(0, 12)].map((line) => line.slice(0, 300)).join("\n  ");
}

function totals({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
