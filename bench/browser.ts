import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from "@playwright/test";
import { beforeEnd, fail } from "#scripts/lib/process.ts";
import { CHROMIUM_ARGS, installChromium } from "#tests/chromium.ts";
import type { Technician } from "./seed.ts";
import type { World } from "./world.ts";

/** A network, with the figures of WebPageTest and Lighthouse, and a slower processor. */
export interface Link {
  name: string;
  /** From a request to the first byte of its response, in milliseconds. */
  latency: number;
  /** In kilobits per second. */
  down: number;
  up: number;
  /** The slow-down factor of the processor. */
  cpu: number;
}

export const SLOW_3G: Link = { name: "Slow 3G", latency: 400, down: 400, up: 400, cpu: 4 };

/** A file that a page fetched. */
interface Fetched {
  url: string;
  type: string;
  /** On the wire, with headers, as Chromium counts them. */
  bytes: number;
  /** In milliseconds since the first request. */
  loaded: number;
}

interface Visitor {
  page: Page;
  context: BrowserContext;
  /** Opens a page and waits until it fetches nothing more. */
  open(path: string): Promise<Fetched[]>;
  /** Opens a page without waiting. */
  go(path: string): Promise<unknown>;
  /** The files that the page fetches because of `action`. */
  during(action: () => Promise<unknown>): Promise<Fetched[]>;
  close(): Promise<void>;
}

/** A page counts as loaded after this time without a request. */
const QUIET_MS = 700;

/** Chromium reports only the start, not the end, of fetching a Web Worker's script. */
const SILENT_MS = 5_000;

export async function launch(): Promise<Browser> {
  const executablePath = await installChromium();
  if (!executablePath)
    return fail("There is no Chromium here and none could be installed: CHROMIUM_PATH can name one.");
  const browser = await chromium.launch({
    executablePath,
    args: CHROMIUM_ARGS,
  });
  beforeEnd(() => browser.close());
  return browser;
}

interface VisitorOptions {
  as?: Technician | "admin" | undefined;
  link?: Link;
}

/** A visitor with a small screen and an empty cache. */
export async function visitor(browser: Browser, world: World, { as, link }: VisitorOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  if (as) await context.addCookies([await world.cookieOf(as)]);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  if (link) await slowDown(cdp, link);
  const traffic = await listenTo(cdp);
  return {
    page,
    context,
    go: (path) => page.goto(`${world.address}${path}`, { waitUntil: "commit", timeout: 120_000 }),
    async open(path) {
      await page.goto(`${world.address}${path}`, { waitUntil: "load", timeout: 120_000 });
      return traffic.untilQuiet();
    },
    async during(action) {
      traffic.forget();
      await action();
      return traffic.untilQuiet();
    },
    close: () => context.close(),
  };
}

async function slowDown(cdp: CDPSession, { latency, down, up, cpu }: Link): Promise<void> {
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", {
    offline: false,
    latency,
    downloadThroughput: (down * 1000) / 8,
    uploadThroughput: (up * 1000) / 8,
  });
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: cpu });
}

/** Chromium's counters of what this page and its workers fetch. */
async function listenTo(cdp: CDPSession) {
  const requests = new Map<string, Fetched & { isDone: boolean }>();
  let start = 0;
  let last = Date.now();
  const since = (timestamp: number) => (timestamp - start) * 1000;
  cdp.on("Network.requestWillBeSent", ({ requestId, request, type = "Other", timestamp, redirectResponse }) => {
    last = Date.now();
    if (request.url.startsWith("data:") || request.url.startsWith("blob:")) return;
    start ||= timestamp;
    const before = redirectResponse ? redirectResponse.encodedDataLength : 0;
    requests.set(requestId, { url: request.url, type, bytes: before, loaded: since(timestamp), isDone: false });
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
    last = Date.now();
    const request = requests.get(requestId);
    if (!request) return;
    Object.assign(request, { loaded: since(timestamp), isDone: true });
    request.bytes += encodedDataLength;
  });
  cdp.on("Network.loadingFailed", ({ requestId }) => {
    last = Date.now();
    const request = requests.get(requestId);
    if (request) request.isDone = true;
  });
  await cdp.send("Network.enable");
  return {
    forget() {
      requests.clear();
      start = 0;
      last = Date.now();
    },
    async untilQuiet(): Promise<Fetched[]> {
      const isBusy = () => [...requests.values()].some(({ isDone }) => !isDone);
      while (Date.now() - last < (isBusy() ? SILENT_MS : QUIET_MS)) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const all = [...requests.values()].map(({ isDone: _, ...fetched }) => fetched);
      requests.clear();
      start = 0;
      return all;
    },
  };
}

export function bytesOf(fetched: Fetched[]): number {
  return fetched.reduce((sum, { bytes }) => sum + bytes, 0);
}
