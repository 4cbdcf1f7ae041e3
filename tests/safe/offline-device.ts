import type { Browser, BrowserContext, Page } from "@playwright/test";
import type { Row } from "#app/offline/row.ts";
import { leavePages } from "#tests/browser/technician.ts";
import type { Network } from "./offline-network.ts";

/** How long a page may take to show what a step leads to. */
const PATIENCE_MS = 20_000;

export type Kind = Row["kind"];

const HOME = { entry: "/profile", rope_hour: "/rope-hours" };

/** A phone with a browser of one profile: its tabs share cookies, the store and the service worker. */
export class Device {
  readonly network: Network;
  readonly context: BrowserContext;
  readonly tabs: (Page | null)[] = [null, null];
  /** The id of the user whose session the browser has. */
  userId = 0;
  /**
   * The event that it waits for, for the message of a schedule that hangs: Playwright has no limit of its own for
   * these.
   */
  waitsFor = "";
  /** Whether the browser refuses to store anything. */
  #isFull = false;

  constructor(network: Network, context: BrowserContext) {
    this.network = network;
    this.context = context;
  }

  static async start(browser: Browser, network: Network, broken: string): Promise<Device> {
    const context = await browser.newContext({ serviceWorkers: "allow", viewport: { width: 360, height: 740 } });
    context.setDefaultTimeout(PATIENCE_MS);
    if (broken) await context.addInitScript({ content: broken });
    return new Device(network, context);
  }

  /**
   * Closes the browser's profile. False if Chromium no longer answers, as one of a few hundred profiles with a service
   * worker does not: the process is of no use then.
   */
  async end(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const isStuck = new Promise<boolean>((done) => {
      timer = setTimeout(() => done(false), PATIENCE_MS);
    });
    await leavePages(this.context);
    const isEnded = await Promise.race([this.context.close().then(() => true), isStuck]);
    clearTimeout(timer);
    return isEnded;
  }

  /** Opens a page in a tab, or the tab's own again. Without a signal and a service worker it is the browser's error page. */
  async open(tab: number, path: string): Promise<Page> {
    const page = this.tabs[tab] ?? (await this.context.newPage());
    this.tabs[tab] = page;
    this.waitsFor = "a page to open";
    await page.goto(`${this.network.origin}${path}`, { waitUntil: "load" }).catch(() => {});
    // The form without a signal is hidden until its page has found the user whose hours it takes.
    await page.locator("#signal p", { hasText: "needs JavaScript" }).waitFor({ state: "detached" });
    return page;
  }

  /**
   * Ends a tab at once, as a system that needs memory does. Chromium forgets that a page is to close if the page opens
   * itself again at that moment, as one that has sent rows does: the command is repeated until the page is closed.
   */
  async kill(tab: number): Promise<void> {
    const page = this.tabs[tab];
    this.tabs[tab] = null;
    if (!page) return;
    this.waitsFor = "a tab to close";
    const session = await this.context.newCDPSession(page);
    const { targetInfo } = await session.send("Target.getTargetInfo");
    const isClosed = page.waitForEvent("close", { timeout: 0 });
    const close = () => void session.send("Target.closeTarget", targetInfo).catch(() => {}); // it is closed
    close();
    const again = setInterval(close, 1_000);
    await isClosed;
    clearInterval(again);
  }

  async setSignal(isThere: boolean): Promise<void> {
    if (!isThere) this.network.cut();
    else this.network.isCut = false;
    this.waitsFor = "the browser to know whether there is a signal";
    // Playwright sends the change to the pages, then to each service worker, and waits for ever for one whose process
    // has just died. Once a page has it, the workers need not: the network is cut for them as well. Without a page the
    // test can only wait for the workers: a new script of a worker that was looked for before would not be looked for
    // again in the next visit.
    const isTold = this.context.setOffline(!isThere);
    const pages = this.context.pages();
    const isKnown = pages.map((page) =>
      page.waitForFunction((is) => navigator.onLine === is, isThere, { polling: 20 }),
    );
    const patience = new Promise((done) => setTimeout(done, PATIENCE_MS));
    await Promise.race([isTold, pages.length > 0 ? Promise.all(isKnown) : patience]);
  }

  async signIn(session: string, userId: number): Promise<void> {
    this.userId = userId;
    await this.context.addCookies([{ name: "session", value: session, url: this.network.origin }]);
  }

  /** Touches the form of the log, which installs the service worker, and waits until it is ready. */
  async installWorker(): Promise<void> {
    const page = await this.open(0, "/profile");
    await page.getByLabel("Job Location").focus();
    const isControlled = () => navigator.serviceWorker.controller !== null;
    await page.waitForFunction(isControlled, null, { polling: 20, timeout: 90_000 });
  }

