import { gzipSync } from "node:zlib";
import type { Browser } from "@playwright/test";
import { bytesOf, visitor } from "./browser.ts";
import { OPEN_TOKEN, RESET_TOKEN, SEVERAL_TOKEN, type Technician, USED_TOKEN } from "./seed.ts";
import { atMost, median, type Row, reported } from "./table.ts";
import type { Hit, World } from "./world.ts";

interface MeasuredPage {
  name: string;
  path: string;
  as?: Technician | "admin";
  /** The page is the check of an export of this technician, and `path` is what its address begins with. */
  exportOf?: Technician;
  /** The limits for the first view: all bytes on the wire, and those of scripts before any interaction. */
  bytes: number;
  script: number;
}

const PUBLIC = 5_000;
/** The sign-in page has a picture. */
const SIGN_IN = 6_000;
const SOME_SCRIPT = 1_000;
const WITH_ISLANDS = 4_000;
/** A page of 100 records with filters, statuses, recent jobs and details: below one TCP window of ten packets, 14,600 bytes. */
const LOG = 14_000;
/** Every other page with a list. */
const LIST = 10_000;
/** One TCP window of ten packets: the check of an export lists a hundred records on a page. */
const ONE_WINDOW = 14_600;

/** The pages whose bytes are limited (docs/measure.md). */
export const PAGES: MeasuredPage[] = [
  { name: "/auth", path: "/auth", bytes: SIGN_IN, script: SOME_SCRIPT },
  { name: "/verify/{token}", path: `/verify/${OPEN_TOKEN}`, bytes: PUBLIC, script: 0 },
  { name: "/verify/{token}, 50 records", path: `/verify/${SEVERAL_TOKEN}`, bytes: LIST, script: 0 },
  { name: "/c/{code}, 50 records", path: "/c/", exportOf: "fiftyVerified", bytes: LIST, script: 0 },
  { name: "/c/{code}, 100 of 500 records", path: "/c/", exportOf: "fiveHundredVerified", bytes: ONE_WINDOW, script: 0 },
  { name: "/success", path: `/success?token=${USED_TOKEN}`, bytes: PUBLIC, script: 0 },
  { name: "/reset-password", path: "/reset-password", bytes: PUBLIC, script: SOME_SCRIPT },
  { name: "/reset-password/{token}", path: `/reset-password/${RESET_TOKEN}`, bytes: PUBLIC, script: SOME_SCRIPT },
  { name: "/profile, 50 entries", path: "/profile", as: "fifty", bytes: LOG, script: WITH_ISLANDS },
  { name: "/profile, 100 of 500 entries", path: "/profile", as: "fiveHundred", bytes: LOG, script: WITH_ISLANDS },
  { name: "/profile, 100 of 5,000 entries", path: "/profile", as: "fiveThousand", bytes: LOG, script: WITH_ISLANDS },
  { name: "/profile, 100 of 520 entries, a target", path: "/profile", as: "twoADay", bytes: LOG, script: WITH_ISLANDS },
  { name: "/rope-hours, 50 records", path: "/rope-hours", as: "fifty", bytes: LOG, script: WITH_ISLANDS },
  { name: "/requests, 50 requests", path: "/requests", as: "thousand", bytes: LIST, script: 0 },
  { name: "/progress, 10,000 records", path: "/progress", as: "tenThousand", bytes: LIST, script: 0 },
  { name: "/progress, two entries a day", path: "/progress", as: "twoADay", bytes: LIST, script: 0 },
  { name: "/admin", path: "/admin", as: "admin", bytes: LIST, script: WITH_ISLANDS },
];

/** The cost of one view of a page. */
interface Cost {
  bytes: number;
  requests: number;
  /** The page itself without its files. */
  document: number;
  /** Script files and inline scripts, each gzipped by itself. The inline ones are part of the page's bytes too. */
  script: number;
  /** Requests that delay the first paint. */
  beforePaint: number;
}

