import { appendFileSync } from "node:fs";

/** Hands a figure of the table *Safe* to `npm run safe`, which prints them all; in `npm test` nobody asks for it. */
export function tell(row: string, figure: string): void {
  const file = process.env.SAFE_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify({ row, figure })}\n`);
}
