import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { browserName } from "#app/accounts/browser-name.ts";
import { batch, groupBy } from "#app/db/client.server.ts";
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
 * Notes that each of the links was opened, after the response is sent: once for each network and browser since the request was last
 * renewed (`isNewOpening`), except for the owner and for HEAD. A failure does not affect the page.
 */
export function noteOpening(context: AppLoadContext, ...links: Link[]): void {
  if (context.visit.method !== "GET") return;
  const requests = links.flatMap((link) => (link.state === "open" && !link.isOwn ? [link.request] : []));
  if (requests.length === 0) return;
  const { db, now, client } = context;
  const ids = JSON.stringify(requests.map(({ id }) => id));
  context.afterwards.push(() =>
    retryOnConflict(
      context,
      "open",
      async () => {
        const events = groupBy(
          await listRequestEvents(db, sql`SELECT value FROM json_each(${ids})`),
          ({ requestId }) => requestId,
        );
        const openings = requests.map((request) => {
          const own = events.get(request.id) ?? [];
          return { request, own, isNew: isNewOpening(own, client, request.requestedAt) };
        });
        // For a request that has all its openings, the page still says that another supervisor has opened it.
        const toNote = openings.filter(({ request, isNew }) => isNew || !request.openedAt);
        if (toNote.length === 0) return true;
        const { noted } = await batch(db, {
          noted: Object.fromEntries(
            toNote.map(({ request: { id }, own, isNew }) => {
              // By id: events noted at once need not be in the order of their times.
              const known = Math.max(0, ...own.map((event) => event.id));
              const last = sql`(SELECT coalesce(max(id), 0) FROM ${requestEvents} WHERE request_id = ${id})`;
              const isLast = sql`WHERE ${isNew ? 1 : 0} AND ${last} = ${known}`;
              return [`of${id}`, appendRequestEvent(db, id, { event: "opened", at: now, client }, isLast)];
            }),
          ),
          // Reminders are sent in the supervisor's day: not in that of an earlier supervisor of the request.
          opened: Object.fromEntries(
            toNote.map(({ request: { id, requestedAt } }) => [
              `of${id}`,
              db
                .update(verificationRequests)
                .set({ openedAt: sql`coalesce(opened_at, ${now.getTime()})`, supervisorTimeZone: context.timeZone })
                .where(sql`id = ${id} AND requested_at = ${requestedAt.getTime()}`),
            ]),
          ),
        });
        return toNote.every(({ request, isNew }) => !isNew || (noted[`of${request.id}`]?.length ?? 0) > 0) || null;
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
