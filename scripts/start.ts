import { readFile, rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { Health, healthResponse, ROOM_BYTES, writeCheck } from "#app/server/health.ts";
import { holdData } from "#scripts/lib/holder.ts";
import {
  databaseAskerOf,
  databaseOf,
  migrate,
  serveWorker,
  tickEachMinute,
  timerOf,
  workerdVersion,
} from "#scripts/lib/local.ts";
import { mailFor } from "#scripts/lib/mailbox.ts";
import { forwardTo, listen, send } from "#scripts/lib/node-server.ts";
import { beforeEnd, end, endOnSignals } from "#scripts/lib/process.ts";
import { dataDir, hostSetting, portSetting, warnOfHost, workerSettings } from "#scripts/lib/settings.ts";
import build, { FRONT } from "./build.ts";

/** How long after its last question a command may have another one, in milliseconds. */
const LENT_MS = 5_000;

/** `npm start`: builds if the sources changed, prepares the local database and serves the app until it is stopped. */
export default async function start(): Promise<void> {
  endOnSignals();
  const port = portSetting();
  const settings = await workerSettings();
  await build();

  const holding = await holdData();
  beforeEnd(() => holding.release());
  await migrate();
  const mail = await mailFor(settings);
  // Mailed links need the address, and with PORT=0 it is only known when the server listens.
  let serve: RequestListener = (_incoming, outgoing) => outgoing.destroy();
  const running: { worker?: ReturnType<typeof serveWorker> } = {};
  beforeEnd(() => running.worker?.dispose()); // before `listen`, so that requests under way end first
  const host = hostSetting();
  const { address } = await listen((incoming, outgoing) => serve(incoming, outgoing), port, host);
  const health = new Health();
  const worker = serveWorker(
    {
      ...settings,
      ...mail.settings,
      ...(mail.isCaught && { MAILBOX: "/dev/mail" }),
      LOCAL_ORIGIN: address,
      RUNTIME: workerdVersion(),
    },
    { front: { code: await readFile(FRONT, "utf8"), isHealthy: () => health.isHealthy(canWrite) } },
  );
  running.worker = worker;
  const workerUrl = await worker.ready;
  const app = mail.inFrontOf(forwardTo(workerUrl));
  endOnSignals(); // again: Miniflare would end the process at once
  const acceptsWrites = writeCheck(databaseOf(worker));
  const canWrite = async () => (await acceptsWrites()) && hasRoom();
  const tick = await timerOf(worker);
  serve = async (incoming, outgoing) => {
    const { method = "GET", url = "" } = incoming;
    if (url.split("?")[0] !== "/healthz") return app(incoming, outgoing);
    await send(healthResponse({ method }, await health.problem(canWrite)), outgoing);
  };
  const { status, body } = await fetch(new URL("/auth", workerUrl));
  await body?.cancel();
  if (status !== 200) {
    console.error(`The app started and answers ${status}. Its output above says why.`);
    return end(1);
  }
  const askDatabase = databaseAskerOf(worker);
  let requestedAt = Number.NEGATIVE_INFINITY;
  holding.lend(address, (question) => {
    requestedAt = performance.now();
    return askDatabase(question);
  });
  // Not in the middle of a command: the requests of a demo that is half stored would end, because they are old.
  tickEachMinute(async () => {
    if (performance.now() - requestedAt > LENT_MS) await tick();
  });

  console.log(`
Hours Tracker is at ${address}

  npm run seed                       adds a demo year and says how to sign in
  npm run admin -- you@example.com   makes an account that has registered an admin
${mail.isCaught ? `  ${address}/dev/mail${" ".repeat(Math.max(1, 24 - address.length))} shows what would have been mailed\n` : ""}
Ctrl-C stops it.`);
  warnOfHost(settings, host, address);
}

// Over a limit of file sizes (`ulimit -f`) a write is an error, which /healthz reports. Without this it ends the process.
process.on("SIGXFSZ", () => {});

/** Whether a file of `ROOM_BYTES` can be written. It is removed before the system writes it to the disk, so it wears no disk. */
async function hasRoom(): Promise<boolean> {
  const file = join(dataDir, "v3", "healthz-room");
  try {
    await writeFile(file, new Uint8Array(ROOM_BYTES));
    return true;
  } catch {
    return false;
  } finally {
    await rm(file, { force: true }).catch(() => {});
  }
}
