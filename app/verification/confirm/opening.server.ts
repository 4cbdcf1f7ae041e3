import type { AppLoadContext } from "@remix-run/cloudflare";
import { browserName } from "#app/accounts/browser-name.ts";
import type { Line } from "#app/audit-log/chain.server.ts";
import { appendEvent, listEvents, retryOnConflict } from "#app/audit-log/log.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import type { Client } from "#app/server/client-address.server.ts";
import { networkFromAddress } from "#app/server/network.ts";
import type { Link } from "#app/verification/link.server.ts";

/*
 * Whoever has a link can open it any number of times, with any browser's name and from many networks, and the log must
 * hold the supervisor's opening all the same. So browsers are counted for each network, and networks that are cheap to
 * have in great number, because one provider hands them out, count as one once there are many.
 */

/** How many browsers of one network are noted since the last request. */
const BROWSERS_OF_NETWORK = 5;

/** After so many lines since the last request only the first network of each provider is noted. */
const MANY = 100;

/** After so many none is: an opening reads them all, and the record's page shows them. */
const FULL = 300;

/**
 * How often it is attempted to note an opening: 20 seconds with the waits. Nobody waits for it, and those who open a
 * link all at once must not keep the supervisor's opening out of the log.
 */
const OPENING_ATTEMPTS = 40;

/**
 * Notes in the record's log, once the answer is on its way, that somebody has opened its link: once for each network
 * and browser since the last request (`isNewOpening`), and not for the owner, nor for a HEAD. The page does not wait for it, and comes
 * also where it fails.
 */
export function noteOpening(context: AppLoadContext, link: Link): void {
  if (link.state !== "open" || link.isOwn || context.visit.method !== "GET") return;
  const { db, now, client } = context;
  const { kind } = link;
  const { record } = link.stored;
  context.afterwards.push(() =>
    retryOnConflict(async () => {
      const log = await listEvents(db, kind.name, record.id);
      if (!isNewOpening(log, client)) return true;
      const line = { event: "opened", at: now, client, recordHash: recordHash(kind, record) } as const;
      await appendEvent(db, { kind: kind.name, id: record.id, last: log.at(-1) }, line);
      return true;
    }, OPENING_ATTEMPTS),
  );
}

/**
 * Whether the log gets a line for this opening: it has none yet since the last request from this network with a
 * browser of this name, and there is room (docs/security.md, "What the log of a record notes").
 */
export function isNewOpening(
  log: Pick<Line, "event" | "address" | "browser">[],
  { address, browser }: Pick<Client, "address" | "browser">,
): boolean {
  const begin = log.findLastIndex(({ event }) => event === "requested");
  const since = log.slice(Math.max(begin, 0)).filter(({ event }) => event === "opened" || event === "verified");
  if (since.length >= FULL) return false;
  const network = networkFromAddress(address);
  const seen = since.map((line) => networkFromAddress(line.address));
  if (since.length >= MANY) return !seen.map(providerOf).includes(providerOf(network));
  const ofNetwork = since.filter((_line, index) => seen[index] === network);
  const browsers = new Set(ofNetwork.map((line) => browserName(line.browser)));
  return browsers.size < BROWSERS_OF_NETWORK && !browsers.has(browserName(browser));
}

/** What providers are given: the first 32 bits of an IPv6 network, the first 16 of an IPv4 address. */
function providerOf(network: string): string {
  return network.split(/[.:]/, 2).join(":");
}
