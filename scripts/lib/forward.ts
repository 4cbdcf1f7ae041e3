import { Agent, type IncomingMessage, type RequestListener, request, type ServerResponse } from "node:http";
import { bodyTime } from "#app/server/body.server.ts";
import { isHopByHop } from "#self-host/edge-headers.ts";
import { type Received, receive, refuse } from "./adapter.ts";

/**
 * A new connection for each request: workerd closes an idle one after 5 seconds, which could break a form's request.
 */
const agent = new Agent({ keepAlive: false });

/**
 * A listener for Node's server that passes requests to workerd, as Cloudflare's edge does. It waits for the whole body,
 * because workerd disconnects a client that is still sending, and its refusal would be lost. Responses are passed on
 * unchanged, also compressed ones, so they are not converted to Fetch responses.
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
  if (isLate) outgoing.shouldKeepAlive = false; // the rest of the body would be read as the next request
  inner.on("response", (answer) => {
    outgoing.removeHeader("Connection"); // otherwise Node sends keep-alive, which is the default of HTTP/1.1
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
    // With a normal close, workerd would finish the request. A connection that is already being closed, as after a
    // complete answer, cannot be reset: Node would lose its descriptor.
    if (inner.socket?.writableEnded === false) inner.socket.resetAndDestroy();
    inner.destroy();
  });
  // Of a body that is too large only the headers are sent: the Worker refuses it by its length.
  if (isCut && !isLate) inner.flushHeaders();
  else inner.end(body);
}
