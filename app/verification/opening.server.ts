import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Client } from "#app/http/client.server.ts";
import type { Line } from "./chain.server.ts";
import type { Link } from "./link.server.ts";
import { addLine, logOf, withLog } from "./log.server.ts";
import { recordHash } from "./record-hash.server.ts";

/** Who has a link can open it from a thousand browsers; so many are noted for each request. */
const MOST = 50;

/**
 * Notes in the record's log, once the answer is on its way, that somebody has opened its link: once for each address
 * and browser since the last request, and not for the owner, nor for a HEAD. The page does not wait for it, and comes
 * also where it fails.
 */
export function noteOpening(context: AppLoadContext, link: Link): void {
  if (link.state !== "open" || link.isOwn || context.visit.method !== "GET") return;
  const { db, now, client } = context;
  const { record } = link.stored;
  const kind = link.record.type;
  context.afterwards.push(() =>
    withLog(async () => {
      const log = await logOf(db, kind, record.id);
      if (!isNews(log, client)) return true;
      const line = { event: "opened", at: now, client, recordHash: recordHash(record) } as const;
      await addLine(db, { kind, id: record.id, last: log.at(-1) }, line);
      return true;
    }),
  );
}

/** Whether the log does not tell yet that this client has opened the link of the last request. */
function isNews(log: Line[], { address, browser }: Client): boolean {
  const begin = log.findLastIndex(({ event }) => event === "requested");
  const since = log.slice(Math.max(begin, 0)).filter(({ event }) => event === "opened" || event === "verified");
  return since.length < MOST && !since.some((line) => line.address === address && line.browser === browser);
}
