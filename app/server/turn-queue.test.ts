import { afterEach, expect, test, vi } from "vitest";
import { AppError } from "#app/errors.ts";
import type { MatchedRoute } from "./request-checks.server.ts";
import { noteAccount, takeTurn } from "./request-limit.server.ts";
import { TurnQueue } from "./turn-queue.ts";

/*
 * The queue of heavy work. (`app/accounts/hash-queue.server.test.ts` tests its order and its limit.) Catches a queue in which
 * one visitor takes every place, one that refuses who could still wait, and one that a client who has gone blocks for ever.
 */

const LIMITS = {
  atOnce: 2,
  atOnceForOne: 1,
  places: 6,
  placesForOne: 3,
  waitMs: 200,
  abandonedMs: 20_000,
  refusal: "Too much at once.",
};

afterEach(() => vi.useRealTimers());

const statusOf = (turn: Promise<unknown>) =>
  turn.then(
    () => "has a turn",
    (error: unknown) => (error instanceof AppError ? error.status : error),
  );

test("one visitor has one turn, another visitor the next, and a third waits until one ends", async () => {
  const queue = new TurnQueue(LIMITS);
  const order: string[] = [];
  const enter = (who: string) =>
    queue.enter(who).then((place) => {
      order.push(who);
      return place;
    });
  const first = await enter("kari");
  const again = enter("kari");
  const other = await enter("ola");
  const third = enter("tess");
  expect(order).toEqual(["kari", "ola"]);
  other.end();
  await third; // before Kari's second, which came first
  first.end();
  await again;
  expect(order).toEqual(["kari", "ola", "tess", "kari"]);
});

test("a request that has waited for long enough is refused with 429, and the queue goes on", async () => {
  const queue = new TurnQueue(LIMITS);
  const { end } = await queue.enter("kari");
  expect(await statusOf(queue.enter("kari"))).toBe(429);
  end();
  expect(await statusOf(queue.enter("kari"))).toBe("has a turn");
});

test("one visitor holds a part of the places and no more, so that another one still gets a turn", async () => {
  const queue = new TurnQueue(LIMITS);
  const asked = Array.from({ length: LIMITS.places }, () => queue.enter("kari"));
  const refused = asked.slice(LIMITS.placesForOne).map(statusOf);
  expect(await statusOf(queue.enter("ola"))).toBe("has a turn");
  expect(await Promise.all(refused)).toEqual([429, 429, 429]);
  for (const turn of asked.slice(0, LIMITS.placesForOne)) (await turn).end();
  expect(await statusOf(queue.enter("kari"))).toBe("has a turn");
});

test("a turn counts for the account once it is known, and no longer for the network", async () => {
  const queue = new TurnQueue(LIMITS);
  const first = await queue.enter("network");
  first.belongTo("kari");
  const second = await queue.enter("network");
  second.end();
  expect(await statusOf(queue.enter("kari"))).toBe(429);
});

test("a visitor with many waiting requests delays another one by one of them", async () => {
  const queue = new TurnQueue({ ...LIMITS, atOnce: 1, waitMs: 2_000 });
  const order: string[] = [];
  const ask = async (who: string) => {
    const { end } = await queue.enter(who);
    order.push(who);
    end();
  };
  const first = await queue.enter("kari");
  const all = [ask("kari"), ask("kari"), ask("ola")];
  first.end();
  await Promise.all(all);
  expect(order).toEqual(["ola", "kari", "kari"]);
});

test("once all places are taken, a visitor without one gets the last place of the one with most", async () => {
  const queue = new TurnQueue({ ...LIMITS, atOnce: 0 });
  const [kari, ola, tess] = [3, 2, 1].map((count, index) =>
    Array.from({ length: count }, () => statusOf(queue.enter(String(index)))),
  );
  const another = statusOf(queue.enter("another"));
  // Each is refused: one at once, and all others after the longest wait.
  const start = performance.now();
  expect(await kari?.[2]).toBe(429);
  expect(performance.now() - start).toBeLessThan(LIMITS.waitMs / 2);
  await Promise.all([...(kari ?? []), ...(ola ?? []), ...(tess ?? []), another]);
  expect(performance.now() - start).toBeGreaterThanOrEqual(LIMITS.waitMs / 2);
});

test("a turn ends with the connection of its client, and so does a wait", async () => {
  const queue = new TurnQueue({ ...LIMITS, waitMs: 5_000 });
  const [working, waiting] = [new AbortController(), new AbortController()];
  await queue.enter("kari", working.signal);
  const wait = statusOf(queue.enter("kari", waiting.signal));
  waiting.abort();
  expect(await wait).toBe(429); // no client reads it
  working.abort();
  expect(await statusOf(queue.enter("kari"))).toBe("has a turn");
});

test("a turn whose client has gone ends by itself", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const queue = new TurnQueue(LIMITS);
  await queue.enter("kari"); // never ended
  vi.setSystemTime(Date.now() + LIMITS.abandonedMs - 1);
  expect(await statusOf(queue.enter("kari"))).toBe(429);
  vi.setSystemTime(Date.now() + 2);
  expect(await statusOf(queue.enter("kari"))).toBe("has a turn");
});

test("searches of one account take turns, as heavy requests do", async () => {
  const visitor = { apiToken: null, sessionToken: "session", signal: new AbortController().signal };
  noteAccount({ ...visitor, turn: null }, 1);
  const route = { handle: { access: "session" } } as unknown as MatchedRoute;
  const search = (url: string) => takeTurn(visitor, route, "127.0.0.1", new Request(url));
  const first = await search("http://hours.test/profile?q=Rig");
  const order: string[] = [];
  const second = search("http://hours.test/rope-hours?q=Rig").then((turn) => {
    order.push("second");
    return turn;
  });
  await new Promise(setImmediate);
  order.push("first ends");
  first?.end();
  (await second)?.end();
  expect(order).toEqual(["first ends", "second"]);
  expect(await search("http://hours.test/profile?q=")).toBeNull();
});

test("lists of a route take turns, and so does a large body, but a small one does not wait", async () => {
  const visitor = { apiToken: null, sessionToken: "another session", signal: new AbortController().signal };
  noteAccount({ ...visitor, turn: null }, 2);
  const route = { handle: { heavy: "reads" } } as unknown as MatchedRoute;
  const send = (method: string, length = 0) =>
    takeTurn(
      visitor,
      route,
      "127.0.0.1",
      new Request("http://hours.test/api/entries", { method, headers: { "Content-Length": String(length) } }),
    );
  const list = await send("GET");
  expect(list).not.toBeNull();
  expect(await send("POST", 99_999)).toBeNull();
  let isAtWork = false;
  const large = send("POST", 100_000).then((turn) => {
    isAtWork = true;
    return turn;
  });
  await new Promise(setImmediate);
  expect(isAtWork).toBe(false);
  list?.end();
  expect(await large).not.toBeNull();
});
