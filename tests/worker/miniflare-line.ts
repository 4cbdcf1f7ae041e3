import type { Miniflare } from "miniflare";
import type { Line } from "./app.ts";
import { sendTo } from "./send.ts";

/** Miniflare's headers: for which address the request is, and that an error is wanted as it is and not as a page. */
const ADDRESS = "MF-Original-URL";
const PLAIN = { "MF-Disable-Pretty-Error": "true" };
const STACK = "MF-Experimental-Error-Stack";

/** How a Worker in Miniflare is reached once it has started. What it throws is thrown here. */
export async function lineTo(miniflare: Miniflare): Promise<Line["dispatchFetch"]> {
  const port = Number((await miniflare.ready).port);
  return async (url, init) => {
    const answer = await sendTo(port, url, init, { [ADDRESS]: url, ...PLAIN });
    if (answer.status === 500 && answer.headers.has(STACK)) throw new Error(await answer.text());
    return answer;
  };
}
