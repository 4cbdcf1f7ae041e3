import type { Miniflare } from "miniflare";
import { sendTo } from "./send.ts";
import type { Transport } from "./transport.ts";

/**
 * Miniflare's headers: the address that the request is for, and that errors are returned as they are, not as a page.
 */
const ADDRESS = "MF-Original-URL";
const PLAIN = { "MF-Disable-Pretty-Error": "true" };
const STACK = "MF-Experimental-Error-Stack";

/** Returns how to reach a Worker in Miniflare once it has started. Its errors are thrown here. */
export async function transportTo(miniflare: Miniflare): Promise<Transport["dispatchFetch"]> {
  const port = Number((await miniflare.ready).port);
  return async (url, init) => {
    const answer = await sendTo(port, url, init, { [ADDRESS]: url, ...PLAIN });
    if (answer.status === 500 && answer.headers.has(STACK)) throw new Error(await answer.text());
    return answer;
  };
}
