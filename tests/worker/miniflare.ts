import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Miniflare } from "miniflare";
import { expect, inject, vi } from "vitest";
import { databaseFolder } from "#tests/memory-folder.ts";
import { atEnd, dataFolderOf } from "./data-folder.ts";
import { copyTemplate } from "./database.ts";
import { beside, HARNESS } from "./harness.ts";
import { sendTo } from "./send.ts";
import { SIGNING_KEY } from "./signing-key.ts";
import { NO_RATE_LIMIT, type Settings, type Transport } from "./transport.ts";

/** Cloudflare's facts about a request, `request.cf`. */
const CF = { timezone: "Europe/Oslo" };

/** The options of a Miniflare for `transportTo`. */
export const REACHED = {
  cf: CF,
  // Past Miniflare's own Worker, which costs more processor time than a short answer of the app.
  unsafeDirectSockets: [{ host: "127.0.0.1", port: 0, proxy: true }],
};

/** Returns how to reach a Worker in Miniflare once it has started. Errors that it throws are thrown here, if it sends them. */
export async function transportTo(miniflare: Miniflare): Promise<Transport["dispatchFetch"]> {
  await miniflare.ready;
  const port = Number((await miniflare.unsafeGetDirectURL()).port);
  const line = { isProxy: true, more: { "MF-CF-Blob": JSON.stringify(CF) } };
  return async (url, init) => {
    const answer = await sendTo(port, url, init, line);
    if (answer.headers.has("x-thrown")) throw new Error(await answer.text());
    return answer;
  };
}

interface Worker extends Transport {
  stop(): Promise<void>;
}

/** The databases of a shared Worker: each test or file that uses it has the next one. */
const DATABASES = Array.from({ length: 32 }, (_, index) => `DB${index}`);

/** Settings that the app reads once and keeps. */
const KEPT = ["REQUESTS_PER_MINUTE", "RESET_ADMIN", "DATABASE_LIMIT"];

/** A Worker that answers nothing for so long at the end of a file, because an email of it hangs, is not used again. */
const IDLE_MS = 1_000;

/** The Worker that the files of this process use one after the other. */
let shared: { data: string; worker: Promise<Worker>; used: number } | null = null;
let isInUse = false;

/** The shared Worker with a new database; or another, if the settings require it or the shared one is in use. */
export async function startMiniflare(settings: Settings): Promise<Transport> {
  const { env = {}, sabotage = [], assets, realHashes, rateLimit, authorities } = settings;
  if (!isInUse && !assets && !realHashes && !rateLimit && !authorities && !KEPT.some((name) => name in env)) {
    return takeShared({ SABOTAGE: sabotage, ...env });
  }
  const data: string = dataFolderOf(() => worker.stop());
  copyTemplate(data, "DB");
  const worker = await startWorker(data, ["DB"], settings);
  return worker;
}

async function takeShared(env: object): Promise<Transport> {
  isInUse = true;
  atEnd(async () => {
    const isIdle = await Promise.race([setTimeout(IDLE_MS, false), isReached("http://harness.test/idle")]);
    if (!isIdle || shared?.used === DATABASES.length) await stopShared();
    isInUse = false;
  });
  shared ??= startShared();
  const database = DATABASES[shared.used] as string; // stopped at its end
  shared.used += 1;
  copyTemplate(shared.data, database);
  const worker = await shared.worker;
  const mark = crypto.randomUUID();
  const use = new URLSearchParams({ database, env: JSON.stringify(env), mark });
  await worker.dispatchFetch(`http://harness.test/use?${use}`);
  // The lines of an earlier file end with the mark, in both streams.
  const seeMarks = () => expect(worker.log.join("").split(`${mark}\n`)).toHaveLength(3);
  await vi.waitFor(seeMarks, { interval: 2, timeout: 2 * 60_000 });
  worker.log.length = 0;
  return worker;
}

async function isReached(url: string): Promise<boolean> {
  const worker = await shared?.worker;
  return (await worker?.dispatchFetch(url).catch(() => null))?.ok ?? false;
}

function startShared() {
  const data = databaseFolder();
  // The runtime's process ends with this one (Miniflare's own hook).
  process.once("exit", () => rmSync(data, { recursive: true, force: true }));
  return { data, worker: startWorker(data, DATABASES), used: 0 };
}

async function stopShared(): Promise<void> {
  const { data, worker } = shared ?? {};
  shared = null;
  await (await worker)?.stop();
  if (data) rmSync(data, { recursive: true, force: true });
}

async function startWorker(data: string, databases: string[], settings: Settings = {}): Promise<Worker> {
  const { env = {}, assets = false, realHashes = false, sabotage = [], rateLimit, authorities } = settings;
  const { compatibilityDate, compatibilityFlags, assets: assetOptions } = inject("runtime");
  const log: string[] = [];
  const server = resolve("build/server");
  const built = readFileSync(join(server, "index.js"), "utf8");
  const miniflare = new Miniflare({
    name: "hours-tracker",
    compatibilityDate,
    compatibilityFlags,
    modulesRoot: server,
    modules: [
      ...beside(server, HARNESS),
      { type: "ESModule", path: join(server, "index.js"), contents: realHashes ? built : cheapened(built) },
    ],
    bindings: {
      SESSION_SECRET: "a secret for tests, of 32 bytes and more",
      REQUESTS_PER_MINUTE: NO_RATE_LIMIT,
      SIGNING_KEY,
      SABOTAGE: sabotage,
      ...env,
    },
    d1Databases: Object.fromEntries(databases.map((name) => [name, name])),
    d1Persist: data,
    telemetry: { enabled: false },
    ...REACHED,
    handleRuntimeStdio: (...streams: NodeJS.ReadableStream[]) => {
      for (const stream of streams) stream.on("data", (chunk: Buffer) => log.push(String(chunk)));
    },
    ...(assets && { assets: assetOptions }),
    ...(authorities && {
      outboundService: {
        network: {
          allow: ["public", "private"],
          tlsOptions: { trustBrowserCas: true, trustedCertificates: authorities },
        },
      },
    }),
    ...(rateLimit && { ratelimits: { RATE_LIMITER: { simple: { limit: rateLimit, period: 60 } } } }),
  } as ConstructorParameters<typeof Miniflare>[0]); // assets are wrangler's own words for Miniflare's options

  const dispatchFetch = await transportTo(miniflare);
  return {
    log,
    url: miniflare.ready,
    dispatchFetch,
    async tick(at) {
      // Miniflare's own method costs Node more processor time than a request.
      await dispatchFetch(`http://harness.test/tick?at=${at.getTime()}`);
    },
    stop: () => miniflare.dispose(),
  };
}

/** The built Worker with password hashes at almost no cost. */
export function cheapened(built: string): string {
  const cheap = built.replaceAll(/from\s*"node:crypto"/g, 'from "./cheap-crypto.js"');
  if (cheap === built) throw new Error("the built Worker imports node:crypto in another way than expected");
  return cheap;
}
