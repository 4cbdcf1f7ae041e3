import type { Browser } from "@playwright/test";
import { SLOW_3G } from "./browser.ts";
import { firstView, PAGES } from "./bytes.ts";
import { PAINTED, type View, viewOver } from "./paint.ts";
import { inDigits, median, type Row, reported } from "./table.ts";
import { buildVariant } from "./variant.ts";
import { startWorld, type World } from "./world.ts";

/** The pages that are compared. */
const COMPARED = ["/verify/{token}", "/profile, 50 entries", "/auth"];

const OURS = "ours";
const FULL = "Remix's default hydration";

/** `npm run measure -- beside`: the same pages with Remix's default client. */
export async function beside(browser: Browser, world: World, runs: number): Promise<Row[]> {
  const worlds = { [OURS]: world, [FULL]: await startWorld({ of: await buildVariant("full-hydration") }) };
  const table: Row[] = [];
  for (const painted of PAINTED) {
    const page = PAGES.find(({ path, as }) => path === painted.path && as === painted.as);
    if (!page || !COMPARED.includes(painted.name)) continue;
    const views = new Map<string, View[]>(Object.keys(worlds).map((name) => [name, []]));
    for (let run = 0; run < runs; run += 1) {
      for (const [name, world] of Object.entries(worlds)) {
        views.get(name)?.push(await viewOver(browser, world, SLOW_3G, painted));
      }
    }
    for (const [name, world] of Object.entries(worlds)) {
      const cost = await firstView(browser, world, page);
      const list = views.get(name) ?? [];
      const fcp = Math.round(median(list.map(({ fcp }) => fcp)));
      const hydrated = median(list.map(({ hydrated }) => hydrated ?? Number.NaN));
      const until = Number.isNaN(hydrated)
        ? "its form works from then on"
        : `its form is React's at ${inDigits(Math.round(hydrated))} ms`;
      const note = `Slow 3G: first paint at ${inDigits(fcp)} ms${painted.form ? `, ${until}` : ""}`;
      table.push(
        reported(`${painted.name}, ${name}`, `${inDigits(cost.bytes)} B, ${cost.requests} requests`, "", note),
      );
    }
  }
  return table;
}
