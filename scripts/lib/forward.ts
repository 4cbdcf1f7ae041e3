import { Agent, type IncomingMessage, type RequestListener, request, type ServerResponse } from "node:http";
import { bodyTime } from "#app/server/body.server.ts";
import { isHopByHop } from "#self-host/edge-headers.ts";
import { type Received, receive, refuse } from "./adapter.ts";

/** A connection for each request: workerd closes an idle one after 5 seconds, and a form must not meet that. */
const agent = new Agent({ keepAlive: false });

/**
 * A listener of Node's server that passes requests on to workerd, as Cloudflare's edge does. It waits for the whole body:
 * workerd hangs up on a client that is still sending, and its refusal would be lost. Answers pass through as they are,
 * compressed ones too, so they do not become answers of Fetch.
 */
export function forwardTo(worker: URL, time = bodyTime()): RequestListener {
  return async (incoming, outgoing) => {
    const received = await receive(incoming, time).catch(() => undefined);
    if (received === undefined) outgoing.destroy();
    else if (received === null) refuse(outgoing);
    else forward(incoming, outgoing, worker, received);
  };
}

function forward(
  { method, url: path }: IncomingMessage,
  outgoing: ServerResponse,
  { hostname: host, port }: URL,
  { headers, body, isCut, isLate }: Received,
): void {
  const inner = request({ agent, host, port, method, path, headers: Object.fromEntries(headers) });
  if (isLate) outgoing.shouldKeepAlive = false; // the rest of it would be taken for the next request
  inner.on("response", (answer) => {
    outgoing.removeHeader("Connection"); // Node would say that it stays open, as HTTP/1.1 has it anyway
    const kept = answer.rawHeaders.filter((_, index, all) => !isHopByHop(all[index - (index % 2)] ?? ""));
    outgoing.writeHead(answer.statusCode ?? 502, isLate ? [...kept, "Connection", "close"] : kept);
    answer.pipe(outgoing);
    answer.on("error", () => outgoing.destroy());
  });
  inner.on("error", () => {
    if (outgoing.headersSent) return;
    outgoing.writeHead(502, { "Content-Type": "text/plain" }).end("The app is not answering. Please try again.");
  });
  outgoing.on("close", () => {
    inner.socket?.resetAndDestroy(); // workerd finishes the request of a connection that is closed in order
    inner.destroy();
  });
  // A body that is too large is announced and never sent: the Worker refuses it by its length.
  if (isCut && !isLate) inner.flushHeaders();
  else inner.end(body);
}
