import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { bodyTime, LATE_BODY, MAX_BODY_BYTES, readChunks } from "#app/server/body.server.ts";
import { parseAddress } from "#app/server/network.ts";
import { newRequestId } from "#app/server/request-id.server.ts";
import { requestUrl } from "#app/server/target.ts";
import { edgeHeaders, hasBody } from "#self-host/edge-headers.ts";

/** A request of Node's server as Cloudflare's edge would pass it on to the Worker. */
export interface Received {
  url: URL;
  headers: Headers;
  /** Empty if the body is too large or late: then `headers` tell the Worker to refuse it. */
  body: Uint8Array<ArrayBuffer>;
  /** `body` is not all that was announced. */
  isCut: boolean;
  /** The body did not come in time: its rest must not be taken for the next request. */
  isLate: boolean;
}

/**
 * Reads a request of Node's server, with its body as far as the Worker needs it. Returns null if the target is no path, or
 * the Host is invalid or there twice (RFC 9112, 3.2): that is answered 400.
 * @throws {Error} if the client hangs up before its body has come
 */
export async function receive(incoming: IncomingMessage, time = bodyTime()): Promise<Received | null> {
  const [host, ...more] = incoming.headersDistinct.host ?? [];
  const url = more.length === 0 ? requestUrl(incoming.url ?? "", host) : null;
  if (!url) return null;
  const lines = Object.entries(incoming.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
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

/** The address of the client's end of a connection. */
export function clientAddress({ socket }: IncomingMessage): string | null {
  return parseAddress(socket.remoteAddress);
}

/** Refuses a request that `receive` could not read. */
export function refuse(outgoing: ServerResponse): void {
  outgoing.writeHead(400, { Connection: "close", "Content-Type": "text/plain" }).end("Bad Request");
}

type EdgeRequest = Request<unknown, IncomingRequestCfProperties>;

/** A listener of Node's server from a function of Fetch. `cf` is what the edge would say of the client. */
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
  // Named here: to name it, the Worker would copy the request, and Node's copy has no `cf`.
  headers.set("CF-Ray", newRequestId());
  const request = new Request(url, { method, headers, ...(hasBody(method) && body.length > 0 && { body }) });
  return Object.assign(request, { cf: cf as IncomingRequestCfProperties }); // the part of it that the app reads
}

/** Sends an answer of Fetch by Node's server. */
export async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const headers = new Map<string, string | string[]>(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers.set("set-cookie", cookies);
  outgoing.writeHead(response.status, Object.fromEntries(headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  const body = Readable.fromWeb(response.body as unknown as ReadableStream); // Node types its own copy
  // A client may hang up before the end.
  await pipeline(body, outgoing).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}
