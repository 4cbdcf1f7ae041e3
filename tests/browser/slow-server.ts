import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** The size of a piece in bytes, and the pause after it: long enough for the browser to show it. */
const PIECE = 4_000;
const PAUSE_MS = 40;

/** A new connection for each request: the app closes an idle one, which would lose the next request on it. */
const agent = new Agent({ keepAlive: false });

/** Serves the app at another port, its pages in pieces, as a slow link delivers them. Cookies are the same at each port. */
export async function startSlowServer(target: string): Promise<{ origin: string; stop(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const { url = "/", method, headers } = incoming;
    const options = { agent, method, headers: { ...headers, "accept-encoding": "identity" } };
    const forwarded = request(new URL(url, target), options, async (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      const body = Buffer.concat(await answer.toArray());
      for (let start = 0; start < body.length; start += PIECE) {
        outgoing.write(body.subarray(start, start + PIECE));
        if (start + PIECE < body.length) await pause(PAUSE_MS);
      }
      outgoing.end();
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((listening) => server.listen(0, "localhost", listening));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    origin: `http://localhost:${port}`,
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  };
}
