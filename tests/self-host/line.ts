import { inject } from "vitest";
import { startBinary } from "#self-host/build/running.ts";
import { dataFolderOf } from "#tests/worker/data-folder.ts";
import { sendTo } from "#tests/worker/send.ts";
import { SIGNING_KEY } from "#tests/worker/signing-key.ts";
import { NO_RATE_LIMIT, type Settings, type Transport } from "#tests/worker/transport.ts";

/** The program's own log lines, not the app's. */
const OF_THE_PROGRAM = /"event":"(migrated|ready|set-up)"/;

/** Starts the executable with the observed Worker for one test file, with a data folder of its own. */
export async function startBinaryLine(settings: Settings): Promise<Transport> {
  const { env = {}, realHashes, sabotage = [], rateLimit } = settings;
  if (rateLimit || realHashes)
    throw new Error("the executable of the tests has no rate limiting binding and cheap hashes");
  const data: string = dataFolderOf(() => running.stop("SIGKILL"));
  const log: string[] = [];
  const running = await startBinary({
    program: inject("program"),
    data,
    env: {
      SESSION_SECRET: "a secret for tests, of 32 bytes and more",
      REQUESTS_PER_MINUTE: NO_RATE_LIMIT,
      SIGNING_KEY,
      TZ: "Europe/Oslo",
      TRUST_PROXY: "1", // each client of the tests has an address of its own, as from a proxy
      SABOTAGE: JSON.stringify(sabotage),
      ...env,
    },
    onLine: (line) => !OF_THE_PROGRAM.test(line) && log.push(`${line}\n`),
  });
  const dispatchFetch: Transport["dispatchFetch"] = (url, init = {}) => send(running.port, url, init);
  return {
    log,
    dispatchFetch,
    async tick(at) {
      const answer = await dispatchFetch(`http://harness.test/tick?at=${at.getTime()}`);
      if (answer.status !== 200) throw new Error(`the tick failed: ${await answer.text()}`);
    },
  };
}

/** Facts that Cloudflare's edge would send, and that the program accepts from no client. */
function send(port: number, url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const [address, ray] = ["CF-Connecting-IP", "CF-Ray"].map((name) => headers.get(name));
  for (const name of ["CF-Connecting-IP", "CF-Ray"]) headers.delete(name);
  if (address) headers.set("X-Forwarded-For", address);
  if (ray) headers.set("X-Under-Test-Ray", ray);
  return sendTo(port, url, { ...init, headers });
}
