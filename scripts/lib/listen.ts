import { lookup } from "node:dns/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { bodyTime } from "#app/server/body.server.ts";
import { beforeEnd, end } from "./ending.ts";

/** A connection may be idle for so long: longer than in a client, so that a form never meets our closing. */
const IDLE_MS = 120_000;

/** The headers of a request must be here within so long. */
const HEADERS_MS = 20_000;

/** A whole request must be: the app's own limit for a body comes first, and its refusal must not be cut off. */
const REQUEST_MS = HEADERS_MS + 2 * bodyTime().total;

/** A request under way has this long to end when the server stops. */
const GRACE_MS = 3_000;

/**
 * Listens on a port until the command ends, and returns the address for people. If the port or the host cannot be used,
 * ends the command with a message.
 */
export async function listen(
  handler: RequestListener,
  port: number,
  host = "127.0.0.1",
): Promise<{ server: Server; address: string }> {
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS }, handler);
  server.keepAliveTimeout = IDLE_MS;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, host, resolve);
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // what `listen` emits
    console.error(cannotListen(code, port, host));
    return end(1);
  }
  beforeEnd(() => close(server));
  return { server, address: await addressOf(server, host) };
}

/** Why a server cannot listen, for the person who started it, by the code of Node's error. */
export function cannotListen(code: string | undefined, port: number, host: string): string {
  if (code === "EADDRINUSE") return `Port ${port} is taken by another program. Choose another: PORT=8788 npm start`;
  if (code === "EACCES") return `Port ${port} cannot be used (${code}). Choose another: PORT=8788 npm start`;
  return `HOST must be an address of this machine, or 0.0.0.0 for all of them; it is ${host} (${code})`;
}

/** The URL by which a browser on this machine reaches a server that listens at this host, without a slash at the end. */
export async function addressOf(server: Pick<Server, "address">, host: string): Promise<string> {
  const { port } = server.address() as AddressInfo; // it listens on a port
  return `http://${await nameOf(host, port)}:${port}`;
}

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
