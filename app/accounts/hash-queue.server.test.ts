import { afterEach, expect, test, vi } from "vitest";
import { queueHash } from "#app/accounts/password.server.ts";
import { AppError } from "#app/errors.ts";

/*
 * The queue for password hashing. Catches a queue that is not first in, first out, that hashes two at a time, that has
 * no limit, or that gives the event loop no time between two hashes. Requests whose client disconnects are tested over
 * sockets (tests/worker/front.test.ts, tests/self-host/passwords.test.ts).
 */

afterEach(() => vi.useRealTimers());

let accounts = 0;

/** Queues a hash of another account than any before. */
function queued<T>(hash: () => Promise<T>): Promise<T> {
  accounts += 1;
  return queueHash({ whose: String(accounts) }, hash);
}

const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof AppError ? error.status : error),
  );

test("hashes run one at a time, in the order of their requests", async () => {
  const order: number[] = [];
  let running = 0;
  await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      queued(async () => {
        running += 1;
        expect(running).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 3)); // a hash takes time, in which no other may start
        order.push(number);
        running -= 1;
      }),
    ),
  );
  expect(order).toEqual(Array.from({ length: 20 }, (_, number) => number));
});

test("sixty hashes may wait, the next is refused with 429, and the queue accepts more once it is empty", async () => {
  const waiting = Array.from({ length: 60 }, () => statusOf(queued(async () => {})));
  expect(await statusOf(queued(async () => {}))).toBe(429);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["done"]));
  expect(await statusOf(queued(async () => {}))).toBe("done");
});

// Catches one queue for all: ten right passwords in each of seven accounts kept all others from logging in.
test("two hashes of one account may wait, the next is refused with 429, and another account's runs before the second", async () => {
  const order: string[] = [];
  const of = (whose: string) => statusOf(queueHash({ whose }, async () => order.push(whose)));
  const ofOne = Array.from({ length: 60 }, () => of("kari"));
  const ofAnother = of("ola");
  expect(await Promise.all(ofOne)).toEqual([...Array(2).fill("done"), ...Array(58).fill(429)]);
  expect(await ofAnother).toBe("done");
  expect(order).toEqual(["kari", "ola", "kari"]);
  expect(await of("kari")).toBe("done");
});

test("once all sixty places are taken, an account without one gets the second place of an account with two", async () => {
  const ofAll = Array.from({ length: 30 }, (_, account) =>
    [1, 2].map(() => statusOf(queueHash({ whose: `with two ${account}` }, async () => {}))),
  );
  const others = Array.from({ length: 31 }, () => statusOf(queued(async () => {})));
  const again = statusOf(queueHash({ whose: "with two 0" }, async () => {}));
  const found = await Promise.all(ofAll.map((both) => Promise.all(both)));
  expect(found).toEqual(Array(30).fill(["done", 429]));
  expect(await Promise.all(others)).toEqual([...Array(30).fill("done"), 429]);
  expect(await again).toBe(429);
});

test("a request whose client disconnects leaves the queue at once, and hashes nothing", async () => {
  const client = new AbortController();
  const order: string[] = [];
  const first = queued(async () => {
    client.abort();
    order.push("first");
  });
  const gone = statusOf(queueHash({ whose: "gone", signal: client.signal }, async () => order.push("gone")));
  const last = queued(async () => order.push("last"));
  await Promise.all([first, last]);
  expect(await gone).toBe(429); // no client reads it
  expect(order).toEqual(["first", "last"]);
});

test("after a hash that fails the next one runs", async () => {
  const failed = queued(async () => {
    throw new Error("no memory");
  });
  const next = queued(async () => "hashed");
  await expect(failed).rejects.toThrow("no memory");
  expect(await next).toBe("hashed");
});

test("the event loop runs between two hashes", async () => {
  const events: string[] = [];
  const hash = async () => {
    const until = performance.now() + 30;
    while (performance.now() < until); // as workerd hashes: nothing else runs meanwhile
    events.push("hash");
  };
  const hashes = Promise.all([queued(hash), queued(hash), queued(hash)]);
  let isOver = false;
  hashes.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 1)); // one turn of the event loop
    events.push("other");
  }
  const between = events.join(" ").split("hash").slice(1, 3);
  for (const others of between) expect(others.match(/other/g)?.length ?? 0).toBeGreaterThanOrEqual(2);
});

test("a clock that is set back or forward does not stop the queue", async () => {
  for (const jump of [-3_600_000, 3_600_000]) {
    vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
    const work = Array.from({ length: 5 }, () => statusOf(queued(async () => {})));
    vi.setSystemTime(Date.now() + jump);
    expect(await Promise.all(work)).toEqual(Array(5).fill("done"));
    vi.useRealTimers();
  }
});