  /** No page that opens from now on registers a worker, as in a build with OFFLINE=off. */
  async registerNone(): Promise<void> {
    await this.context.addInitScript(() => {
      navigator.serviceWorker.register = () => new Promise(() => {});
    });
  }

  /** Sets the clock of all pages that open from now on this much further. */
  async setClock(hours: number): Promise<void> {
    await this.context.addInitScript((ahead) => {
      const { now } = Date;
      Date.now = () => now() + ahead;
    }, hours * 3_600_000);
  }

  /** The form of a kind in a tab and whose hours it takes, opened if need be; null if there is none. */
  async formOf(tab: number, kind: Kind): Promise<{ userId: number } | null> {
    const selector = `form#${kind}:visible`;
    if (!(await this.tabs[tab]?.locator(selector).count())) await this.open(tab, HOME[kind]);
    const form = this.tabs[tab]?.locator(selector);
    if (!(await form?.count())) return null;
    return { userId: Number(await form?.getAttribute("data-draft")) };
  }

  /**
   * Types hours into the form of a tab and presses Save. Returns whether the page took them. If the tab is left, it also
   * returns when the network holds the request.
   */
  async save(tab: number, kind: Kind, location: string, isLeft: boolean): Promise<boolean> {
    const page = this.tabs[tab] as Page; // with a form, as `formOf` has found
    const held = this.network.whenHeld();
    // The page opens its store as it loads. No user fills in a form before that is done, but on a busy machine this
    // test did: then the page was gone before it had stored anything.
    this.waitsFor = "the store, before the form is filled in";
    await page.evaluate(readRows).catch(() => {});
    this.waitsFor = "the form to be filled in";
    // A page that has sent rows opens itself again, and then Save was not pressed in it.
    if (!(await page.evaluate(fillAndSave, { form: kind, location }).catch(() => false))) return false;
    this.waitsFor = "what comes of Save";
    const settled = this.#settled(page, kind, location).catch(() => "taken" as const);
    const outcome = await Promise.race([settled, held]);
    if (typeof outcome === "string") return outcome === "taken";
    // Playwright cannot speak to a page that waits for the answer to a form, so it is killed now or waits a little.
    if (outcome && !isLeft) {
      await new Promise((done) => setTimeout(done, 100));
      this.network.release();
      return (await settled) === "taken";
    }
    // Where the storage has kept nothing, only an answer says that hours are saved.
    return !this.#isFull;
  }

