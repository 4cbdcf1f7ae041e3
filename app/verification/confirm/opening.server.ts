import type { AppLoadContext } from "@remix-run/cloudflare";
import { browserName } from "#app/accounts/browser-name.ts";
import { appendEvent, listEvents, retryOnConflict } from "#app/audit-log/log.server.ts";
import type { ShownEvent } from "#app/audit-log/shown-event.ts";
import { shownEvent } from "#app/audit-log/shown-event.ts";
import { batch } from "#app/db/client.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import type { Client } from "#app/server/client-address.server.ts";
import { networkFromAddress } from "#app/server/network.ts";
import type { Link } from "#app/verification/link.server.ts";

/*
 * Anyone who has a link can open it any number of times, from many networks and with any User-Agent. That must not fill
 * the log before the supervisor opens the link. So there is a limit of browsers per network, and after many events one
 * per provider, because a provider gives one customer thousands of networks.
 */

/** The most browsers per network that are logged after a request. */
const MAX_BROWSERS_PER_NETWORK = 5;

/** After this many events since the last request, only the first opening from each provider is logged. */
const MAX_BEFORE_PROVIDER_LIMIT = 100;

/** After this many none is logged: each opening reads them all, and the record's page shows them all. */
const MAX_OPENINGS = 300;

/** Attempts to log an opening: 20 seconds with the pauses, so that many openings at once cannot keep one out of the log. */
const OPENING_ATTEMPTS = 40;

/**
 * Logs that the record's link was opened, after the response is sent: once for each network and browser since the last
 * request (`isNewOpening`), except for the owner and for HEAD. A failure does not affect the page.
 */
export function logOpening(context: AppLoadContext, link: Link): void {
  if (link.state !== "open" || link.isOwn || context.visit.method !== "GET") return;
  const { db, now, client } = context;
  const { kind } = link;
  const { record } = link.stored;
  context.afterwards.push(() =>
    retryOnConflict(async () => {
      const log = await listEvents(db, kind.name, record.id);
      if (!isNewOpening(log.map(shownEvent), client)) return true;
      const event = { event: "opened", at: now, client, recordHash: recordHash(kind, record) } as const;
      const position = { kind: kind.name, id: record.id, userId: record.userId, last: log.at(-1) };
      await batch(db, appendEvent(db, position, event));
      return true;
    }, OPENING_ATTEMPTS),
  );
}

/**
 * Whether this opening is logged: it is the first since the last request from this network with this browser, and below
 * the limits (docs/security.md, "The audit log of a record").
 */
export function isNewOpening(
  log: Pick<ShownEvent, "event" | "address" | "browser">[],
  { address, browser }: Pick<Client, "address" | "browser">,
): boolean {
  const lastRequest = log.findLastIndex(({ event }) => event === "requested");
  const events = log.slice(Math.max(lastRequest, 0)).filter(({ event }) => event === "opened" || event === "verified");
  if (events.length >= MAX_OPENINGS) return false;
  const network = networkFromAddress(address);
  const networks = events.map((event) => networkFromAddress(event.address));
  if (events.length >= MAX_BEFORE_PROVIDER_LIMIT) return !networks.map(providerOf).includes(providerOf(network));
  const fromNetwork = events.filter((_event, index) => networks[index] === network);
  const browsers = new Set(fromNetwork.map((event) => browserName(event.browser)));
  return browsers.size < MAX_BROWSERS_PER_NETWORK && !browsers.has(browserName(browser));
}

/** The part of an address that identifies its provider: 32 bits of IPv6, 16 bits of IPv4. */
function providerOf(network: string): string {
  return network.split(/[.:]/, 2).join(":");
}
