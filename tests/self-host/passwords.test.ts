import { test } from "vitest";
import { longTest } from "#tests/safe/figures.ts";
import {
  disconnectedClientsLeaveTheQueue,
  IDLE_LIMIT,
  lateBodiesAreAnswered,
  loginsLeaveTimeForPages,
  stalledBodiesBlockNoLogin,
} from "#tests/worker/slow-clients.ts";
import { dataFolder, start } from "./start.ts";

const MINUTES = 600_000;
const run = () =>
  start(dataFolder(), { SESSION_SECRET: "a secret for tests, of 32 bytes at least", BODY_IDLE_MS: IDLE_LIMIT });

test("sixty connections that send one byte of a body block no login, and are answered 408", {
  timeout: MINUTES,
}, async () => {
  await stalledBodiesBlockNoLogin((await run()).port);
});

test("an incomplete body is answered in JSON under /api and with a page elsewhere", { timeout: MINUTES }, async () => {
  await lateBodiesAreAnswered((await run()).port);
});

// Fifty hashes, one after the other. `npm test` checks the same rule on `npm start` (tests/worker/front.test.ts).
longTest("sixty concurrent logins leave time for pages between them, however the URL is spelled", async () => {
  await loginsLeaveTimeForPages((await run()).port);
});

longTest("logins of disconnected clients are removed from the queue", async () => {
  const { port, log } = await run();
  const hashed = () => log.filter((line) => line.includes('"login_failed"')).length;
  // workerd does not notice a normal close before it answers: the client may still be reading.
  await disconnectedClientsLeaveTheQueue(port, hashed, (socket) => socket.resetAndDestroy());
});
