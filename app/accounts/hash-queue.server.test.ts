import { afterEach, expect, test, vi } from "vitest";
import { AppError } from "#app/errors.ts";
import { queueHash } from "./hash-queue.server.ts";

/*
 * The queue in front of every hash. Catches a queue that lets whoever looks first go first, one that lets two hash at
 * once, one without an end, and one that leaves the thread no time between two hashes. What becomes of requests that hang
 * up is tested over sockets (tests/worker/front.test.ts, tests/self-host/passwords.test.ts).
 */

afterEach(() => vi.useRealTimers());

const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof AppError ? error.status : error),
  );

test("hashes run one at a time, in the order in which they were asked for", async () => {
  const order: number[] = [];
  let running = 0;
  await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      queueHash(async () => {
        running += 1;
        expect(running).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 3));
        order.push(number);
        running -= 1;
      }),
    ),
  );
  expect(order).toEqual(Array.from({ length: 20 }, (_, number) => number));
});

test("sixty may wait, the next is refused with 429, and there is room again when they are done", async () => {
  const waiting = Array.from({ length: 60 }, () => statusOf(queueHash(async () => {})));
  expect(await statusOf(queueHash(async () => {}))).toBe(429);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["done"]));
  expect(await statusOf(queueHash(async () => {}))).toBe("done");
});

test("a hash that fails gives its place to the next", async () => {
  const failed = queueHash(async () => {
    throw new Error("no memory");
  });
  const next = queueHash(async () => "hashed");
  await expect(failed).rejects.toThrow("no memory");
  expect(await next).toBe("hashed");
});

test("between two hashes the thread has time for everything else that is due", async () => {
  const events: string[] = [];
  const hash = async () => {
    const until = performance.now() + 30;
    while (performance.now() < until); // as workerd hashes: nothing else runs
    events.push("hash");
  };
  const hashes = Promise.all([queueHash(hash), queueHash(hash), queueHash(hash)]);
  let isOver = false;
  hashes.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    events.push("other");
  }
  const between = events.join(" ").split("hash").slice(1, 3);
  for (const others of between) expect(others.match(/other/g)?.length ?? 0).toBeGreaterThanOrEqual(2);
});

test("a clock that is set back or forward stops nobody who waits", async () => {
  for (const jump of [-3_600_000, 3_600_000]) {
    vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
    const work = Array.from({ length: 5 }, () => statusOf(queueHash(async () => {})));
    vi.setSystemTime(Date.now() + jump);
    expect(await Promise.all(work)).toEqual(Array(5).fill("done"));
    vi.useRealTimers();
  }
});
