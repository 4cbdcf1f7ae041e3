import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { bodyTime, LATE_BODY, MAX_BODY_BYTES, readChunks } from "#app/server/body.server.ts";
import { newRequestId } from "#app/server/logger.server.ts";
import { parseAddress } from "#app/server/network.ts";
import { requestUrl } from "#app/server/request-line.ts";
import { edgeHeaders, hasBody } from "#self-host/edge-headers.ts";

/** A request of Node's server, as Cloudflare's edge would pass it to the Worker. */
export interface Received {
  url: URL;
  headers: Headers;
  /** Empty if the body is too large or late: then `headers` make the Worker refuse it. */
  body: Uint8Array<ArrayBuffer>;
  /** Whether `body` is shorter than announced. */
  isCut: boolean;
  /** Whether the body came too late: its rest must not be read as the next request. */
  isLate: boolean;
}

/**
 * Reads a request of Node's server, with as much of its body as the Worker needs. Returns null, for an answer of 400,
 * if the target is not a path, or the Host is invalid or given twice (RFC 9112, 3.2).
 * @throws {Error} if the client disconnects before its body has arrived
 */
export async function receive(incoming: IncomingMessage, time = bodyTime()): Promise<Received | null> {
  const [host, ...more] = incoming.headersDistinct.host ?? [];
  const url = more.length === 0 ? requestUrl(incoming.url ?? "", host) : null;
  if (!url) return null;
  const lines = Object.entries(incoming.headers).flatMap(([name, value]) =>
    // Of a repeated header Node keeps the first; of two tokens the app must see both, and refuse them.
    [(name === "authorization" ? incoming.headersDistinct[name] : value) ?? []]
      .flat()
      .map((one): [string, string] => [name, one]),
  );
  const headers = edgeHeaders(lines, clientAddress(incoming));
  const declared = Number(incoming.headers["content-length"] ?? 0);
  if (declared > MAX_BODY_BYTES) return { url, headers, body: new Uint8Array(), isCut: true, isLate: false };
  const pieces = incoming.iterator({ destroyOnReturn: false });
  const { bytes, length, isLate } = await readChunks(() => pieces.next(), time);
  if (isLate) headers.set(LATE_BODY, "1");
  if (isLate) headers.set("Content-Length", "0");
  else if (length > 0) headers.set("Content-Length", String(length));
  return { url, headers, body: bytes, isCut: isLate || bytes.length < length, isLate };
}

/** The client's address. */
export function clientAddress({ socket }: IncomingMessage): string | null {
  return parseAddress(socket.remoteAddress);
}

/** Refuses a request that `receive` could not read. */
export function refuse(outgoing: ServerResponse): void {
  outgoing.writeHead(400, { Connection: "close", "Content-Type": "text/plain" }).end("Bad Request");
}

type EdgeRequest = Request<unknown, IncomingRequestCfProperties>;

/** A request listener for Node's server from a Fetch handler. `cf` are the edge's facts about the client. */
export function listenerOf(handle: (request: EdgeRequest) => Promise<Response>, cf: object): RequestListener {
  return async (incoming, outgoing) => {
    const received = await receive(incoming).catch(() => undefined);
    if (received === undefined) return outgoing.destroy();
    if (received === null) return refuse(outgoing);
    if (received.isLate) outgoing.shouldKeepAlive = false;
    await send(await handle(requestOf(incoming.method ?? "GET", received, cf)), outgoing);
  };
}

function requestOf(method: string, { url, headers, body }: Received, cf: object): EdgeRequest {
  // Set here: to set it, the Worker would copy the request, and Node's copy has no `cf`.
  headers.set("CF-Ray", newRequestId());
  const request = new Request(url, { method, headers, ...(hasBody(method) && body.length > 0 && { body }) });
  return Object.assign(request, { cf: cf as IncomingRequestCfProperties }); // the properties that the app reads
}

/** Sends a Fetch response through Node's server. */
export async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const headers = new Map<string, string | string[]>(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers.set("set-cookie", cookies);
  outgoing.writeHead(response.status, Object.fromEntries(headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  const body = Readable.fromWeb(response.body as unknown as ReadableStream); // Node has its own type for it
  // The client may disconnect before the end.
  await pipeline(body, outgoing).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}
