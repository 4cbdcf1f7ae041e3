import { lookup } from "node:dns/promises";
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type BodyRead, bodyTime, LATE_BODY, MAX_BODY_BYTES, readChunks } from "#app/server/body.server.ts";
import { parseAddress } from "#app/server/network.ts";
import { requestUrl } from "#app/server/target.ts";
import { beforeEnd, end } from "./ending.ts";

/** A connection may be idle for so long. */
const IDLE_MS = 120_000;

/** The headers of a request must be here within so long. */
const HEADERS_MS = 20_000;

/** A whole request must be: the app's own limit for a body comes first, and its refusal must not be cut off. */
const REQUEST_MS = HEADERS_MS + 2 * bodyTime().total;

/** A request under way has this long to end when the server stops. */
const GRACE_MS = 3_000;

/**
 * Listens on a port until the command ends, and returns the address for people; or ends the command with a message
 * where port or host cannot be had. A request whose line is no path, or whose Host is none, is answered 400 here.
 */
export async function listen(
  handler: RequestListener,
  port: number,
  host = "127.0.0.1",
): Promise<{ server: Server; address: string }> {
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS }, (incoming, outgoing) => {
    if (requestUrl(incoming.url ?? "", incoming.headers.host)) handler(incoming, outgoing);
    else outgoing.writeHead(400, { Connection: "close", "Content-Type": "text/plain" }).end("Bad Request");
  });
  // Whoever comes often closes first: a form must not meet our closing, either.
  server.keepAliveTimeout = IDLE_MS;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, host, resolve);
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // what `listen` emits
    if (code === "EADDRINUSE")
      console.error(`Port ${port} is taken by another program. Choose another: PORT=8788 npm start`);
    else if (code === "EACCES")
      console.error(`Port ${port} cannot be used (${code}). Choose another: PORT=8788 npm start`);
    else console.error(`HOST must be an address of this machine, or 0.0.0.0 for all of them; it is ${host} (${code})`);
    return end(1);
  }
  beforeEnd(() => close(server));
  const { port: listening } = server.address() as AddressInfo; // it listens on a port
  return { server, address: `http://${await nameOf(host, listening)}:${listening}` };
}

/** By which name a browser on this machine reaches a server that listens at this host. */
async function nameOf(host: string, port: number): Promise<string> {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  if (host !== "127.0.0.1") return host.includes(":") ? `[${host}]` : host;
  // `localhost` may also be ::1, and something else may listen there: a browser would ask that.
  const addresses = await lookup("localhost", { all: true }).catch(() => []);
  const names = addresses.map(({ address }) => address);
  const isOurs = names.includes("127.0.0.1") && !(names.includes("::1") && (await listensAt("::1", port)));
  return isOurs ? "localhost" : host;
}

function listensAt(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    }).on("error", () => resolve(false));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  });
}

/** The client's address as Cloudflare would write it. */
export function clientAddress({ socket }: IncomingMessage): string {
  return parseAddress(socket.remoteAddress) ?? "";
}

/** A connection for each request: workerd closes an idle one after 5 seconds, and a form must not meet that. */
const agent = new Agent({ keepAlive: false });

/** Headers that are about one connection, and not for the next. */
const HOP_BY_HOP = [
  "connection",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/**
 * Stands where Cloudflare's edge would, between the network and workerd: it says which address a client has, takes
 * what a client says of that itself, or of Miniflare's inner workings, out of the request, and waits for a body before
 * it passes a request on. Of a body that the app will refuse for its length or its time it passes on no more than that:
 * workerd hangs up on who is still sending, and the refusal would be lost.
 */
export function forwardTo(worker: URL, time = bodyTime()): RequestListener {
  return async (incoming, outgoing) => {
    const body = await readBody(incoming, time).catch(() => null);
    if (body) forward(incoming, outgoing, worker, body);
    else outgoing.destroy();
  };
}

/** A request's body, as far as the app will want it. */
export async function readBody(incoming: IncomingMessage, time = bodyTime()): Promise<BodyRead> {
  const declared = Number(incoming.headers["content-length"] ?? 0);
  if (declared > MAX_BODY_BYTES) return { bytes: new Uint8Array(), length: declared, isLate: false };
  const pieces = incoming.iterator({ destroyOnReturn: false });
  return readChunks(() => pieces.next(), time);
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, worker: URL, body: BodyRead): void {
  const { bytes, length, isLate } = body;
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).filter(
      ([name]) => !name.startsWith("cf-") && !name.startsWith("mf-") && !HOP_BY_HOP.includes(name),
    ),
  );
  const inner = request({
    agent,
    host: worker.hostname,
    port: worker.port,
    method: incoming.method,
    path: incoming.url,
    headers: {
      ...headers,
      "cf-connecting-ip": clientAddress(incoming),
      ...(isLate ? { [LATE_BODY]: "1", "content-length": 0 } : length > 0 && { "content-length": length }),
    },
  });
  if (isLate) outgoing.shouldKeepAlive = false; // the rest of it would be taken for the next request
  inner.on("response", (answer) => {
    outgoing.removeHeader("Connection"); // Node would say that it stays open, as HTTP/1.1 has it anyway
    const headers = endToEnd(answer.rawHeaders);
    outgoing.writeHead(answer.statusCode ?? 502, isLate ? [...headers, "Connection", "close"] : headers);
    answer.pipe(outgoing);
    answer.on("error", () => outgoing.destroy());
  });
  inner.on("error", () => {
    if (outgoing.headersSent) return;
    outgoing.writeHead(502, { "Content-Type": "text/plain" }).end("The app is not answering. Please try again.");
  });
  outgoing.on("close", () => {
    inner.socket?.resetAndDestroy(); // of a connection that is closed in order workerd goes on with the request
    inner.destroy();
  });
  if (isLate || bytes.length === length) inner.end(bytes);
  else inner.flushHeaders();
}

function endToEnd(rawHeaders: string[]): string[] {
  return rawHeaders.filter((_, index) => !HOP_BY_HOP.includes(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ""));
}
