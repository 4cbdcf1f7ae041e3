import { loadavg } from "node:os";
import type { Browser } from "@playwright/test";
import { type Link, SLOW_3G, visitor } from "./browser.ts";
import { OPEN_TOKEN, type Technician, USED_TOKEN } from "./seed.ts";
import { atMost, inDigits, median, type Row, reported } from "./table.ts";
import { BARE, type World } from "./world.ts";

interface PaintedPage {
  name: string;
  path: string;
  as?: Technician;
  /** The page's main form, if there is one. */
  form?: string;
}

/** The frame of a screen, in milliseconds: two paints in the same frame are alike. */
const FRAME = 17;

/** The times of a machine on which a page's median exceeds its least by more are those of its other work. */
const IDLE = 1.1;

const POST_FORM = 'main form[method="post"]';

export const PAINTED: PaintedPage[] = [
  { name: "/verify/{token}", path: `/verify/${OPEN_TOKEN}`, form: POST_FORM },
  { name: "/auth", path: "/auth", form: POST_FORM },
  { name: "/success", path: `/success?token=${USED_TOKEN}` },
  { name: "/reset-password", path: "/reset-password", form: POST_FORM },
  { name: "/profile, 50 entries", path: "/profile", as: "fifty", form: POST_FORM },
  { name: "/profile, 100 of 500 entries", path: "/profile", as: "fiveHundred", form: POST_FORM },
];

const BARE_PAGE: PaintedPage = { name: "a bare page", path: BARE, form: 'form[method="post"]' };

/** One view over a slow network, in milliseconds since the request. */
interface View {
  fcp: number;
  /** When the form and its button were in the page. */
  form: number | null;
}

/** Runs in the page before its scripts: stores when the form is there. */
const probe = (selector: string) => `
  window.probe = { form: null };
  const form = () => document.querySelector(${JSON.stringify(selector)});
  const look = () => {
    if (form()?.querySelector("button:not([type=button])")) window.probe.form ??= performance.now();
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
`;

/** A first view with an empty cache over a slow network. */
async function viewOver(
  browser: Browser,
  world: World,
  link: Link,
  { path, as, form = "form" }: PaintedPage,
): Promise<View> {
  const { open, page, close } = await visitor(browser, world, { as, link });
  await page.addInitScript({ content: probe(form) });
  await open(path);
  const seen = (await page.evaluate(
    "({ ...window.probe, fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime })",
  )) as View;
  await close();
  if (!seen.fcp) throw new Error(`${path} was never painted`);
  return seen;
}

/** Presses the form's button at the first paint. Returns whether the server received the form. */
export async function sentAtPaint(
  browser: Browser,
  world: World,
  link: Link,
  { path, as, form }: PaintedPage,
): Promise<boolean> {
  if (!form) return true;
  const { page, go, close } = await visitor(browser, world, { as, link });
  await page.addInitScript({
    content: `new PerformanceObserver((list) => {
      if (list.getEntriesByName("first-contentful-paint").length === 0) return;
      document.querySelector(${JSON.stringify(form)})?.querySelector("button:not([type=button])")?.click();
    }).observe({ type: "paint", buffered: true })`,
  });
  world.hits();
  await go(path);
  let wasSent = false;
  for (let tries = 0; tries < 100 && !wasSent; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    wasSent = world.hits().some(({ method }) => method === "POST");
  }
  await close();
  return wasSent;
}

/** The most rounds, as a multiple of those after which nothing was faster. */
const PATIENCE = 6;

/**
 * Views all pages in turns, until a number of rounds in a row has made no page faster. Other work on the machine delays a
 * page and never makes it faster, and delays a larger page by more, so that medians and their ratio swing with it.
 */
async function viewsOver(browser: Browser, world: World, link: Link, runs: number): Promise<Map<PaintedPage, View[]>> {
  const views = new Map<PaintedPage, View[]>([BARE_PAGE, ...PAINTED].map((page) => [page, []]));
  let steady = 0;
  for (let round = 0; steady < runs && round < PATIENCE * runs; round += 1) {
    steady += 1;
    for (const [page, list] of views) {
      const view = await viewOver(browser, world, link, page);
      if (list.every(({ fcp }) => view.fcp < fcp - FRAME)) steady = 0;
      list.push(view);
    }
  }
  return views;
}

/** `npm run measure -- paint`. */
export async function paint(browser: Browser, world: World, runs: number): Promise<Row[]> {
  const link = SLOW_3G;
  const views = await viewsOver(browser, world, link, runs);
  const times = (page: PaintedPage) => (views.get(page) ?? []).map(({ fcp }) => fcp);
  const fcp = (page: PaintedPage) => Math.min(...times(page));
  const bare = fcp(BARE_PAGE);
  const first = `${link.name}, processor ÷ ${link.cpu}: first contentful paint of a bare page`;
  const [load = 0] = loadavg();
  const busy = `median ${Math.round(median(times(BARE_PAGE)))} ms of ${times(BARE_PAGE).length} views; load average ${load.toFixed(1)}`;
  const table = [
    reported(first, Math.round(bare), " ms", busy),
    atMost(`${link.name}: idleness, a bare page's median ÷ its least`, median(times(BARE_PAGE)) / bare, IDLE),
  ];
  for (const page of PAINTED) {
    const list = views.get(page) ?? [];
    const note = `${Math.round(fcp(page))} ms, median ${Math.round(median(times(page)))}`;
    table.push(atMost(`${link.name}: ${page.name}, first paint ÷ bare page`, fcp(page) / bare, 1.2, "", note));
    if (!page.form) continue;
    const late = median(list.map(({ form, fcp }) => Math.max(0, (form ?? Number.POSITIVE_INFINITY) - fcp)));
    const wasSent = await sentAtPaint(browser, world, link, page);
    const ours = late === 0 ? "at first paint" : `${inDigits(Math.round(late))} ms later`;
    const sent = `pressed at the first paint, it ${wasSent ? "reached" : "did not reach"} the server`;
    const row = reported(`${link.name}: ${page.name}, its form can be sent`, ours, "", sent);
    table.push({ ...row, target: "at first paint", passed: late === 0 && wasSent });
  }
  return table;
}
