import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Browser, chromium } from "@playwright/test";
import { transformWithEsbuild } from "vite";
import { beforeAll, expect, test } from "vitest";
import { CHROMIUM_ARGS, installChromium } from "#tests/chromium.ts";
import { type App, startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { workerScript } from "../../vite/service-worker.ts";
import { reportFigure, search } from "./figures.ts";
import { Device } from "./offline-device.ts";
import { type Fault, Network } from "./offline-network.ts";
import { runSchedule, type Schedule, type Step, scheduleOf, type Verdict, type World } from "./offline-schedule.ts";

/*
 * Seeded schedules of what happens to a phone without a signal, in a real Chromium with a network of its own that is cut,
 * loses and holds what is sent: pages that die, lost answers, expired sessions, another user, two tabs, new versions, a
 * clock that jumps, a logout without a signal, a full storage. After each, every user signs in with a signal: what was
 * saved must have arrived once, as hours of the user who saved it. A schedule can be repeated by its seed.
 */

const count = Number(process.env.SAFE_OFFLINE) || 30;
const firstSeed = Number(process.env.SAFE_SEED) || 1;
const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);

/** Phones at a time: most of a schedule is waiting. */
const LANES = 4;

/**
 * The longest that a step may take; one that hangs has failed. It is no limit of a whole schedule: its waits of up to
 * 20 s for events that do not come would add up to it on a busy machine, and then no step would be named as the one
 * that hangs.
 */
const STEP_MS = 2 * 60_000;

/** The longest that all schedules of a test may take. */
const ALL_MS = Math.max(10, count / 5) * 60_000;

let app: App;
let executablePath: string | null;

beforeAll(async () => {
  app = await startApp({ assets: true });
  executablePath = await installChromium();
});

async function startBrowser(): Promise<Browser> {
  if (!executablePath) throw new Error("there is no Chromium to test with");
  // No process that plays a graphics card: it takes a tenth of the time, and these pages are not looked at.
  return chromium.launch({
    executablePath,
    args: [...CHROMIUM_ARGS, "--disable-gpu", "--disable-software-rasterizer"],
  });
}

async function startNetwork(): Promise<Network> {
  const url = await app.url;
  if (!url) throw new Error("the app has no address"); // in the executable
  return Network.start(url);
}

async function verdictOf(world: World, device: Device, schedule: Schedule): Promise<Verdict> {
  let timer: NodeJS.Timeout | undefined;
  const hangs = new Promise<never>((_, fail) => {
    world.network.onStep = (step) => {
      clearTimeout(timer);
      device.waitsFor = "nothing that is noted";
      const where = () => device.context.pages().map((page) => page.url());
      timer = setTimeout(
        () => fail(new Error(`it hangs at ${step}, waits for ${device.waitsFor}, with the pages ${where()}`)),
        STEP_MS,
      );
    };
  });
  const failed = (error: unknown) => ({ seed: schedule.seed, saved: 0, wrong: [String(error)] });
  const verdict = await Promise.race([runSchedule(world, device, schedule), hangs]).catch(failed);
  clearTimeout(timer);
  world.network.onStep = undefined; // what hangs may still go on
  return verdict;
}

/** A broken app: request headers that get lost, or a script in its pages. */
interface Broken {
  lost?: string[];
  script?: string;
}

/** Runs these schedules, each on a new phone. */
async function runAll(schedules: Schedule[], { lost = [], script = "" }: Broken = {}): Promise<Verdict[]> {
  const waiting = [...schedules];
  const verdicts: Verdict[] = [];
  const worker = readFileSync("build/client/sw.js", "utf8");
  const lane = async () => {
    const network = await startNetwork();
    network.lost.push(...lost);
    const world = { app, network, worker };
    let browser = await startBrowser();
    for (let schedule = waiting.shift(); schedule; schedule = waiting.shift()) {
      const device = await Device.start(browser, network, script);
      verdicts.push(await verdictOf(world, device, schedule));
      network.reset();
      if (await device.end()) continue;
      browser.close().catch(() => {}); // a stuck one is ended when it does not close
      browser = await startBrowser();
    }
    network.close();
    await browser.close();
  };
  await Promise.all(Array.from({ length: Math.min(LANES, schedules.length) }, lane));
  return verdicts;
}

