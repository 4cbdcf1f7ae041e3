import build from "./build.ts";
import { listen } from "./lib/front.ts";
import { migrate, serveWorker, sessionSecret } from "./lib/local.ts";
import { fail } from "./lib/process.ts";

/** Settings of the environment that reach the Worker as they are. */
const PASSED_ON = ["PUBLIC_ORIGIN", "TRUST_PROXY", "MAILCHANNELS_API_KEY", "MAILCHANNELS_BASE_URL", "MAIL_FROM"];

/** `npm start`: builds if the sources changed, prepares the local database and serves the app until it is stopped. */
export default async function start(): Promise<void> {
  const port = Number(process.env.PORT || 8787);
  if (!Number.isInteger(port) || port < 0 || port > 65535) fail(`PORT is no port number: ${process.env.PORT}`);
  await build();
  await migrate();

  const settings = PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const worker = await serveWorker({ ...Object.fromEntries(settings), SESSION_SECRET: sessionSecret() });
  const front = await listen(port, await worker.ready).catch(async (error: NodeJS.ErrnoException) => {
    await worker.dispose();
    if (error.code !== "EADDRINUSE") throw error;
    fail(`Port ${port} is taken by another program. Choose another: PORT=8788 npm start`);
  });
  const timer = setInterval(() => tick(worker), 60_000);

  console.log(`
Hours Tracker is at ${front.address}

  npm run seed                    fills in a demo technician and says how to sign in
  npm run admin -- you@example.com   makes an account that has registered an admin

Ctrl-C stops it.`);

  const stop = async () => {
    clearInterval(timer);
    await front.close();
    await worker.dispose();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
}

/** What Cloudflare's Cron Trigger does on the edge. */
async function tick(miniflare: Awaited<ReturnType<typeof serveWorker>>): Promise<void> {
  try {
    const worker = await miniflare.getWorker();
    await worker.scheduled({ cron: "* * * * *" });
  } catch (error) {
    console.error(`The timer's work failed: ${error instanceof Error ? error.message : error}`);
  }
}
