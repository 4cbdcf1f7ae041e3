import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inject, onTestFinished, test } from "vitest";
import { bodyTime } from "#app/server/body.server.ts";
import { forwardTo } from "#scripts/lib/node-server.ts";
import { startApp } from "./app.ts";
import {
  disconnectedClientsLeaveTheQueue,
  IDLE_LIMIT,
  lateBodiesAreAnswered,
  loginsLeaveTimeForPages,
  stalledBodiesBlockNoLogin,
} from "./slow-clients.ts";

/*
 * `npm start` from a client's side: its front server, over sockets, in front of the built Worker. The executable has no
 * such front.
 */

const frontTest = test.skipIf(inject("target") === "binary");
const MINUTES = 600_000;

async function start() {
  const app = await startApp();
  if (!app.url) throw new Error("this app has no address of its own");
  const server = createServer(forwardTo(await app.url, bodyTime(IDLE_LIMIT)));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { app, port };
}

frontTest(
  "sixty connections that stop inside a body block no login, and are answered 408",
  { timeout: MINUTES },
  async () => {
    await stalledBodiesBlockNoLogin((await start()).port);
  },
);

frontTest(
  "a body that stops is answered in JSON under /api and with a page elsewhere",
  { timeout: MINUTES },
  async () => {
    await lateBodiesAreAnswered((await start()).port);
  },
);

frontTest(
  "sixteen concurrent logins leave time for pages between them, in any spelling of the address",
  { timeout: MINUTES },
  async () => {
    await loginsLeaveTimeForPages((await start()).port, 16);
  },
);

frontTest("the logins of disconnected clients leave the queue", { timeout: MINUTES }, async () => {
  const { app, port } = await start();
  const hashed = () => app.log.join("").split('"login_failed"').length - 1;
  await disconnectedClientsLeaveTheQueue(port, hashed, (socket) => socket.destroy());
});
