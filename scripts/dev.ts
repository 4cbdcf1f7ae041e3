import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createVite, type Plugin, type ViteDevServer } from "vite";
import type { Env } from "#app/server/env.ts";
import { beforeEnd, endOnSignals } from "#scripts/lib/ending.ts";
import { listen } from "#scripts/lib/front.ts";
import { holdData } from "#scripts/lib/holder.ts";
import { cf, databaseAlone, databaseOf, migrate, tickEachMinute } from "#scripts/lib/local.ts";
import { mailFor } from "#scripts/lib/mailbox.ts";
import { send, toRequest } from "#scripts/lib/node-adapter.ts";
import { dataDir, hostSetting, portSetting, prepareDataDir, workerSettings } from "#scripts/lib/settings.ts";

/**
 * `npm run dev`: the app from its sources. Vite answers for files that a browser asks for by name; everything else
 * goes through the Worker's own entry, and so through the front door and its headers as on the edge. A change reloads
 * the page.
 */
export default async function dev(): Promise<void> {
  endOnSignals();
  const port = portSetting();
  prepareDataDir();
  const settings = workerSettings();
  const holding = await holdData();
  beforeEnd(() => holding.release());
  await migrate();
  const miniflare = databaseAlone({ isServing: true });
  beforeEnd(() => miniflare.dispose());
  const mail = await mailFor(settings);

  // Only this machine is served, unless HOST says otherwise: Vite hands out any file of the project.
  let serve = (_incoming: IncomingMessage, outgoing: ServerResponse) => outgoing.destroy() as unknown;
  const { server, address } = await listen((incoming, outgoing) => serve(incoming, outgoing), port, hostSetting());
  const env = { ...settings, ...mail.settings, LOCAL_ORIGIN: address, DB: await databaseOf(miniflare) };
  const vite = await createVite({
    configFile: "remix.config.ts",
    appType: "custom",
    plugins: [reloadOnChange],
    optimizeDeps: { entries: ["app/entry.client.tsx", "app/**/*.{client,island}.{ts,tsx}"] },
    server: {
      middlewareMode: true,
      // Its frame would need a style sheet that our policy forbids; errors are in the terminal and the console.
      hmr: { server, overlay: false },
      cors: false,
      watch: { ignored: ["**/.data/**", `${dataDir}/**`, "**/build/**", "**/docs/**", "**/tests/**"] },
      fs: { deny: [".env", ".env.*", "*.{crt,pem}", "**/.git/**", "**/.data/**", ".dev.vars"] },
    },
  });
  beforeEnd(() => vite.close());

  /** The entry as it now stands: Vite reads again what has changed, and what depends on it. */
  const entry = async () =>
    (await vite.ssrLoadModule("/app/entry.worker.ts")).default as Required<ExportedHandler<Env>>;
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    try {
      const response = await (await entry()).fetch(await toRequest(incoming, cf), env, executionContext);
      await send(await withReload(response), outgoing);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      vite.ssrFixStacktrace(error);
      console.error(error.stack);
      if (outgoing.headersSent) outgoing.destroy();
      else await send(await withReload(failure(error)), outgoing);
    }
  };
  serve = mail.inFrontOf((incoming, outgoing) =>
    vite.middlewares(incoming, outgoing, () => answer(incoming, outgoing)),
  );

  await fetch(`${address}/auth`);
  await settled(vite);
  tickEachMinute(async () =>
    (await entry()).scheduled({ cron: "* * * * *", scheduledTime: Date.now(), noRetry() {} }, env, executionContext),
  );
  holding.lend(address, env.DB);
  console.log(`\nHours Tracker is at ${address} and reloads when a file changes. Ctrl-C stops it.`);
  if (mail.isCaught) console.log(`What would have been mailed is at ${address}/dev/mail`);
}

/** Resolves when Vite has prepared the packages that it met; it would reload a page in the middle of that. */
async function settled(vite: ViteDevServer): Promise<void> {
  const { depsOptimizer } = vite.environments.client;
  await depsOptimizer?.scanProcessing;
  do await new Promise((resolve) => setTimeout(resolve, 200));
  while (Object.keys(depsOptimizer?.metadata.discovered ?? {}).length > 0);
}

/** Work that goes on after an answer just goes on. */
const executionContext = {
  waitUntil: (work: Promise<unknown>) => void work.catch(console.error),
  passThroughOnException() {},
  props: {},
} as unknown as ExecutionContext; // the rest of it belongs to features that the app does not use

/** Reloads the whole page: most pages have no script, and Remix's own hot updates are for its client router. */
const reloadOnChange: Plugin = {
  name: "hours-tracker:reload",
  enforce: "pre",
  hotUpdate({ server }) {
    if (this.environment.name !== "client") return;
    server.ws.send({ type: "full-reload" });
    return [];
  },
};

/** A page for sources that cannot be run; it reloads when they are mended. */
function failure({ stack = "" }: Error): Response {
  const text = stack.replace(/[&<]/g, (character) => `&#${character.charCodeAt(0)};`);
  return new Response(`<!DOCTYPE html><html><head><title>Error</title></head><body><pre>${text}</pre></body></html>`, {
    status: 500,
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'" },
  });
}

/** Adds Vite's client, which reloads the page, and lets the pages without script run this one. */
async function withReload(response: Response): Promise<Response> {
  if (!response.headers.get("Content-Type")?.startsWith("text/html") || !response.body) return response;
  const html = (await response.text()).replace("</head>", `<script type="module" src="/@vite/client"></script></head>`);
  const headers = new Headers(response.headers);
  const policy = headers.get("Content-Security-Policy") ?? "";
  if (!policy.includes("script-src")) {
    headers.set("Content-Security-Policy", `script-src 'self'; connect-src 'self'; ${policy}`);
  }
  headers.delete("Content-Length");
  return new Response(html, { status: response.status, headers });
}
