import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Front {
  address: string;
  close(): Promise<void>;
}

/**
 * Stands where Cloudflare's edge would, between the network and workerd: it says which address a client has, and
 * takes what a client says of that itself, or of Miniflare's inner workings, out of the request.
 * @throws {NodeJS.ErrnoException} EADDRINUSE where the port is taken
 */
export async function listen(port: number, worker: URL): Promise<Front> {
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, worker));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, resolve);
  });
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        // A request under way has this long to end.
        setTimeout(() => server.closeAllConnections(), 3_000).unref();
      }),
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, worker: URL): void {
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).filter(([name]) => !name.startsWith("cf-") && !name.startsWith("mf-")),
  );
  const inner = request({
    host: worker.hostname,
    port: worker.port,
    method: incoming.method,
    path: incoming.url,
    headers: { ...headers, "cf-connecting-ip": incoming.socket.remoteAddress ?? "" },
  });
  inner.on("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(outgoing);
    answer.on("error", () => outgoing.destroy());
  });
  inner.on("error", () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502, { "Content-Type": "text/plain" }).end("The app is not answering. Please try again.");
  });
  outgoing.on("close", () => inner.destroy());
  incoming.pipe(inner);
}
