import { end, endOnSignals, fail, run } from "#scripts/lib/process.ts";
import { launch } from "./browser.ts";
import { bundles } from "./bundles.ts";
import { bytes } from "./bytes.ts";
import { database } from "./database.ts";
import { exporting } from "./export.ts";
import { importing } from "./import.ts";
import { acts, load } from "./load.ts";
import { paint } from "./paint.ts";
import { render } from "./render.ts";
import { scale } from "./scale.ts";
import { type Row, tableOf } from "./table.ts";
import { startWorld, type World } from "./world.ts";

/** The number of measurements of times and scores; a test of the commands themselves takes one. */
const RUNS = Number(process.env.MEASURE_RUNS ?? 5);

type InBrowser = (browser: Awaited<ReturnType<typeof launch>>, world: World, runs: number) => Promise<Row[]>;

const inBrowser = (work: InBrowser) => async () => {
  const world = await startWorld();
  return work(await launch(), world, RUNS);
};

const PARTS: Record<string, [title: string, measure: () => Promise<Row[]>]> = {
  bytes: ["Slow links: bytes and requests", inBrowser(bytes)],
  paint: ["Slow links: first paint and forms", inBrowser(paint)],
  export: ["Slow links: the export", inBrowser(exporting)],
  bundles: ["The server: the build", bundles],
  render: ["The server: rendering", render],
  database: ["The server: D1", database],
  scale: ["The server: a technician's year in D1", scale],
  load: ["The server: the executable under load", load],
  acts: ["The server: saves, answers and exports", acts],
  import: ["The server: an import", async () => importing(await startWorld(), RUNS)],
};

/** `npm run measure`: all figures of docs/measure.md; `npm run measure -- bytes` measures one part. */
export default async function measure(names: string[]): Promise<void> {
  endOnSignals(130);
  const unknown = names.find((name) => !(name in PARTS));
  if (unknown) fail(`There is no part "${unknown}". There are ${Object.keys(PARTS).join(", ")}.`);
  const [name, ...others] = names;
  const [title, take] = (name && others.length === 0 && PARTS[name]) || [];
  if (title && take) console.log(`\n${tableOf(title, await take())}`);
  else await end((await measureEach(names.length > 0 ? names : Object.keys(PARTS))) ? 0 : 1);
  await end(0);
}

/** Each part is a process of its own, with its own app and data. Returns whether all could be measured. */
async function measureEach(names: string[]): Promise<boolean> {
  const all: string[] = [];
  const broken: string[] = [];
  for (const name of names) {
    const args = ["scripts/run.mjs", "measure", name];
    const { status, output, stdout } = await run(process.execPath, args, { isSystem: true, quiet: true });
    console.log(status === 0 ? stdout.trimEnd() : output);
    all.push(stdout);
    if (status !== 0) broken.push(name);
  }
  const count = (word: string) => all.join().split(`| ${word} |`).length - 1;
  console.log(`\n${count("pass")} figures reach their target, ${count("MISS")} miss it.`);
  if (broken.length > 0) console.error(`Could not be measured: ${broken.join(", ")}. The error is above.`);
  return broken.length === 0;
}
