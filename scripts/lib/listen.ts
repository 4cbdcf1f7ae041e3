import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { messageOf } from "#app/errors.ts";
import { bodyTime } from "#app/server/body.server.ts";
import { beforeEnd, end } from "./ending.ts";

/**
 * The time limit of an idle connection: longer than in clients, so that the server does not close it during a request.
 */
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
  beforeEnd(() => close(server));
  return { server, address: await addressOf(server, host) };
}

/** Why a server cannot listen, by the code of Node's error. */
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

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  });
}

/** An unused port of this machine, for tests, so that two runs do not conflict. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  await new Promise((resolve) => server.close(resolve));
  return port;
}
