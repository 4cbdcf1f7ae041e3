import { lookup } from "node:dns/promises";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { pipeline } from "node:stream/promises";
import { messageOf } from "#app/errors.ts";
import { bodyTime, MAX_DROPPED_BYTES, REFUSED_BODY, readChunks } from "#app/server/body.server.ts";
import { newRequestId } from "#app/server/logger.server.ts";
import { parseAddress } from "#app/server/network.ts";
import { requestUrl } from "#app/server/request-line.ts";
import { edgeHeaders, hasBody, isHopByHop } from "#self-host/edge-headers.ts";
import { beforeEnd, end } from "./process.ts";

/* Node's server in front of the Worker. It passes requests on as Cloudflare's edge does. */

/** The time limit of an idle connection: longer than in clients, so that the server does not close it during a request. */
const IDLE_MS = 120_000;

/** The time limit for the headers of a request. */
const HEADERS_MS = 20_000;

/** The time limit for a whole request: longer than the app's limit for a body, so that its refusal is not cut off. */
const REQUEST_MS = HEADERS_MS + 2 * bodyTime().total;

/** The time that pending requests have when the server stops. */
const GRACE_MS = 3_000;

/**
 * Listens on a port until the command ends, and returns the address to open. If the port or the host cannot be used,
 * the command ends with a message.
 */
export async function listen(
  handler: RequestListener,
  port: number,
  host = "127.0.0.1",
): Promise<{ server: Server; address: string }> {
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS }, handler);
  server.keepAliveTimeout = IDLE_MS;
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // from `listen`
    console.error(cannotListen(code, port, host));
    return end(1);
  }
  server.on("error", (error) => console.error(messageOf(error))); // too many connections, for example: the others go on
  beforeEnd(async () => {
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
    await once(server.close(), "close");
  });
  return { server, address: await addressOf(server, host) };
}

/** Returns why a server cannot listen, by the code of Node's error. */
export function cannotListen(code: string | undefined, port: number, host: string): string {
  if (code === "EADDRINUSE") return `Port ${port} is taken by another program. Choose another: PORT=8788 npm start`;
  if (code === "EACCES") return `Port ${port} cannot be used (${code}). Choose another: PORT=8788 npm start`;
  return `HOST must be an address of this machine, or 0.0.0.0 for all of them; it is ${host} (${code})`;
}

/** The URL that a browser on this machine can use for a server on this host, without a slash at the end. */
export async function addressOf(server: Pick<Server, "address">, host: string): Promise<string> {
  const { port } = server.address() as AddressInfo; // the server listens on a port
  return `http://${await nameOf(host, port)}:${port}`;
}

async function nameOf(host: string, port: number): Promise<string> {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  if (host !== "127.0.0.1") return host.includes(":") ? `[${host}]` : host;
  // `localhost` can also be ::1, where another program may listen and would get the browser's requests.
  const addresses = await lookup("localhost", { all: true }).catch(() => []);
  const names = addresses.map(({ address }) => address);
  const isOurs = names.includes("127.0.0.1") && !(names.includes("::1") && (await listensAt("::1", port)));
  return isOurs ? "localhost" : host;
}

async function listensAt(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  const connected = await once(socket, "connect").catch(() => null);
  socket.destroy();
  return connected !== null;
}

/** A request of Node's server, as Cloudflare's edge would pass it to the Worker. */
interface Received {
  url: URL;
  headers: Headers;
  /** Empty if the body is too large or late: then `headers` make the Worker refuse it. */
  body: Uint8Array<ArrayBuffer>;
  /** Whether a part of the body is unread: it must not be read as the next request. */
  isCut: boolean;
}

/**
 * Reads a request of Node's server, with as much of its body as the Worker needs. Returns null, for an answer of 400,
 * if the target is not a path, or the Host is invalid or given twice (RFC 9112, 3.2).
 * @throws {Error} if the client disconnects before its body has arrived
 */