const wrongOf = (verdicts: Verdict[]) => verdicts.filter(({ wrong }) => wrong.length > 0);

search(
  `in ${count} schedules no hours are lost, doubled or another user's`,
  async () => {
    const verdicts = await runAll(seeds.map(scheduleOf));
    expect(wrongOf(verdicts)).toEqual([]);
    const saved = verdicts.reduce((sum, verdict) => sum + verdict.saved, 0);
    expect(saved).toBeGreaterThan(count);
    reportFigure("Offline schedules", `0 of ${saved} rows lost, 0 doubled in ${count} schedules`);
  },
  ALL_MS,
);

const FETCH = "const real = fetch; self.fetch = (...request) => real(...request)";
const PUT = "const { prototype } = IDBObjectStore, { put } = prototype; prototype.put = function (row)";
/** The answer that the app takes for success: a record. */
const RECORD = "Response.json({ id: 1 })";

/** Only pages send: the worker, which no script can break, could be the first to send a row. */
const PAGES_ONLY = "delete ServiceWorkerRegistration.prototype.sync;";

const CUT: Step = { does: "cut" };
const SAVE: Step = { does: "save", tab: 0, kind: "entry", fault: "none", next: "stay", isRefused: false };
const restore = (fault: Fault): Step => ({ does: "restore", fault });
const wait = (calls: number): Step => ({ does: "wait", calls });

/** Each piece that keeps hours from being lost, doubled or another user's, taken out of the app, and what happens then. */
const BROKEN: Record<string, Broken & { steps: Step[]; wrong: RegExp }> = {
  "the key that saves a row once": {
    lost: ["idempotency-key"],
    steps: [CUT, SAVE, restore("answer lost"), wait(1)],
    wrong: /is there 2 times/,
  },
  "the check of whose hours they are": {
    lost: ["for-user"],
    steps: [
      ...[CUT, SAVE, restore("request lost"), wait(1)],
      ...[{ does: "sign in", who: 1 } as const, { does: "send now", tab: 0 } as const, wait(2)],
    ],
    wrong: /is not its user's/,
  },
  // Edited and sent again under their key, they are other hours to the server, which saves them as well.
  "the note that a row was sent": {
    script: `${PUT} { return put.call(this, row.state === "sent" ? { ...row, state: "saved" } : row); };`,
    steps: [CUT, SAVE, restore("answer lost"), wait(1), { does: "edit", tab: 0 }],
    wrong: /is there 2 times/,
  },
  "keeping what was answered 401": {
    script: `${FETCH}.then((answer) => (answer.status === 401 ? ${RECORD} : answer));`,
    steps: [CUT, SAVE, { does: "expire" }, restore("none"), wait(1)],
    wrong: /is lost/,
  },
  "keeping what was not answered": {
    script: `${FETCH}.catch(() => ${RECORD});`,
    steps: [CUT, SAVE, restore("request lost"), wait(1)],
    wrong: /is lost/,
  },
  "the lock between tabs": {
    script: `Object.defineProperty(navigator, "locks", { value: undefined });`,
    steps: [CUT, SAVE, { does: "open", tab: 1, kind: "entry" }, restore("held"), wait(2), { does: "answer" }],
    wrong: /twice at a time/,
  },
};

for (const [piece, { steps, wrong, script = "", lost = [] }] of Object.entries(BROKEN)) {
  search(
    `a schedule notices an app without ${piece}, and finds nothing wrong in the app`,
    async () => {
      const schedule = { seed: 0, hasWorker: true, steps };
      const whole = await runAll([schedule], { script: PAGES_ONLY });
      expect(whole).toEqual([{ seed: 0, saved: 1, wrong: [] }]);
      const broken = await runAll([schedule], { lost, script: PAGES_ONLY + script });
      expect(broken).toEqual([{ seed: 0, saved: 1, wrong: [expect.stringMatching(wrong)] }]);
    },
    5 * 60_000,
  );
}

