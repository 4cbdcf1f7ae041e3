import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { LATE_BODY } from "#app/server/body.server.ts";
import { newRequestId } from "#app/server/request-id.server.ts";
import { clientAddress, readBody } from "./front.ts";

/**
 * Node's request as the Worker gets one. Its address has the Host that was asked for, never the Origin: the front
 * door compares the two.
 */
export async function toRequest(
  incoming: IncomingMessage,
  cf: object,
): Promise<Request<unknown, IncomingRequestCfProperties>> {
  const { bytes, length, isLate } = await readBody(incoming);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name.startsWith("cf-")) continue;
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  headers.set("CF-Connecting-IP", clientAddress(incoming));
  headers.set("CF-Ray", newRequestId());
  if (isLate) headers.set(LATE_BODY, "1");
  if (length > 0) headers.set("Content-Length", String(length));
  const request = new Request(`http://${incoming.headers.host ?? "localhost"}${incoming.url}`, {
    method: incoming.method,
    headers,
    ...(bytes.length > 0 && { body: new Uint8Array(bytes) }),
  });
  return Object.assign(request, { cf: cf as IncomingRequestCfProperties }); // the part of it that the app reads
}

/** Answers Node's request with the Worker's answer. */
export async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const headers = new Map<string, string | string[]>(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers.set("set-cookie", cookies);
  outgoing.writeHead(response.status, Object.fromEntries(headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  const body = Readable.fromWeb(response.body as unknown as ReadableStream); // as above
  // Who goes away before the end misses nothing.
  await pipeline(body, outgoing).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}