async function receive(incoming: IncomingMessage, time: ReturnType<typeof bodyTime>): Promise<Received | null> {
  const [host, ...more] = incoming.headersDistinct.host ?? [];
  const url = more.length === 0 ? requestUrl(incoming.url ?? "", host) : null;
  if (!url) return null;
  const lines = Object.entries(incoming.headers).flatMap(([name, value]) =>
    // Node keeps only the first of a repeated header; the app must get both of two tokens, and refuse them.
    [(name === "authorization" ? incoming.headersDistinct[name] : value) ?? []]
      .flat()
      .map((one): [string, string] => [name, one]),
  );
  const headers = edgeHeaders(lines, parseAddress(incoming.socket.remoteAddress));
  const declared = Number(incoming.headers["content-length"] ?? 0);
  const pieces = incoming.iterator({ destroyOnReturn: false });
  const read = declared > MAX_DROPPED_BYTES ? "large" : await readChunks(() => pieces.next(), time);
  const body = typeof read === "string" ? new Uint8Array() : read;
  if (typeof read === "string") headers.set(REFUSED_BODY, read);
  if (typeof read === "string" || body.length > 0) headers.set("Content-Length", String(body.length));
  return { url, headers, body, isCut: !incoming.complete };
}

type Pass = (received: Received, incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/** A listener for Node's server that passes on each request that can be read, and refuses others. */
function passing(pass: Pass, time = bodyTime()): RequestListener {
  return async (incoming, outgoing) => {
    const received = await receive(incoming, time).catch(() => undefined);
    if (received === undefined) return outgoing.destroy();
    if (received === null) {
      return outgoing.writeHead(400, { Connection: "close", "Content-Type": "text/plain" }).end("Bad Request");
    }
    if (received.isCut) outgoing.shouldKeepAlive = false; // the rest of the body would be read as the next request
    await pass(received, incoming, outgoing);
  };
}

/**
 * A listener for Node's server that passes requests to workerd. It waits for the whole body, because workerd disconnects a
 * client that is still sending, and its refusal would be lost. Responses are passed on unchanged, also compressed ones, so they
 * are not converted to Fetch responses.
 */
export function forwardTo({ hostname: host, port }: URL, time = bodyTime()): RequestListener {
  return passing(({ headers, body, isCut }, { method, url: path }, outgoing) => {
    // A new connection for each request: workerd closes an idle one after 5 seconds, which could break a form's request.
    const inner = request({ agent: false, host, port, method, path, headers: Object.fromEntries(headers) });
    inner.on("response", (answer) => {
      outgoing.removeHeader("Connection"); // otherwise Node sends keep-alive, which is the default of HTTP/1.1
      const kept = answer.rawHeaders.filter((_, index, all) => !isHopByHop(all[index - (index % 2)] ?? ""));
      outgoing.writeHead(answer.statusCode ?? 502, isCut ? [...kept, "Connection", "close"] : kept);
      // Longer than the app waits (`answerIdle`). If a client does not read, this server would not notice that the app
      // has closed the connection. While nothing waits for the client, the app is at work.
      outgoing.setTimeout(4 * time.idle, () => outgoing.writableLength > 0 && outgoing.destroy());
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
    inner.end(body);
  }, time);
}

type EdgeRequest = Request<unknown, IncomingRequestCfProperties>;

/** A listener for Node's server from a Fetch handler. `cf` are the edge's facts about the client. */
export function listenerOf(handle: (request: EdgeRequest) => Promise<Response>, cf: object): RequestListener {
  return passing(async ({ url, headers, body }, { method = "GET" }, outgoing) => {
    // Set here: to set it, the Worker would copy the request, and Node's copy has no `cf`.
    headers.set("CF-Ray", newRequestId());
    const request = new Request(url, { method, headers, ...(hasBody(method) && body.length > 0 && { body }) });
    const withFacts = Object.assign(request, { cf: cf as IncomingRequestCfProperties }); // the properties that the app reads
    await send(await handle(withFacts), outgoing);
  });
}

/** Sends a Fetch response through Node's server. */
export async function send({ status, headers, body }: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.setHeaders(headers).writeHead(status);
  const chunks = (body ?? []) as unknown as AsyncIterable<Uint8Array>; // the DOM's type of a stream lacks it
  // The client may disconnect before the end.
  await pipeline(chunks, outgoing).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}
