import { atMost, inDigits, type Row } from "./table.ts";
import type { World } from "./world.ts";

const ROWS = 5_000;
const APPLY_MS = 2_000;

/**
 * `npm run measure -- import`: a file of 5,000 rows beside the app of `npm start`. Each run imports and undoes it. Round
 * trips, and that it is one transaction: app/transfer/import.worker.test.ts.
 */
export async function importing(world: World, runs: number): Promise<Row[]> {
  const { name, value } = await world.cookieOf("fiveHundred");
  const call = async (method: string, path: string, type = "application/json", body?: string) => {
    const start = performance.now();
    const headers = { Cookie: `${name}=${value}`, ...(body !== undefined && { "Content-Type": type }) };
    const response = await fetch(world.address + path, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`);
    return { milliseconds: performance.now() - start, text };
  };
  const lines = Array.from(
    { length: ROWS },
    (_, row) => `2026-11-20,"Rig ${row}, deck ${row % 7}",${1 + (row % 20)}.25,0.5`,
  );
  // Two records a row: as many as an import creates.
  const file = ["Date,Location,MT,PT", ...lines].join("\n");
  const applied: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const checked = await call("POST", "/api/imports", "text/csv", file);
    const { id } = JSON.parse(checked.text) as { id: number };
    const done = await call("POST", `/api/imports/${id}/apply`);
    const { created } = JSON.parse(done.text) as { created: number };
    if (created !== 2 * ROWS) throw new Error(`${created} records of ${ROWS} rows were imported`);
    applied.push(Math.round(done.milliseconds));
    await call("DELETE", `/api/imports/${id}`);
  }
  const note = `runs: ${applied.join(", ")}; ${inDigits(file.length)} B`;
  return [atMost(`import of ${inDigits(ROWS)} rows applied`, Math.max(...applied), APPLY_MS, " ms", note)];
}
