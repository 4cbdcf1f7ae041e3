import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { browserName } from "#app/accounts/browser-name.ts";
import { batch } from "#app/db/client.server.ts";
import { retryOnConflict } from "#app/db/commit.server.ts";
import type { Client } from "#app/server/client-address.server.ts";
import { networkFromAddress } from "#app/server/network.ts";
import type { Link } from "#app/verification/link.server.ts";
import { appendRequestEvent, listRequestEvents } from "#app/verification/request-events.server.ts";
import { type RequestEventRow, requestEvents, verificationRequests } from "#app/verification/requests.table.ts";

/*
 * Anyone who has a link can open it any number of times, from many networks and with any User-Agent. That must not fill
 * the events before the supervisor opens the link. So there is a limit of browsers per network, and after many events one
 * per provider, because a provider gives one customer thousands of networks.
 */

/** The most browsers per network that are noted after a request. */
const MAX_BROWSERS_PER_NETWORK = 5;

/** After this many openings of a request, only the first one from each provider is noted each time that it is sent. */
const MAX_BEFORE_PROVIDER_LIMIT = 100;

/** After this many, in its life, none is noted: each opening reads them all, and the record's page shows them all. */
const MAX_OPENINGS = 300;

/** Attempts to note an opening: about 17 seconds with the pauses, so that many openings at once cannot keep one out. */
const OPENING_ATTEMPTS = 40;

/**
 * Notes that the link was opened, after the response is sent: once for each network and browser since the request was last
 * renewed (`isNewOpening`), except for the owner and for HEAD. A failure does not affect the page.
 */
export function noteOpening(context: AppLoadContext, link: Link): void {
  if (link.state !== "open" || link.isOwn || context.visit.method !== "GET") return;
  const { db, now, client } = context;
  const { id, requestedAt, openedAt } = link.request;
  context.afterwards.push(() =>
    retryOnConflict(
      context,
      "open",
      async () => {
        const events = await listRequestEvents(db, sql`${id}`);
        const isNew = isNewOpening(events, client, requestedAt);
        // For a request that has all its openings, the page still says that another supervisor has opened it.
        if (!isNew && openedAt) return true;
        // By id: events noted at once need not be in the order of their times.
        const known = Math.max(0, ...events.map((event) => event.id));
        const last = sql`(SELECT coalesce(max(id), 0) FROM ${requestEvents} WHERE request_id = ${id})`;
        const { noted } = await batch(db, {
          noted: appendRequestEvent(
            db,
            id,
            { event: "opened", at: now, client },
            sql`WHERE ${isNew ? 1 : 0} AND ${last} = ${known}`,
          ),
          // Reminders are sent in the supervisor's day: not in that of an earlier supervisor of the request.
          opened: db
            .update(verificationRequests)
            .set({ openedAt: sql`coalesce(opened_at, ${now.getTime()})`, supervisorTimeZone: context.timeZone })
            .where(sql`id = ${id} AND requested_at = ${requestedAt.getTime()}`),
        });
        return noted.length > 0 || !isNew || null;
      },
      OPENING_ATTEMPTS,
    ),
  );
}

/**
 * Whether this opening is noted: it is the first since `requestedAt` from this network with this browser, and below the limits
 * (docs/security.md, "The audit log of a record").
 */
export function isNewOpening(
  events: Pick<RequestEventRow, "event" | "at" | "address" | "browser">[],
  { address, browser }: Pick<Client, "address" | "browser">,
  requestedAt: Date,
): boolean {
  const openings = events.filter(({ event }) => event === "opened");
  if (openings.length >= MAX_OPENINGS) return false;
  const recent = openings.filter(({ at }) => at >= requestedAt);
  const network = networkFromAddress(address);
  const networks = recent.map((event) => networkFromAddress(event.address));
  if (openings.length >= MAX_BEFORE_PROVIDER_LIMIT) return !networks.map(providerOf).includes(providerOf(network));
  const fromNetwork = recent.filter((_event, index) => networks[index] === network);
  const browsers = new Set(fromNetwork.map((event) => browserName(event.browser)));
  return browsers.size < MAX_BROWSERS_PER_NETWORK && !browsers.has(browserName(browser));
}

/** The part of an address that identifies its provider: 32 bits of IPv6, 16 bits of IPv4. */
function providerOf(network: string): string {
  return network.split(/[.:]/, 2).join(":");
}
