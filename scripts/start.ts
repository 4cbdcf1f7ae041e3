import build from "./build.ts";
import { beforeEnd, end, endOnSignals } from "./lib/ending.ts";
import { forwardTo, listen } from "./lib/front.ts";
import { holdData } from "./lib/holder.ts";
import { databaseOf, migrate, serveWorker, tickEachMinute } from "./lib/local.ts";
import { portSetting, prepareDataDir, workerSettings } from "./lib/settings.ts";

/** `npm start`: builds if the sources changed, prepares the local database and serves the app until it is stopped. */
export default async function start(): Promise<void> {
  endOnSignals();
  const port = portSetting();
  prepareDataDir();
  const settings = workerSettings();
  await build();

  const holding = await holdData();
  beforeEnd(() => holding.release());
  await migrate();
  const worker = serveWorker(settings);
  beforeEnd(() => worker.dispose());
  const { address } = await listen(forwardTo(await worker.ready), port);
  const { status } = await fetch(`${address}/auth`);
  if (status !== 200) {
    console.error(`The app started and answers ${status}. What it said above tells why.`);
    return end(1);
  }
  holding.lend(address, await databaseOf(worker));
  tickEachMinute(async () => (await worker.getWorker()).scheduled({ cron: "* * * * *" }));

  console.log(`
Hours Tracker is at ${address}

  npm run seed                       fills in a demo technician and says how to sign in
  npm run admin -- you@example.com   makes an account that has registered an admin

Ctrl-C stops it.`);
}
