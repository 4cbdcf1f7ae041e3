import type { Socket } from "node:net";
import { expect } from "vitest";
import { get, post, type RawRequest, statusOf, write, wrongLogin } from "./sockets.ts";

/*
 * Slow, numerous or disconnected clients must not affect others; this needs real sockets. Each check runs against the
 * front server of `npm start` (front.test.ts) and against the executable (tests/self-host/passwords.test.ts), whose
 * clients may pause for `IDLE_LIMIT` milliseconds inside a body.
 */

export const IDLE_LIMIT = "2000";

/** The number of connections. Fifty wrong logins from one network are checked. */
const MANY = 60;
const CHECKED = 50;

const answered = async ({ answer }: RawRequest) => statusOf(await answer);
const many = <T>(make: (number: number) => T): T[] => Array.from({ length: MANY }, (_, number) => make(number));

/** Catches a place in the hash queue that is given before the body has arrived. */
export async function stalledBodiesBlockNoLogin(port: number): Promise<void> {
  const ofOneByte = post("/api/auth/login", "application/json", "{", 100);
  const slow = many(() => write(port, ofOneByte));
  expect(await answered(write(port, get("/auth")))).toBe(200); // by then their bodies are read, too
  expect(await answered(write(port, wrongLogin()))).toBe(401);
  expect(new Set(await Promise.all(slow.map(answered)))).toEqual(new Set([408]));
}

/** Catches a refusal that a client never receives, or cannot read. */
export async function lateBodiesAreAnswered(port: number): Promise<void> {
  const [call, page] = await Promise.all([
    write(port, post("/api/auth/login", "application/json", "{", 100)).answer,
    write(port, post("/auth", "application/x-www-form-urlencoded", "email=", 100)).answer,
  ]);
  expect([statusOf(call), statusOf(page)]).toEqual([408, 408]);
  expect(call).toMatch(/\{"message":"Your connection is too slow[^"]*Please try again\.","code":"too_slow"\}/);
  expect(page).toContain("<h1>That could not be sent</h1>");
  expect(page).toContain("Your connection is too slow");
}

/**
 * Catches hashes without a pause, where the first page is answered after all of them, and a queue ordered by address.
 */
export async function loginsLeaveTimeForPages(port: number, size = MANY): Promise<void> {
  let left = size;
  const checked = Math.min(size, CHECKED);
  const logIns = Array.from({ length: size }, (_, number) =>
    answered(write(port, wrongLogin(number % 2 ? "/api/auth/login" : "/api/%61uth/login"))).then((status) => {
      left -= 1;
      return status;
    }),
  );
  let pages = 0;
  for (; left > 0; pages += 1) expect(await answered(write(port, get("/auth")))).toBe(200);
  const statuses = await Promise.all(logIns);
  expect(statuses.filter((status) => status === 401)).toHaveLength(checked);
  expect(statuses.filter((status) => status === 429)).toHaveLength(size - checked);
  // One after the other, so on average each of them waits for four hashes at most.
  expect(pages).toBeGreaterThanOrEqual(checked / 4);
}

/**
 * Catches a queue that hashes for clients that have disconnected. `hashed` returns the number of failures in the log,
 * and `hangUp` says how the clients disconnect.
 */
export async function disconnectedClientsLeaveTheQueue(
  port: number,
  hashed: () => number,
  hangUp: (socket: Socket) => void,
): Promise<void> {
  const gone = Array.from({ length: CHECKED - 1 }, () => write(port, wrongLogin()));
  await Promise.race(gone.map(({ answer }) => answer)); // the others are in the queue
  for (const { socket } of gone) hangUp(socket);
  const before = hashed();
  expect(await answered(write(port, wrongLogin()))).toBe(401);
  expect(hashed() - before).toBeLessThan(CHECKED / 4);
}
