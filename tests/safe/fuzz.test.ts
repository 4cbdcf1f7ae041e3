import fc from "fast-check";
import { expect, test } from "vitest";
import { type App, startApp } from "#tests/worker/app.ts";
import { type World, worldOf } from "#tests/worker/world.ts";
import { ACTIONS } from "./actions.ts";
import { reportFigure, search } from "./figures.ts";
import { mistakeIn } from "./fuzz-answers.ts";
import { mutation } from "./fuzz-requests.ts";
import { requestFrom, type Sent, type Target } from "./fuzz-send.ts";
import { READS } from "./reads.ts";
import { isValidRequest } from "./validity.ts";

/*
 * Valid requests with one or two wrong places, to every page, form and API call (faults.test.ts makes sure that no
 * route is left out). Every answer must be free of server errors and internals, in the format of its route, and no
 * success if the rules forbid the request (validity.ts). The last tests check the fuzzer itself.
 */

const wanted = Number(process.env.SAFE_REQUESTS) || 600;
const seed = Number(process.env.SAFE_SEED) || 2026_11_21;

/** How many requests run at once, and after how many the world is created again, because requests use it up. */
const AT_ONCE = 16;
const PER_WORLD = 64;

/** Requests that change data come three times as often as reads. */
const TARGETS: Target[] = [
  ...[1, 2, 3].flatMap(() => ACTIONS),
  ...READS.map(({ isApi, path, who }) => ({
    method: "GET",
    isApi,
    path,
    body: () => undefined,
    client: (app: App, world: World) => (who === "nobody" ? app.as(new Map()) : world[who].as(world[who].cookies)),
  })),
];

interface Found {
  mistake: string;
  sent: Sent;
}

/** Sends the first requests of a seed. Returns what was wrong, and the time in milliseconds, which no test asserts. */
async function fuzz(app: App, numRequests: number) {
  const mutations = fc.sample(mutation, { seed, numRuns: numRequests });
  const found: Found[] = [];
  const statuses = new Map<number, number>();
  const start = Date.now();
  for (let first = 0; first < numRequests; first += PER_WORLD) {
    const world = await worldOf(app);
    const queue = mutations.slice(first, first + PER_WORLD);
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const target = TARGETS[next.target % TARGETS.length] as Target; // never empty
        const sent = requestFrom(target, world, next);
        const client = next.cookies === "none" ? app.as(new Map()) : target.client(app, world);
        if (next.cookies === "garbage") client.cookies.set("session", "%%%").set("flash", "e30=.x");
        const { method, path, headers, body } = sent;
        const answer = await client.send(method, path, { headers, ...(body !== undefined && { body }) });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const mistake = mistakeIn(answer, sent);
        if (mistake) found.push({ mistake, sent: { ...sent, body: String(sent.body).slice(0, 400) } });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  return { found, statuses, took: Date.now() - start };
}

search(
  `${wanted} requests with one or two wrong places cause no server error, and none succeeds against the rules`,
  {
    timeout: 10 * 60_000 + wanted * 600,
  },
  async () => {
    const app = await startApp();
    const { found, statuses, took } = await fuzz(app, wanted);
    expect(found.slice(0, 5)).toEqual([]);
    const share = (isMeant: (status: number) => boolean) =>
      [...statuses].reduce((sum, [status, count]) => sum + (isMeant(status) ? count : 0), 0) / wanted;
    // The requests reach the app: some are still valid, and most of the others break a rule.
    expect(share((status) => status < 400)).toBeGreaterThan(0.1);
    expect(share((status) => status === 400)).toBeGreaterThan(0.1);
    reportFigure("Fuzzed requests", `${wanted} in ${(took / 1000).toFixed(0)} s, 0 mistakes`);
  },
);

search("the fuzzer detects an app whose statement fails", async () => {
  const broken = await startApp({ sabotage: [['from "records"', 'from "no_such_table"']] });
  expect((await fuzz(broken, 200)).found.map(({ mistake }) => mistake)).toContainEqual(
    expect.stringMatching(/^it is 500/),
  );
});

test("the validity rules refuse what is forbidden", () => {
  const entry = { date: "2026-11-20", location: "Mongstad", method: "MT", hours: 7.5 };
  expect(isValidRequest("POST /api/entries", [entry, { ...entry, hours: "7.5" }])).toBe(true);
  const wrong = [
    { date: "2026-02-30" },
    { location: " \u200b" },
    { method: "mt" },
    { hours: 0.09 },
    { hours: Infinity },
  ];
  for (const over of wrong)
    expect([over, isValidRequest("POST /api/entries", [{ ...entry, ...over }])]).toEqual([over, false]);
  for (const body of [undefined, null, 7, [], [null], Array(501).fill(entry)]) {
    expect(isValidRequest("POST /api/entries", body)).toBe(false);
  }
  expect(isValidRequest("POST /api/auth/register", { email: "a@b.c", password: "1234567" })).toBe(false);
  expect(isValidRequest("POST /verify/x", { supervisorName: "x".repeat(201) })).toBe(false);
});
