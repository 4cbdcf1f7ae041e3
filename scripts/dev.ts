import { createServer } from "vite";
import { holdData } from "#scripts/lib/holder.ts";
import { cf, databaseAlone, databaseAskerOf, databaseOf, migrate, tickEachMinute } from "#scripts/lib/local.ts";
import { mailFor } from "#scripts/lib/mailbox.ts";
import { addressOf, cannotListen, listenerOf } from "#scripts/lib/node-server.ts";
import { beforeEnd, endOnSignals, fail } from "#scripts/lib/process.ts";
import { dataDir, hostSetting, portSetting, warnOfHost, workerSettings } from "#scripts/lib/settings.ts";
import { executionContext, workerInDev, workerOf } from "../vite/worker-in-dev.ts";

/** `npm run dev`: runs the app from its sources with Remix's Vite dev server. A change reloads the page. */
export default async function dev(): Promise<void> {
  endOnSignals();
  const port = portSetting();
  // Only this machine is served, unless HOST is set: Vite serves any file of the project.
  const host = hostSetting();
  const settings = await workerSettings();
  const holding = await holdData();
  beforeEnd(() => holding.release());
  await migrate();
  const miniflare = databaseAlone({ isServing: true });
  beforeEnd(() => miniflare.dispose());
  const mail = await mailFor(settings);
  const env = { ...settings, ...mail.settings, LOCAL_ORIGIN: "", DB: databaseOf(miniflare) };

  const vite = await createServer({
    configFile: "remix.config.ts",
    plugins: [workerInDev(env, (handle) => mail.inFrontOf(listenerOf(handle, cf)))],
    server: { port, host, strictPort: port > 0, watch: { ignored: [`${dataDir}/**`] } },
  });
  endOnSignals(); // again: Vite and Miniflare would end the process before the database is closed
  beforeEnd(() => vite.close());
  // Vite's error for a used port has no code.
  await vite.listen().catch(({ code = "EADDRINUSE" }) => fail(cannotListen(code, port, host)));
  if (!vite.httpServer) throw new Error("Vite has no server of its own");
  const address = await addressOf(vite.httpServer, host);
  env.LOCAL_ORIGIN = address;

  await fetch(`${address}/auth`);
  tickEachMinute(async () => {
    const { scheduled } = await workerOf(vite);
    await scheduled({ cron: "* * * * *", scheduledTime: Date.now(), noRetry() {} }, env, executionContext);
  });
  holding.lend(address, databaseAskerOf(miniflare));
  console.log(`\nHours Tracker is at ${address} and reloads when a file changes. Ctrl-C stops it.`);
  if (mail.isCaught) console.log(`What would have been mailed is at ${address}/dev/mail`);
  warnOfHost(settings, host, address);
}
