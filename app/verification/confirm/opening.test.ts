import { expect, test } from "vitest";
import { isNewOpening } from "./opening.server.ts";

const REQUESTED = { event: "requested", address: "192.0.2.1", browser: null } as const;

/** A request, and the openings from these addresses, one after the other, that are noted. */
function noted(addresses: string[]): Parameters<typeof isNewOpening>[0] {
  const log: Parameters<typeof isNewOpening>[0] = [REQUESTED];
  for (const address of addresses) {
    const opening = { event: "opened", address, browser: "Gauge/1.0" } as const;
    if (isNewOpening(log, opening)) log.push(opening);
  }
  return log;
}

function many(count: number, addressOf: (n: number) => string): string[] {
  return Array.from({ length: count }, (_, n) => addressOf(n));
}

test("each network is noted up to 100 lines, and after them the first of each provider", () => {
  // A rented server has 65,536 IPv6 networks to open a link from.
  const flood = many(150, (n) => `2001:db8:7:${n.toString(16)}::1`);
  expect(noted(flood)).toHaveLength(1 + 100);
  const lines = noted([...flood, "192.0.2.7", "192.0.2.7", "192.0.99.8", "2001:db9::1"]);
  expect(lines.slice(101).map(({ address }) => address)).toEqual(["192.0.2.7", "2001:db9::1"]);
});

test("a log of 300 openings since the last request is full, and a new request makes room", () => {
  const full = noted(many(400, (n) => `${n >> 8}.${n & 255}.0.1`));
  expect(full).toHaveLength(1 + 300);
  expect(isNewOpening(full, { address: "2001:db8::1", browser: null })).toBe(false);
  expect(isNewOpening([...full, REQUESTED], { address: "2001:db8::1", browser: null })).toBe(true);
});
