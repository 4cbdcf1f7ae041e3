import { appendFileSync } from "node:fs";
import { afterAll, afterEach, TestRunner, test } from "vitest";

/** A test that runs in `npm run safe` alone: a search at random, which has no end by itself, or a race. */
export const search = test.runIf(process.env.SAFE);

/** A long test of a file whose other tests only `npm test` runs: `npm run safe` finds it by its tag. On a busy machine it takes minutes. */
export const LONG = { tags: "long", timeout: 60 * 60_000 };

/** A test of this kind that `npm test` does not run. */
export const longTest = (name: string, run: () => Promise<void>) => search(name, LONG, run);

/**
 * Reports a figure for the table *Safe* to `npm run safe`, which prints them all with the time that each took; `npm test`
 * ignores it.
 */
export function reportFigure(row: string, figure: string): void {
  const file = process.env.SAFE_FIGURES;
  const since = TestRunner.getCurrentTest()?.result?.startTime;
  const seconds = since === undefined ? null : Math.round((Date.now() - since) / 1000);
  if (file) appendFileSync(file, `${JSON.stringify({ row, figure, seconds })}\n`);
}

/** Reports a figure that all tests of a file prove together: if one has failed, there is no figure. */
export function reportFigureAtEnd(row: string, figure: () => string): void {
  let failed = 0;
  afterEach(({ task }) => {
    if (task.result?.state === "fail") failed += 1;
  });
  afterAll(() => {
    if (failed === 0) reportFigure(row, figure());
  });
}
