import { readdirSync, readFileSync } from "node:fs";
import { atMost, inDigits, median, type Row, reported } from "./table.ts";
import type { World } from "./world.ts";

const ROWS = 5_000;
const APPLY_MS = 2_000;

/** The memory of the app's workerd processes in MiB, by Linux; null on other systems. */
function workerdMemory(): number | null {
  try {
    const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    const states = ids.flatMap((id) => {
      try {
        return [readFileSync(`/proc/${id}/status`, "utf8")];
      } catch {
        return []; // it has ended
      }
    });
    const isOurs = (state: string) => /^Name:\s+workerd$/m.test(state) && state.includes(`PPid:\t${process.pid}\n`);
    const kilobytes = states.filter(isOurs).map((state) => Number(/^VmRSS:\s+(\d+)/m.exec(state)?.[1] ?? 0));
    return Math.round(kilobytes.reduce((sum, size) => sum + size, 0) / 1024);
  } catch {
    return null;
  }
}

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
  const times: Record<"checked" | "applied" | "exported" | "undone", number[]> = {
    checked: [],
    applied: [],
    exported: [],
    undone: [],
  };
  const before = workerdMemory();
  let highest = 0;
  for (let run = 0; run < runs; run += 1) {
    const checked = await call("POST", "/api/imports", "text/csv", file);
    const { id } = JSON.parse(checked.text) as { id: number };
    const applied = await call("POST", `/api/imports/${id}/apply`);
    const { created } = JSON.parse(applied.text) as { created: number };
    if (created !== 2 * ROWS) throw new Error(`${created} records of ${ROWS} rows were imported`);
    times.checked.push(checked.milliseconds);
    highest = Math.max(highest, workerdMemory() ?? 0);
    times.applied.push(applied.milliseconds);
    times.exported.push((await call("GET", "/api/export.csv")).milliseconds);
    times.undone.push((await call("DELETE", `/api/imports/${id}`)).milliseconds);
  }
  const note = `runs: ${times.applied.map((time) => Math.round(time)).join(", ")}; ${inDigits(file.length)} B`;
  const middle = (what: keyof typeof times) => Math.round(median(times[what]));
  return [
    atMost(`import of ${inDigits(ROWS)} rows applied`, Math.round(Math.max(...times.applied)), APPLY_MS, " ms", note),
    reported("its preview", middle("checked"), " ms"),
    reported("the export of the log", middle("exported"), " ms"),
    reported("its undo", middle("undone"), " ms"),
    ...(before === null
      ? []
      : [
          reported(
            "the server's memory after an import",
            highest,
            " MiB",
            `${before} MiB before the first, all of workerd`,
          ),
        ]),
  ];
}
