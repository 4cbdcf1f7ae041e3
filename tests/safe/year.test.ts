import { expect, test } from "vitest";
import { SWEEPS } from "#app/sweeps/run-sweeps.server.ts";
import { MAY_SCAN, rows } from "#tests/worker/database.ts";
import { reportFigure } from "./figures.ts";
import { DAYS, growing, simulateYear, sizesTable } from "./year.ts";

/*
 * A simulated year: what is swept must have stopped growing by its middle. `npm test` simulates eight months, because all
 * but `known_recipients` is swept within four. `npm run safe` also simulates the year without the sweeps: each of these
 * tables must be found to grow.
 */

const emptied = SWEEPS.filter(({ statements }) => statements.at(-1)?.startsWith("DELETE"));
// Only deleted records are swept.
const swept = [...new Set(emptied.map(({ name, table }) => (table === "records" ? name : table)))];
const { SAFE } = process.env;
const months = SAFE ? 12 : 8;

const year = await simulateYear({ months, technicians: SAFE ? 4 : 1, timerEvery: SAFE ? 1 : 6 });

test(`in ${months} months of use no table that is swept grows after the middle`, () => {
  console.log(`Rows at the end of each month\n\n${sizesTable(year)}`);
  // Recipients are known for a year: sweeps.worker.test.ts.
  expect(growing(year, swept).filter((table) => table !== "known_recipients")).toEqual([]);
  // They were months of use: everything else did grow.
  const records = ["records", "verification_requests", "verification_log", "exports"];
  expect(growing(year, records)).toEqual(records);
});

test("months later a link still says what became of it", async () => {
  const answers = await Promise.all(
    [...year.links].map(async ([what, token]) => {
      const { status, text } = await year.app.json("GET", `/api/verify/${token}`);
      return [what, status, (JSON.parse(text) as { message: string }).message];
    }),
  );
  expect(answers).toEqual([
    ["verified", 409, expect.any(String)],
    ["declined", 409, expect.any(String)],
    ["expired", 404, expect.stringContaining("This link has expired.")],
    ["withdrawn", 404, expect.stringContaining("The technician has withdrawn this request.")],
    ["edited", 404, expect.stringContaining("The technician has changed this record")],
    ["deleted", 404, expect.stringContaining("The technician has deleted this record.")],
  ]);
  const [stripped] = await rows<{ n: number }>(
    year.app.db,
    "SELECT count(*) AS n FROM verification_requests WHERE ended_at < ? AND nonce <> printf('%032d', 0)",
    Date.now() + (months * DAYS - 40) * 86_400_000,
  );
  expect(stripped?.n).toBe(0);
});

test("no statement of these months, the timer's included, scans a table", async () => {
  const scans: string[] = [];
  for (const [sql, values] of await year.app.statements()) {
    const plan = await rows<{ detail: string }>(year.app.db, `EXPLAIN QUERY PLAN ${sql}`, ...values);
    for (const { detail } of plan) {
      if (detail.startsWith("SCAN") && !MAY_SCAN.test(detail)) scans.push(`${detail}: ${sql.slice(0, 300)}`);
    }
  }
  expect(scans).toEqual([]);
});

test.runIf(SAFE)("without the sweeps each of these tables is found to grow", async () => {
  const sabotage = emptied.map(({ statements }): [string, string] => {
    const last = statements.at(-1) ?? "";
    return [last, `${last} AND 0`];
  });
  const broken = await simulateYear({ months, technicians: 1, timerEvery: 5, sabotage });
  expect(growing(broken, swept)).toEqual(swept);
  reportFigure("A simulated year", `${swept.length} tables do not grow, and all do without the sweeps`);
});
