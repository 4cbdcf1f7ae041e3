import type { Socket } from "node:net";
import { expect } from "vitest";
import { get, post, type RawRequest, statusOf, write, wrongLogIn } from "./sockets.ts";

/*
 * What clients must not do to each other by being slow, many, or gone; over real sockets, since nothing else shows it.
 * Each is asked of `npm start`'s front (front.test.ts) and of the executable (tests/self-host/passwords.test.ts), whose bodies
 * may send nothing for `SILENCE` milliseconds.
 */

export const SILENCE = "2000";

/** How many connections. From one network fifty wrong log-ins are heard. */
const MANY = 60;
const HEARD = 50;

const answered = async ({ answer }: RawRequest) => statusOf(await answer);
const many = <T>(make: (number: number) => T): T[] => Array.from({ length: MANY }, (_, number) => make(number));

/** Catches a place in the queue that is given before the body is in. */
export async function bodiesThatStopBlockNobody(port: number): Promise<void> {
  const ofOneByte = post("/api/auth/login", "application/json", "{", 100);
  const slow = many(() => write(port, ofOneByte));
  expect(await answered(write(port, get("/auth")))).toBe(200); // by then theirs are read, too
  expect(await answered(write(port, wrongLogIn()))).toBe(401);
  expect(new Set(await Promise.all(slow.map(answered)))).toEqual(new Set([408]));
}

/** Catches a refusal that a client never sees, or cannot read. */
export async function lateBodiesAreToldSo(port: number): Promise<void> {
  const [call, page] = await Promise.all([
    write(port, post("/api/auth/login", "application/json", "{", 100)).answer,
    write(port, post("/auth", "application/x-www-form-urlencoded", "email=", 100)).answer,
  ]);
  expect([statusOf(call), statusOf(page)]).toEqual([408, 408]);
  expect(call).toMatch(/\{"message":"Your connection is too slow[^"]*Please try again\."\}/);
  expect(page).toContain("<h1>That could not be sent</h1>");
  expect(page).toContain("Your connection is too slow");
}

/** Catches hashes on end: then the first page is answered behind all of them. And a queue that goes by the address. */
export async function logInsLeaveTimeForPages(port: number): Promise<void> {
  let left = MANY;
  const logIns = many((number) =>
    answered(write(port, wrongLogIn(number % 2 ? "/api/auth/login" : "/api/%61uth/login"))).then((status) => {
      left -= 1;
      return status;
    }),
  );
  let pages = 0;
  for (; left > 0; pages += 1) expect(await answered(write(port, get("/auth")))).toBe(200);
  const statuses = await Promise.all(logIns);
  expect(statuses.filter((status) => status === 401)).toHaveLength(HEARD);
  expect(statuses.filter((status) => status === 429)).toHaveLength(MANY - HEARD);
  // One after the other, so each of them has waited for four hashes at most, on average.
  expect(pages).toBeGreaterThanOrEqual(HEARD / 4);
}

/**
 * Catches a queue in which hashes are made for who has gone. `hashed` tells how many failures the log has, and `hangUp` how
 * they go.
 */
export async function whoHangsUpHoldsNoPlace(
  port: number,
  hashed: () => number,
  hangUp: (socket: Socket) => void,
): Promise<void> {
  const gone = Array.from({ length: HEARD - 1 }, () => write(port, wrongLogIn()));
  await Promise.race(gone.map(({ answer }) => answer)); // the others are in the queue
  for (const { socket } of gone) hangUp(socket);
  const before = hashed();
  expect(await answered(write(port, wrongLogIn()))).toBe(401);
  expect(hashed() - before).toBeLessThan(HEARD / 4);
}
