import { type Counts, CRASHED, sumOf } from "#scripts/lib/counts.ts";
import { end, endOnSignals } from "#scripts/lib/ending.ts";
import { fail, messageOf } from "#scripts/lib/process.ts";
import { MORE_SUITES, SUITES } from "#scripts/lib/suites.ts";

/**
 * `npm test` runs all suites, even if one fails; `npm test -- worker` runs one. The last line is the total. The exit
 * code is 1 if a test failed.
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
  // Printed again at the end, where they are seen first.
  for (const failure of sum.failures) console.log(`\n✗ ${shortened(failure)}`);
  console.log("");
  for (const [name, counts] of results) console.log(`${name.padEnd(8)} ${totals(counts)}`);
  console.log(`\n${totals(sum)}`);
  await end(sum.failed === 0 ? 0 : 1);
}

/** A failure's name and the first lines of its message. */
function shortened(failure: string): string {
  const [name = "", ...lines] = failure.split("\n");
  return [name, ...lines.slice(0, 12)].map((line) => line.slice(0, 300)).join("\n  ");
}

function totals({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
