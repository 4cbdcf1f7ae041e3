import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serveWorker } from "#scripts/lib/local.ts";
import { forwardTo } from "#scripts/lib/node-server.ts";
import { databaseFolder } from "#tests/memory-folder.ts";
import { ANSWERS_WITHOUT, answersToBodies } from "./safe-bodies.ts";

// Catches a body that is passed on to Remix, which throws: 500.
test("the body of a GET or a HEAD is ignored by the Worker and by the front server of npm start", async () => {
  const data = databaseFolder();
  const worker = serveWorker({ SESSION_SECRET: "a secret for tests, of 32 bytes and more" }, { data, quiet: true });
  const direct = await worker.ready;
  const front = createServer(forwardTo(direct)).listen(0, "127.0.0.1");
  onTestFinished(async () => {
    front.close();
    await worker.dispose();
    rmSync(data, { recursive: true, force: true });
  });
  await new Promise((resolve) => front.once("listening", resolve));
  const { port } = front.address() as AddressInfo; // it listens on a port
  for (const at of [Number(direct.port), port]) expect(await answersToBodies(at)).toEqual(ANSWERS_WITHOUT);
});
