import { end, endOnSignals } from "#scripts/lib/ending.ts";
import { fail, run } from "#scripts/lib/process.ts";
import { beside } from "./beside.ts";
import { launch } from "./browser.ts";
import { bundles } from "./bundles.ts";
import { bytes } from "./bytes.ts";
import { database } from "./database.ts";
import { exporting } from "./export.ts";
import { lighthouse } from "./lighthouse.ts";
import { paint } from "./paint.ts";
import { render } from "./render.ts";
import { type Row, tableOf } from "./table.ts";
import { startWorld } from "./world.ts";

/** How often whatever may differ from time to time is measured; the median is printed. */
const RUNS = 5;

interface Part {
  title: string;
  measure: () => Promise<Row[]>;
}

const inBrowser = async (
  work: (
    browser: Awaited<ReturnType<typeof launch>>,
    world: Awaited<ReturnType<typeof startWorld>>,
    runs: number,
  ) => Promise<Row[]>,
) => {
  const world = await startWorld();
  const browser = await launch();
  return work(browser, world, RUNS);
};

const PARTS: Record<string, Part> = {
  bytes: { title: "Slow links: bytes and requests", measure: () => inBrowser(bytes) },
  paint: { title: "Slow links: first paint and forms", measure: () => inBrowser(paint) },
  beside: { title: "Slow links: beside Remix's default hydration", measure: () => inBrowser(beside) },
  lighthouse: { title: "Slow links: Lighthouse", measure: async () => lighthouse(await startWorld(), RUNS) },
  export: { title: "Slow links: the export", measure: () => inBrowser(exporting) },
  bundles: { title: "The server: the build", measure: bundles },
  render: { title: "The server: processor", measure: render },
  database: { title: "The server: D1", measure: database },
};

/** `npm run measure`: every figure of docs/measure.md; `npm run measure -- bytes` is one part of them. */
export default async function measure(names: string[]): Promise<void> {
  endOnSignals(130);
  const unknown = names.find((name) => !(name in PARTS));
  if (unknown) fail(`There is no part "${unknown}". There are ${Object.keys(PARTS).join(", ")}.`);
  const [name, ...others] = names;
  const part = name && others.length === 0 && PARTS[name];
  if (part) console.log(`\n${tableOf(part.title, await part.measure())}`);
  else await measureEach(names.length > 0 ? names : Object.keys(PARTS));
  await end(0);
}

/** Each part is a program of its own, with an app and data of its own. */
async function measureEach(names: string[]): Promise<void> {
  const all: string[] = [];
  for (const name of names) {
    const args = ["scripts/run.mjs", "measure", name];
    const { status, output, stdout } = await run(process.execPath, args, { isSystem: true, quiet: true });
    console.log(status === 0 ? stdout.trimEnd() : output);
    all.push(stdout);
  }
  const count = (word: string) => all.join().split(`| ${word} |`).length - 1;
  console.log(`\n${count("pass")} figures reach their target, ${count("MISS")} miss it.`);
}
