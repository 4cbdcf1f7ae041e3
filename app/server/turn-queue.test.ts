import { afterEach, expect, test, vi } from "vitest";
import { AppError } from "#app/errors.ts";
import type { MatchedRoute } from "./request-checks.server.ts";
import { takeTurn } from "./request-limit.server.ts";
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

test("who has waited for long enough is refused with 429, and the queue goes on", async () => {
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

test("two sessions of one account have one turn, and the refused one leaves its place", async () => {
  const queue = new TurnQueue(LIMITS);
  const [phone, laptop] = [await queue.enter("phone"), await queue.enter("laptop")];
  phone.belongTo("kari");
  expect(() => laptop.belongTo("kari")).toThrow(AppError);
  const other = await queue.enter("ola");
  other.belongTo("ola");
  expect(await statusOf(queue.enter("phone"))).toBe(429);
  phone.end();
  (await queue.enter("laptop")).belongTo("kari");
});

test("a turn whose client has gone ends by itself", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const queue = new TurnQueue(LIMITS);
  await queue.enter("kari"); // nobody ends it
  vi.setSystemTime(Date.now() + LIMITS.abandonedMs - 1);
  expect(await statusOf(queue.enter("kari"))).toBe(429);
  vi.setSystemTime(Date.now() + 2);
  expect(await statusOf(queue.enter("kari"))).toBe("has a turn");
});

test("searches of one visitor take turns, as heavy requests do", async () => {
  const visitor = { apiToken: null, sessionToken: "session" };
  const route = { handle: { access: "session" } } as unknown as MatchedRoute;
  const search = (url: string) => takeTurn(visitor, route, "127.0.0.1", url);
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
