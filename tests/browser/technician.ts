import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  expect,
  type Page,
  request as requests,
} from "@playwright/test";
import type { Entry } from "#app/records/entry/entry.kind.ts";
import { ITEMS_MAX } from "#app/verification/verification.schema.ts";
import { PASSWORD } from "#tests/worker/password.ts";
import { hasDatabase, storeUser } from "./database.ts";

/** The fields of an entry that a test may set; the others have defaults. */
type EntryDraft = Partial<Pick<Entry, "date" | "location" | "method" | "hours">> & { broughtForward?: boolean };

/** A signed-in technician in a browser context of their own, with API calls that send the same cookies. */
export interface Technician {
  email: string;
  password: string;
  page: Page;
  api: APIRequestContext;
  addEntries(...drafts: EntryDraft[]): Promise<Entry[]>;
  entries(): Promise<Entry[]>;
  /** Saves a supervisor and requests a verification; returns the link. */
  request(entryId: number): Promise<string>;
  /** Asks for several entries in one request; returns the path of its link. */
  requestSeveral(entries: Pick<Entry, "id">[]): Promise<string>;
  /** Has an entry verified by a supervisor. */
  verify(entryId: number): Promise<void>;
  verifyAll(entries: Entry[]): Promise<void>;
}

let count = 0;

/** Returns an email address that no other test uses. */
export function freshEmail(): string {
  count += 1;
  return `t${process.pid}-${Date.now()}-${count}@example.com`;
}

/** Creates a user and signs in by the API, in the given browser context. */
export async function signUp(
  context: BrowserContext,
  origin: string,
  who: { name?: string; employeeNumber?: string } = { name: "Marta Nowak", employeeNumber: "NDT-0417" },
): Promise<Technician> {
  const email = freshEmail();
  const api = context.request;
  if (hasDatabase()) {
    await storeUser(email, who.name ?? null, who.employeeNumber ?? null);
    expect((await api.post("/api/auth/login", { data: { email, password: PASSWORD } })).status()).toBe(200);
  } else {
    expect((await api.post("/api/auth/register", { data: { email, password: PASSWORD, ...who } })).status()).toBe(201);
  }
  /**
   * Requests verification of an entry from a supervisor, saved with the first request; returns the path of the link.
   */
  let supervisorId: Promise<number> | undefined;
  const supervisor = (): Promise<number> => {
    const person = { name: "Piet van der Berg", email: freshEmail(), phone: "+31 6 1234", company: "NDT Holland" };
    supervisorId ??= api
      .post("/api/supervisors", { data: { ...person, certificationLevel: "Level III" } })
      .then((answer) => answer.json())
      .then(({ id }) => id);
    return supervisorId;
  };
  const request = async (entryId: number) => {
    const answer = await api.post(`/api/verify-request/${entryId}`, { data: { supervisorId: await supervisor() } });
    return new URL((await answer.json()).verificationUrl).pathname;
  };
  const requestSeveral = async (entries: Pick<Entry, "id">[]) => {
    const records = entries.map(({ id }) => ({ type: "entry", id }));
    const data = { supervisorId: await supervisor(), records };
    const answer = await api.post("/api/verification-requests", { data });
    return new URL((await answer.json()).verificationUrl).pathname;
  };
  const verifyAll = async (entries: Pick<Entry, "id">[]) => {
    // From another network than the technician: a record's page says so of one network.
    const extraHTTPHeaders = { "X-Forwarded-For": `10.${process.pid % 250}.${Date.now() % 250}.1` };
    const stranger = await requests.newContext({ baseURL: origin, extraHTTPHeaders });
    // As many as a request takes: of requests an account makes a hundred a day.
    for (let first = 0; first < entries.length; first += ITEMS_MAX) {
      const part = entries.slice(first, first + ITEMS_MAX);
      // One record as people ask for one: in its dialog.
      const link = part.length === 1 && part[0] ? await request(part[0].id) : await requestSeveral(part);
      const answer = await stranger.post(`/api${link}`, { data: { supervisorName: "Piet van der Berg" } });
      expect(answer.status()).toBe(200);
    }
    await stranger.dispose();
  };
  return {
    email,
    password: PASSWORD,
    page: await context.newPage(),
    api,
    request,
    requestSeveral,
    entries: async () => (await api.get("/api/entries")).json(),
    async addEntries(...drafts) {
      const data = drafts.map((draft) => ({
        date: "2026-03-02",
        location: "Dock 4",
        method: "ET",
        hours: 7.5,
        ...draft,
      }));
      const answer = await api.post("/api/entries", { data });
      expect(answer.status()).toBe(201);
      return answer.json();
    },
    verifyAll,
    verify: (id) => verifyAll([{ id }]),
  };
}

/** The three ways in which a page may work: with its script, with a script that fails to load, and with scripts off. */
export const WAYS = ["with its script", "when its script does not arrive", "without JavaScript"] as const;

