import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inject, onTestFinished, test } from "vitest";
import { bodyTime } from "#app/server/body.server.ts";
import { forwardTo } from "#scripts/lib/forward.ts";
import { startApp } from "./app.ts";
import {
  bodiesThatStopBlockNobody,
  lateBodiesAreToldSo,
  logInsLeaveTimeForPages,
  SILENCE,
  whoHangsUpHoldsNoPlace,
} from "./slow-clients.ts";

/* `npm start` as clients see it: its front, over sockets, before the built Worker. The single file has no such front. */

const only = test.skipIf(inject("target") === "binary");
const MINUTES = 600_000;

async function start() {
  const app = await startApp();
  if (!app.url) throw new Error("this app has no address of its own");
  const server = createServer(forwardTo(await app.url, bodyTime(SILENCE)));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { app, port };
}

only(
  "sixty connections that send one byte of a body block no log-in, and are answered 408",
  { timeout: MINUTES },
  async () => {
    await bodiesThatStopBlockNobody((await start()).port);
  },
);

only("a body that stops is answered in JSON under /api and with a page elsewhere", { timeout: MINUTES }, async () => {
  await lateBodiesAreToldSo((await start()).port);
});

only(
  "sixty log-ins at once leave time for pages between them, however the address is spelled",
  { timeout: MINUTES },
  async () => {
    await logInsLeaveTimeForPages((await start()).port);
  },
);

only("log-ins whose clients have hung up hold no place in the queue", { timeout: MINUTES }, async () => {
  const { app, port } = await start();
  const hashed = () => app.log.join("").split('"login_failed"').length - 1;
  await whoHangsUpHoldsNoPlace(port, hashed, (socket) => socket.destroy());
});