// Catches what made the schedules hang: a request of the browser that went out on a connection which the app had just closed
// as idle was answered by none, and the page waited for ever for a service worker that could not be fetched.
test("no request that passes through the network of the schedules relies on an older connection", async () => {
  const used = new WeakSet<Socket>();
  const app = createServer((incoming, outgoing) => {
    if (used.has(incoming.socket)) incoming.socket.destroy();
    used.add(incoming.socket);
    outgoing.end("here");
  });
  await new Promise<void>((done) => app.listen(0, "127.0.0.1", done));
  const network = await Network.start(new URL(`http://127.0.0.1:${(app.address() as AddressInfo).port}`)); // it listens
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect(await (await fetch(`${network.origin}/sw.js`)).text()).toBe("here");
  }
  network.close();
  app.close();
});

// Catches what may have made a schedule hang: the page waited for ever for the rest of an answer.
test("an answer that the app breaks off is broken off on the network of the schedules as well", async () => {
  const app = createServer((_incoming, outgoing) => {
    outgoing.writeHead(200, { "Content-Length": "10" });
    outgoing.write("half", () => outgoing.destroy());
  });
  await new Promise<void>((done) => app.listen(0, "127.0.0.1", done));
  const network = await Network.start(new URL(`http://127.0.0.1:${(app.address() as AddressInfo).port}`)); // it listens
  await expect(fetch(`${network.origin}/profile`, { signal: AbortSignal.timeout(5_000) })).rejects.toThrow(
    "fetch failed",
  );
  network.close();
  app.close();
});

// Catches a cache of a captive portal's pages in place of the forms, in which hours could not be saved without a signal.
test("behind a network that asks to sign in no worker is installed, and one is as soon as the app answers", async () => {
  const network = await startNetwork();
  const browser = await startBrowser();
  const ada = await app.register({ email: "portal@example.com" });
  const device = await Device.start(browser, network, "");
  await device.signIn(ada.cookies.get("session") ?? "", ada.user.id);
  for (const path of ["/offline/entries", "/offline/rope-hours"]) network.files.set(path, "<!doctype html>Welcome");
  const page = await device.open(0, "/profile");
  await page.getByLabel("Job Location").focus();
  const isInstalled = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.register("/sw.js").catch(() => null);
      const worker = registration?.installing ?? registration?.waiting ?? registration?.active;
      while (worker?.state === "installing") await new Promise((done) => setTimeout(done, 20));
      return worker?.state !== undefined && worker.state !== "redundant";
    });
  expect(await isInstalled()).toBe(false);
  network.files.clear();
  await expect.poll(isInstalled, { timeout: 60_000 }).toBe(true);
  await browser.close();
  network.close();
});

test("one visit to a build with OFFLINE=off removes the worker and its pages, and unsent hours are still sent", async () => {
  const network = await startNetwork();
  const browser = await startBrowser();
  const ada = await app.register({ email: "ada@example.com" });
  const device = await Device.start(browser, network, "");
  await device.signIn(ada.cookies.get("session") ?? "", ada.user.id);
  await device.installWorker();
  await device.setSignal(false);
  expect(await device.formOf(0, "entry")).toEqual({ userId: ada.user.id });
  expect(await device.save(0, "entry", "Hangar 1", false)).toBe(true);
  await device.kill(0);

  network.files.set("/sw.js", await workerScript({}, true));
  await device.registerNone();
  await device.setSignal(true);
  const page = await device.open(0, "/profile");
  const left = () =>
    page.evaluate(async () => [(await navigator.serviceWorker.getRegistrations()).length, await caches.keys()]);
  await expect.poll(left, { timeout: 60_000 }).toEqual([0, []]);
  await expect.poll(() => ada.storedEntries(), { timeout: 60_000 }).toBe(1);
  expect(await rows(app.db, "SELECT location FROM entries WHERE user_id = ?", ada.user.id)).toEqual([
    { location: "Hangar 1" },
  ]);
  await device.setSignal(false);
  await page.goto(`${network.origin}/profile`).catch(() => {});
  expect(await page.locator("form").count()).toBe(0);
  await browser.close();
  network.close();
});

test("in a build with OFFLINE=off no page registers a worker", async () => {
  const source = readFileSync("app/entry/signed-in.inline.ts", "utf8");
  const built = async (OFFLINE: string) => {
    const define = { "import.meta.env.OFFLINE": JSON.stringify(OFFLINE) };
    return (await transformWithEsbuild(source, "register.ts", { define, minify: true })).code;
  };
  expect(await built("")).toContain("/sw.js");
  expect(await built("off")).not.toContain("/sw.js");
});
