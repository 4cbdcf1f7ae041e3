import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** An unused port of this machine, so that two runs of the tests do not conflict. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  await once(server.close(), "close");
  return port;
}
