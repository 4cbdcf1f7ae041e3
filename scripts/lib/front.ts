import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { MAX_BODY_BYTES } from "#app/http/body.server.ts";
import { beforeEnd, end } from "./ending.ts";

/** A connection may be idle for so long. */
const IDLE_MS = 120_000;

/** A request under way has this long to end when the server stops. */
const GRACE_MS = 3_000;

/**
 * Listens on a port until the command ends, and returns the address for people; or ends the command with a message
 * where the port cannot be had.
 */
export async function listen(
  handler: RequestListener,
  port: number,
  host?: string,
): Promise<{ server: Server; address: string }> {
  const server = createServer(handler);
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
    else console.error(`Port ${port} cannot be used (${code}). Choose another: PORT=8788 npm start`);
    return end(1);
  }
  beforeEnd(() => close(server));
  return { server, address: `http://localhost:${(server.address() as AddressInfo).port}` }; // it listens on a port
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  });
}

/** The client's address as Cloudflare would write it: a v4 address as such, also where it came in over v6. */
export function clientAddress({ socket }: IncomingMessage): string {
  return (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
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
 * it passes a request on. Of a body that the app will refuse for its length it passes on the length alone: workerd
 * hangs up on who is still sending, and the refusal would be lost.
 */
export function forwardTo(worker: URL): RequestListener {
  return async (incoming, outgoing) => {
    const body = await readBody(incoming).catch(() => null);
    if (body) forward(incoming, outgoing, worker, body);
    else outgoing.destroy();
  };
}

/** A request's body, as far as the app will want it. */
export interface Body {
  bytes: Buffer;
  /** How long the body is; for one that is too long, how long it is at least, and then `bytes` is empty. */
  length: number;
}

export async function readBody(incoming: IncomingMessage): Promise<Body> {
  const declared = Number(incoming.headers["content-length"] ?? 0);
  if (declared > MAX_BODY_BYTES) return { bytes: Buffer.alloc(0), length: declared };
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return { bytes: Buffer.alloc(0), length };
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), length };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, worker: URL, { bytes, length }: Body): void {
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
      ...(length > 0 && { "content-length": length }),
    },
  });
  inner.on("response", (answer) => {
    outgoing.removeHeader("Connection"); // Node would say that it stays open, as HTTP/1.1 has it anyway
    outgoing.writeHead(answer.statusCode ?? 502, endToEnd(answer.rawHeaders));
    answer.pipe(outgoing);
    answer.on("error", () => outgoing.destroy());
  });
  inner.on("error", () => {
    if (outgoing.headersSent) return;
    outgoing.writeHead(502, { "Content-Type": "text/plain" }).end("The app is not answering. Please try again.");
  });
  outgoing.on("close", () => inner.destroy());
  if (bytes.length === length) inner.end(bytes);
  else inner.flushHeaders();
}

function endToEnd(rawHeaders: string[]): string[] {
  return rawHeaders.filter((_, index) => !HOP_BY_HOP.includes(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ""));
}
