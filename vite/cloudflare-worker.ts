import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const workerEntry = fileURLToPath(new URL("../app/entry.worker.ts", import.meta.url));

/**
 * Makes Vite build the Worker: its entry is `app/entry.worker.ts`, which imports Remix's server build. Everything
 * except the runtime's own modules is bundled into one file, from the packages' Worker builds.
 */
export function cloudflareWorker(): Plugin {
  return {
    name: "hours-tracker:worker",
    config(_config, { isSsrBuild, command }) {
      if (command !== "build" || !isSsrBuild) return;
      return {
        build: { rollupOptions: { input: workerEntry, external: ["cloudflare:sockets"] } },
        ssr: {
          target: "webworker",
          noExternal: true,
          external: ["node:crypto"],
          resolve: { conditions: ["workerd", "worker", "browser", "module", "production"] },
        },
      };
    },
  };
}