/**
 * The ways for a page without an island, which sends the same forms with a script as with one that fails to load. What an island
 * does without its script is tested with its form: entry-form, rope-hours, request-mail and islands.spec.ts. Where a page has no
 * script but the one of all pages (small-behaviours, main-job, states), its forms are tested without JavaScript alone.
 */
export const WAYS_WITHOUT_ISLAND = ["with its script", "without JavaScript"] as const;

type Way = (typeof WAYS)[number];

/** Options for `test.use` to run a scenario in one of these ways. */
export function inWay(way: Way) {
  return { javaScriptEnabled: way !== "without JavaScript", scriptsArrive: way !== "when its script does not arrive" };
}

/**
 * Runs in each page. A click waits for its island, and after 8 s the page's own HTML handles it (`holdClicks`). A busy
 * machine can take longer, so in tests the click waits without a limit.
 */
function waitForIslands(): void {
  const setTimer = window.setTimeout.bind(window);
  window.setTimeout = ((work: () => void, ms?: number) => (ms === 8_000 ? 0 : setTimer(work, ms))) as typeof setTimeout;
}

/**
 * Leaves all pages of a browser before it is closed. A page that has sent what waited opens itself again, and Chromium may
 * never finish closing a browser in which a page is on its way to another.
 */
export async function leavePages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.goto("about:blank", { timeout: 10_000 }).catch(() => {}); // it crashed
}

/** An error in the console of any page of a test or of its workers, caught or not, fails the test. */
interface ConsoleErrors {
  /** Names the errors that the test causes. */
  expect(...errors: RegExp[]): void;
  /** Listens to a browser that the test has started itself. */
  watch(context: BrowserContext): void;
}

/** A page with the status 400 to 499, as of a form with errors. Chromium notes it in the console. */
export const REFUSED_PAGE = /^Failed to load resource: .* status of 4\d\d .*: the page /;

/** A request while the test has cut the network. */
export const NO_NETWORK = /net::ERR_INTERNET_DISCONNECTED/;

interface Fixtures {
  technician: Technician;
  supervisor: Page;
  scriptsArrive: boolean;
  consoleErrors: ConsoleErrors;
}

/** Fixtures: a signed-in technician whose browser is set up by the test file's options. */
export const test = base.extend<Fixtures>({
  consoleErrors: [
    async ({ browser }, use) => {
      const seen: { text: string; url: string }[] = [];
      // Chromium gives up a transition between two pages if the second one is late, or if it is an error page of its own. A
      // page that is refused, such as a form with errors, is what a test asks for; other refused requests count.
      const expected = [/Transition was (aborted|skipped)/, REFUSED_PAGE];
      const pages = new Set<string>();
      const watch = (context: BrowserContext) => {
        context.on("request", (request) => request.isNavigationRequest() && pages.add(request.url()));
        context.on("console", (message) => {
          if (message.type() === "error") seen.push({ text: message.text(), url: message.location().url });
        });
        context.on("weberror", (error) => seen.push({ text: String(error.error()), url: error.location().url }));
      };
      browser.on("context", watch);
      await use({ expect: (...errors) => void expected.push(...errors), watch });
      browser.off("context", watch);
      const errors = seen.map(({ text, url }) => `${text}: ${pages.has(url) ? "the page " : ""}${url}`);
      expect(errors.filter((error) => !expected.some((pattern) => pattern.test(error)))).toEqual([]);
    },
    { auto: true },
  ],
  scriptsArrive: [true, { option: true }],
  context: async ({ context, scriptsArrive, consoleErrors }, use) => {
    if (!scriptsArrive) {
      await context.route("**/assets/*.js", (route) => route.abort());
      consoleErrors.expect(/net::ERR_FAILED: .*\/assets\//, /^TypeError: Failed to fetch dynamically imported module/);
    }
    await context.addInitScript(waitForIslands);
    await use(context);
    await leavePages(context);
  },
  technician: async ({ context, baseURL }, use) => {
    await use(await signUp(context, baseURL ?? ""));
  },
  // The supervisor's device: no cookies of the technician's.
  supervisor: async ({ browser, baseURL, javaScriptEnabled }, use) => {
    const context = await browser.newContext({
      ...(baseURL && { baseURL }),
      javaScriptEnabled: javaScriptEnabled ?? true,
      viewport: { width: 360, height: 740 },
    });
    await use(await context.newPage());
    await context.close();
  },
});

/** Opens a section of the account page, which begins as one line. */
export async function unfold(page: Page, title: string): Promise<void> {
  await page.locator("summary", { hasText: title }).click();
}

/** Opens the menu in which a phone has the account, the supervisors and Logout. */
export async function openAccountMenu(page: Page): Promise<void> {
  await page.locator("header summary").first().click();
}

export { expect } from "@playwright/test";
export { PASSWORD } from "#tests/worker/password.ts";
