import type { Miniflare } from "miniflare";
import { sendTo } from "./send.ts";
import type { Transport } from "./transport.ts";

/** What Cloudflare knows of a request, `request.cf`. */
const CF = { timezone: "Europe/Oslo" };

/** The options of a Miniflare for `transportTo`. */
export const REACHED = {
  cf: CF,
  // Past Miniflare's own Worker, which costs more processor time than a short answer of the app.
  unsafeDirectSockets: [{ host: "127.0.0.1", port: 0, proxy: true }],
};

/** Returns how to reach a Worker in Miniflare once it has started. Errors that it throws are thrown here, if it sends them. */
export async function transportTo(miniflare: Miniflare): Promise<Transport["dispatchFetch"]> {
  await miniflare.ready;
  const port = Number((await miniflare.unsafeGetDirectURL()).port);
  const line = { isProxy: true, more: { "MF-CF-Blob": JSON.stringify(CF) } };
  return async (url, init) => {
    const answer = await sendTo(port, url, init, line);
    if (answer.headers.has("x-thrown")) throw new Error(await answer.text());
    return answer;
  };
}
