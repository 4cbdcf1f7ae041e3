import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, inject } from "vitest";
import { startBinary } from "../../scripts/lib/binary/running.ts";
import type { Line, Settings } from "../worker/app.ts";

/** What the program says of itself and not of the app. */
const OF_THE_PROGRAM = /"event":"(migrated|ready|set-up)"/;

/** The single file with the observed Worker in it, for one test file, with a data folder of its own. */
export async function startBinaryLine(settings: Settings): Promise<Line> {
  const { env = {}, cheapHashes = false, sabotage = [], flood } = settings;
  if (flood) throw new Error("the single file has no rate limiting binding");
  const data = mkdtempSync(join(tmpdir(), "hours-tracker-data-"));
  const programs = inject("programs");
  const log: string[] = [];
  const running = await startBinary({
    program: cheapHashes ? programs.cheap : programs.dear,
    data,
    env: {
      SESSION_SECRET: "a secret for tests",
      TZ: "Europe/Oslo",
      TRUST_PROXY: "1", // each client of the tests has an address of its own, which a proxy would tell
      SABOTAGE: JSON.stringify(sabotage),
      ...env,
    },
    onLine: (line) => !OF_THE_PROGRAM.test(line) && log.push(`${line}\n`),
  });
  // One that a test starts has no `afterAll`: the end of the whole run sees to it.
  appendFileSync(programs.pids, `${running.pid}\n`);
  afterAll(async () => {
    await running.stop("SIGKILL");
    rmSync(data, { recursive: true, force: true });
  });
  const dispatchFetch: Line["dispatchFetch"] = (url, init = {}) => send(running.port, url, init);
  return {
    log,
    dispatchFetch,
    async tick(at) {
      const answer = await dispatchFetch(`http://harness.test/tick?at=${at.getTime()}`);
      if (answer.status !== 200) throw new Error(`the tick failed: ${await answer.text()}`);
    },
  };
}

/** Sends a request for any address to the program: `fetch` would send it to where the address leads. */
async function send(port: number, url: string, init: RequestInit): Promise<Response> {
  const { method, headers, body } = new Request(url, { ...init, redirect: "manual" });
  const bytes = body ? Buffer.from(await new Response(body).arrayBuffer()) : null;
  const { "cf-connecting-ip": address, "cf-ray": ray, ...sent } = Object.fromEntries(headers);
  const { host, pathname, search } = new URL(url);
  const all = {
    ...sent,
    host,
    connection: "close",
    // What Cloudflare's edge would say, and the program believes from nobody.
    ...(address && { "x-forwarded-for": address }),
    ...(ray && { "x-under-test-ray": ray }),
    ...(bytes && { "content-length": String(bytes.length) }),
  };
  return new Promise((resolve, reject) => {
    const to = { host: "127.0.0.1", port, method, path: pathname + search, headers: all };
    // Without an agent: Node's own would keep the connection for the next, which may meet that the runtime closes it.
    request({ ...to, agent: false }, async (answer) => {
      try {
        const received = new Headers();
        for (let i = 0; i < answer.rawHeaders.length; i += 2) {
          received.append(answer.rawHeaders[i] ?? "", answer.rawHeaders[i + 1] ?? "");
        }
        const content = await buffer(answer);
        const status = answer.statusCode ?? 0;
        const isEmpty = content.length === 0;
        resolve(new Response(isEmpty ? null : new Uint8Array(content), { status, headers: received }));
      } catch (error) {
        reject(error);
      }
    })
      .on("error", reject)
      .end(bytes ?? undefined);
  });
}
