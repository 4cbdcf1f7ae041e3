import { appendFileSync } from "node:fs";
import { afterAll, afterEach } from "vitest";

/** Reports a figure for the table *Safe* to `npm run safe`, which prints them all; `npm test` ignores it. */
export function reportFigure(row: string, figure: string): void {
  const file = process.env.SAFE_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify({ row, figure })}\n`);
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
