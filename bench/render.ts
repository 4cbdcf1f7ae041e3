import "./own-data.ts"; // before all others
import { cpSync } from "node:fs";
import { join } from "node:path";
import { serveWorker } from "#scripts/lib/local.ts";
import { beforeEnd } from "#scripts/lib/process.ts";
import { dataDir, sessionSecret } from "#scripts/lib/settings.ts";
import type { Technician } from "./seed.ts";
import { atLeast, inDigits, median, type Row } from "./table.ts";
import { buildVariant } from "./variant.ts";
import { startWorld } from "./world.ts";

/**
 * The renders per request (workerd's clock does not advance within one) and the rounds; the first ones compile the
 * code.
 */
const AT_ONCE = 20;
const ROUNDS = 25;
const WARM_ROUNDS = 5;

const WHO: Technician = "thousand";

/** The number of entries on the page. */
const ROWS = 100;

/** `npm run measure -- render`. */
export async function render(): Promise<Row[]> {
  const world = await startWorld();
  const build = await buildVariant();
  const data = join(dataDir, "render");
  cpSync(join(dataDir, "v3"), join(data, "v3"), { recursive: true });
  const worker = serveWorker({ SESSION_SECRET: sessionSecret() }, { build, data, quiet: true });
  beforeEnd(() => worker.dispose());
  const address = await worker.ready;

  const { name, value } = await world.cookieOf(WHO);
  const ask = async (path: string, times: number) =>
    (await fetch(new URL(`${path}?times=${times}`, address), { headers: { Cookie: `${name}=${value}` } })).text();
  const [whole, alone] = [await ask("/handler", 1), await ask("/bare", 1)];
  if (whole !== alone || Number(whole) < ROWS) {
    throw new Error(`${whole} and ${alone} rows on a page of ${ROWS}`);
  }
  const times = { bare: [] as number[], handler: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const what of ["bare", "handler"] as const) {
      const start = performance.now();
      await ask(`/${what}`, AT_ONCE);
      if (round >= WARM_ROUNDS) times[what].push((performance.now() - start) / AT_ONCE);
    }
  }
  const [bare, handler] = [median(times.bare), median(times.handler)];
  const note = `${inDigits(bare)} ms ÷ ${inDigits(handler)} ms, medians of ${times.bare.length} × ${AT_ONCE}`;
  const what = `bare render ÷ whole handler, a page of ${ROWS} records, without D1`;
  return [atLeast(what, bare / handler, 0.65, note)];
}
