import { appendFileSync } from "node:fs";
import { afterAll, afterEach } from "vitest";

/** Hands a figure of the table *Safe* to `npm run safe`, which prints them all; in `npm test` nobody asks for it. */
export function tell(row: string, figure: string): void {
  const file = process.env.SAFE_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify({ row, figure })}\n`);
}

/** The same for what every test of a file proves together: where one has failed there is no figure. */
export function tellAtEnd(row: string, figure: () => string): void {
  let failed = 0;
  afterEach(({ task }) => {
    if (task.result?.state === "fail") failed += 1;
  });
  afterAll(() => {
    if (failed === 0) tell(row, figure());
  });
}
