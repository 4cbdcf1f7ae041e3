import { expect, test } from "vitest";
import { isNewOpening } from "./opening.server.ts";

const ASKED = new Date("2026-11-20T08:00:00Z");
const at = new Date("2026-11-21T08:00:00Z");

/** Returns the openings from these addresses, in this order, that are logged. */
function logged(addresses: string[]): Parameters<typeof isNewOpening>[0] {
  const log: Parameters<typeof isNewOpening>[0] = [];
  for (const address of addresses) {
    const opening = { event: "opened", address, browser: "Gauge/1.0", at } as const;
    if (isNewOpening(log, opening, ASKED)) log.push(opening);
  }
  return log;
}

function many(count: number, addressOf: (n: number) => string): string[] {
  return Array.from({ length: count }, (_, n) => addressOf(n));
}

test("the first opening of each network is logged up to 100 events, then the first of each provider", () => {
  // A rented server has 65,536 IPv6 networks to open a link from.
  const flood = many(150, (n) => `2001:db8:7:${n.toString(16)}::1`);
  expect(logged(flood)).toHaveLength(100);
  const log = logged([...flood, "192.0.2.7", "192.0.2.7", "192.0.99.8", "2001:db9::1"]);
  expect(log.slice(100).map(({ address }) => address)).toEqual(["192.0.2.7", "2001:db9::1"]);
});

// Seen: the count began again with each renewal, and one request stored 300 openings for each of 1,552.
test("after 300 openings none is logged, also once the request is renewed", () => {
  const full = logged(many(400, (n) => `${n >> 8}.${n & 255}.0.1`));
  expect(full).toHaveLength(300);
  expect(isNewOpening(full, { address: "2001:db8::1", browser: null }, ASKED)).toBe(false);
  expect(isNewOpening(full, { address: "2001:db8::1", browser: null }, new Date(at.getTime() + 1))).toBe(false);
  // One that was opened before, and not since it was renewed, is new below that.
  const [first] = full;
  const renewed = new Date(at.getTime() + 1);
  expect(
    [ASKED, renewed].map((asked) => isNewOpening(full.slice(0, 299), first as (typeof full)[number], asked)),
  ).toEqual([false, true]);
});