  async #settled(page: Page, kind: Kind, location: string): Promise<"taken" | "refused"> {
    const options = { timeout: PATIENCE_MS, polling: 20 };
    const settled = await page.waitForFunction(isSettled, { form: kind, location }, options).catch(() => null);
    if (!settled) throw new Error(`${location} was neither taken nor refused on ${page.url()}`);
    const outcome = await settled.jsonValue();
    if (outcome === "elsewhere") return this.#isFull ? "refused" : "taken";
    return outcome || "taken";
  }

  /** Makes the browser refuse to store anything from the page in a tab, as when its storage is full. */
  async refuseStorage(tab: number, isRefused: boolean): Promise<void> {
    this.#isFull = isRefused;
    this.waitsFor = "the storage to be refused, or not any longer";
    await this.tabs[tab]
      ?.evaluate((refuse) => {
        const { prototype } = IDBObjectStore as unknown as { prototype: { put: unknown; stored?: unknown } };
        prototype.stored ??= prototype.put;
        prototype.put = refuse
          ? () => {
              throw new DOMException("full", "QuotaExceededError");
            }
          : prototype.stored;
      }, isRefused)
      .catch(() => {}); // the page has gone
  }

  /**
   * Presses Edit beside the first row that is not sent yet, and saves it at another location. Returns the one that it had,
   * and whether the page took the change; null if nothing was opened.
   */
  async edit(tab: number, location: string): Promise<{ from: string; isTaken: boolean } | null> {
    const page = this.tabs[tab];
    if (!page || !(await this.press(tab, "Edit"))) return null;
    const field = page.locator("form#entry [name$=location], form#rope_hour [name$=location]");
    const from = await page
      .waitForFunction(
        () => document.querySelector<HTMLInputElement>("form [name$=location]:not([type=hidden])")?.value,
        {
          timeout: 3_000,
        },
      )
      .then((handle) => handle.jsonValue())
      .catch(() => null);
    if (!from || !(await field.count())) return null;
    const form = (await page.locator("form#rope_hour").count()) ? "rope_hour" : "entry";
    if (!(await page.evaluate(fillAndSave, { form, location } as const))) return null;
    return { from, isTaken: (await this.#settled(page, form, location)) === "taken" };
  }

  /**
   * Waits until this many rows were sent, and what came of them is stored. A tab that waits for its turn counts as one that
   * has sent its row, since it cannot.
   */
  async untilCalled(calls: number): Promise<void> {
    const [page] = this.tabs;
    const waiting = () =>
      page?.evaluate(async () => (await navigator.locks?.query())?.pending?.length ?? 0).catch(() => 0);
    const end = Date.now() + PATIENCE_MS;
    while (this.network.calls + ((await waiting()) ?? 0) < calls) {
      if (Date.now() > end) throw new Error(`${this.network.calls} of ${calls} rows were sent`);
      await new Promise((done) => setTimeout(done, 20));
    }
    if (!this.network.isHolding) await page?.evaluate(() => navigator.locks?.request("send", () => {}));
  }

  async logOut(tab: number): Promise<void> {
    const button = this.tabs[tab]?.locator("[name=user]").first();
    if (!(await button?.count())) return;
    await button?.evaluate((element) => (element as HTMLElement).click());
    await this.tabs[tab]?.waitForLoadState().catch(() => {});
  }

  /**
   * Returns the rows that the browser keeps, read in a tab with a page of the app. The page may open itself again
   * meanwhile.
   */
  async stored(page: Page): Promise<Row[]> {
    for (let attempt = 0; ; attempt += 1) {
      const rows = await page.evaluate(readRows).catch((error) => {
        if (attempt === 20) throw error;
      });
      if (rows) return rows;
      await page.waitForLoadState().catch(() => {});
    }
  }

  /** Presses a button of the list of what is not sent yet, the first one with this name. Returns whether there is one. */
  async press(tab: number, name: string): Promise<boolean> {
    const button = this.tabs[tab]?.locator(".not-sent button", { hasText: name }).first();
    if (!(await button?.count())) return false;
    await button?.evaluate((element) => (element as HTMLElement).click()).catch(() => {}); // gone meanwhile
    return true;
  }
}

/** Hours to type into a form of this kind. */
interface Typed {
  form: Kind;
  location: string;
}

/** Runs in the page: fills in the form and presses its last button. False if the form is gone. */
function fillAndSave({ form, location }: Typed): boolean {
  const element = document.querySelector<HTMLFormElement>(`form#${form}`);
  if (!element) return false;
  const values: Record<string, string> = {
    date: "2026-03-02",
    startDate: "2026-03-02",
    endDate: "2026-03-03",
    location,
    method: "MT",
    hours: "7.5",
    skills: "Rigging",
  };
  for (const field of element.querySelectorAll<HTMLInputElement>("[name]")) {
    const value = values[field.name.slice(field.name.lastIndexOf(".") + 1)];
    if (value === undefined) continue;
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const buttons = element.querySelectorAll<HTMLButtonElement>("button[type=submit]:not(.unseen):not([name])");
  buttons[buttons.length - 1]?.click();
  return true;
}

/**
 * Runs in the page that follows: an empty form, another page, or one that refuses. `elsewhere`: the browser's own error
 * page or the login page, which do not say that anything was saved. Where the storage has kept nothing, Reload or Back
 * still has what was typed.
 */
function isSettled({ form, location }: Typed): "taken" | "refused" | "elsewhere" | false {
  if (document.readyState !== "complete") return false;
  const { protocol, pathname } = window.location;
  if (protocol === "chrome-error:" || pathname === "/auth") return "elsewhere";
  if (!document.querySelector("main")) return "elsewhere"; // a page of the network, or of a server that is busy
  if (document.querySelector("#signal h1")?.textContent === "Do not close this page") return "refused";
  if (document.querySelector("#signal p")?.textContent?.includes("needs JavaScript")) return false;
  const element = document.querySelector<HTMLFormElement>(`form#${form}`);
  const field = element?.querySelector<HTMLInputElement>("[name$=location]");
  if (field?.value !== location) return "taken";
  return document.querySelector(".alert, .wrong, .toast.error") ? "refused" : false;
}

/** Runs in the page: the rows of the store, without the note of who was here. */
async function readRows(): Promise<Row[]> {
  const db = await new Promise<IDBDatabase>((done, fail) => {
    const request = indexedDB.open("hours", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("rows", { keyPath: "key" });
    request.onerror = fail;
    request.onsuccess = () => done(request.result);
  });
  const rows = await new Promise<Row[]>((done, fail) => {
    const request = db.transaction("rows").objectStore("rows").getAll();
    request.onsuccess = () => done(request.result);
    request.onerror = fail;
  });
  db.close();
  return rows.filter(({ key }) => key !== "");
}