/** The first view with an empty cache, until nothing more is fetched. */
export async function firstView(browser: Browser, world: World, measured: MeasuredPage): Promise<Cost> {
  const { open, page, close } = await visitor(browser, world, { as: measured.as });
  const fetched = await open(await pathOf(world, measured));
  const blocking = await page.evaluate(
    () =>
      performance
        .getEntriesByType("resource")
        .filter((entry) => "renderBlockingStatus" in entry && entry.renderBlockingStatus === "blocking").length,
  );
  const inside = await page.evaluate(() =>
    [...document.scripts]
      .filter(({ src, type }) => !src && /^(module|text\/javascript|)$/.test(type))
      .map(({ text }) => text),
  );
  await close();
  return {
    bytes: bytesOf(fetched),
    requests: fetched.length,
    document: bytesOf(fetched.filter(({ type }) => type === "Document")),
    script:
      bytesOf(fetched.filter(({ type }) => type === "Script")) +
      inside.reduce((sum, text) => sum + gzipSync(text).length, 0),
    beforePaint: 1 + blocking,
  };
}

/** The addresses of pages that belong to an export, by who made it. */
const exported = new Map<Technician, string>();

/** Returns the address of a page, after exporting the form that the page shows, if need be. */
async function pathOf(world: World, { path, exportOf: who }: MeasuredPage): Promise<string> {
  if (!who) return path;
  const known = exported.get(who);
  if (known) return known;
  const { name, value } = await world.cookieOf(who);
  const answer = await fetch(`${world.address}/api/exports`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Cookie: `${name}=${value}` },
    body: JSON.stringify({ form: "ojt" }),
  });
  const address = path + ((await answer.json()) as { code: string }).code;
  exported.set(who, address);
  return address;
}

/** The files from /assets that the second view fetches. */
export async function secondView(browser: Browser, world: World, measured: MeasuredPage): Promise<Hit[]> {
  const { open, close } = await visitor(browser, world, { as: measured.as });
  const path = await pathOf(world, measured);
  await open(path);
  world.hits();
  await open(path);
  await close();
  return world.hits().filter(({ path }) => path.startsWith("/assets/"));
}

/** Whether it is a script of the page: the service worker is installed at the same touch, when the browser is idle. */
const isScript = ({ path }: Hit) => /^\/assets\/(?!offline-).*\.js$/.test(path);
const sum = (hits: Hit[]) => hits.reduce((total, { bytes }) => total + bytes, 0);

/** The files fetched at the first touch of the new-entries form, and at the export. */
export async function onDemand(browser: Browser, world: World) {
  const { open, during, page, close } = await visitor(browser, world, { as: "fifty" });
  await open("/profile");
  world.hits();
  await during(() => page.getByLabel("Job Location").first().focus());
  const island = world.hits().filter(isScript);
  const button = page.getByRole("button", { name: "Export Verified Hours as PDF" });
  await during(() => button.focus());
  const withFocus = world.hits();
  await during(async () => {
    const download = page.waitForEvent("download", { timeout: 60_000 });
    await button.click();
    await download;
  });
  const exported = [...withFocus, ...world.hits()];
  await close();
  return {
    island,
    builder: exported.filter(isScript),
    fonts: exported.filter(({ path }) => /\.(woff2?|ttf)$/.test(path)),
  };
}

/** Random keys in a page change its size by a few bytes from view to view. */
const VIEWS = 3;

/** `npm run measure -- bytes`. */
export async function bytes(browser: Browser, world: World): Promise<Row[]> {
  const table: Row[] = [];
  for (const measured of PAGES) {
    const costs: Cost[] = [];
    for (let run = 0; run < VIEWS; run += 1) costs.push(await firstView(browser, world, measured));
    const middle = (of: keyof Cost) => median(costs.map((cost) => cost[of]));
    const note = `${middle("requests")} requests; the page itself ${middle("document")} B`;
    table.push(
      atMost(`${measured.name}: first view`, middle("bytes"), measured.bytes, " B", note),
      atMost(`${measured.name}: requests to first paint`, middle("beforePaint"), 1),
      atMost(`${measured.name}: script before a touch`, middle("script"), measured.script, " B"),
    );
  }
  const again = [];
  for (const measured of PAGES) again.push(...(await secondView(browser, world, measured)));
  table.push(atMost("every page: asset requests of a second visit", again.length, 0));
  const { island, builder, fonts } = await onDemand(browser, world);
  table.push(
    atMost("island on demand (new entries), React included", sum(island), 60_000, " B", `${island.length} requests`),
    atMost("PDF builder on demand, without fonts", sum(builder), 310_000, " B", `${builder.length} requests`),
    reported("fonts of that PDF", sum(fonts), " B", `${fonts.length} requests`),
  );
  return table;
}
