import { readFileSync } from "node:fs";
import { type Browser, chromium } from "@playwright/test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installChromium } from "#scripts/lib/chromium.ts";
import { type App, startApp } from "#tests/worker/app.ts";
import { reportFigure } from "./figures.ts";
import { Network } from "./offline-network.ts";
import { runSchedule, scheduleOf, type Verdict, type World } from "./offline-schedule.ts";

const count = Number(process.env.SAFE_OFFLINE) || 30;
const first = Number(process.env.SAFE_SEED) || 1;
const LANES = Number(process.env.LANES) || 4;

let app: App;
let browser: Browser;

beforeAll(async () => {
  app = await startApp({ assets: true, cheapHashes: true });
  const executablePath = await installChromium();
  if (!executablePath) throw new Error("there is no Chromium to test with");
  browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
});

afterAll(() => browser.close());

/** The longest that a schedule may take; one that hangs has failed. */
const SCHEDULE_MS = 3 * 60_000;

async function verdictOf(world: World, seed: number): Promise<Verdict> {
  const hangs = new Promise<never>((_, fail) => setTimeout(() => fail(new Error("it hangs")), SCHEDULE_MS).unref());
  const failed = (error: unknown) => ({ seed, saved: 0, wrong: [String(error)] });
  return Promise.race([runSchedule(world, scheduleOf(seed)), hangs]).catch(failed);
}

async function runAll(seeds: number[], broken: Partial<Pick<World, "broken">> = {}): Promise<Verdict[]> {
  const url = await app.url;
  if (!url) throw new Error("the app has no address");
  const waiting = [...seeds];
  const verdicts: Verdict[] = [];
  const lane = async () => {
    const network = await Network.start(url);
    const world = { app, browser, network, worker: readFileSync("build/client/sw.js", "utf8"), ...broken };
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const start = Date.now();
      const verdict = await verdictOf(world, seed);
      if (process.env.TELL)
        console.log(seed, Date.now() - start, "ms", verdict.saved, verdict.wrong, network.twiceUnderWay);
      verdicts.push(verdict);
    }
    network.close();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return verdicts;
}

const seeds = Array.from({ length: count }, (_, index) => first + index);

test(`in ${count} schedules no hours are lost, doubled or another user's`, async () => {
  const verdicts = await runAll(seeds);
  const wrong = verdicts.filter((verdict) => verdict.wrong.length > 0);
  expect(wrong).toEqual([]);
  const saved = verdicts.reduce((sum, verdict) => sum + verdict.saved, 0);
  expect(saved).toBeGreaterThan(count);
  reportFigure("Offline schedules", `0 of ${saved} rows lost, 0 doubled in ${count} schedules`);
});
