import type { RequestListener } from "node:http";
import type { Plugin, ViteDevServer } from "vite";

type Worker = Required<Pick<ExportedHandler<object>, "fetch" | "scheduled">>;
type Handle = (request: Parameters<Worker["fetch"]>[0]) => Promise<Response>;

/**
 * Makes Vite's dev server run `app/entry.worker.ts` for each request except files, so that the app's request checks and
 * headers apply as on Cloudflare. Vite does not do this itself, and Remix's plugin would run the routes without them. A
 * changed file reloads the page.
 * @param env the Worker's bindings and settings
 * @param listener makes a request listener for Node's server from the function that answers requests
 */
export function workerInDev(env: object, listener: (handle: Handle) => RequestListener): Plugin {
  return {
    name: "hours-tracker:worker-in-dev",
    enforce: "pre", // before Remix's plugin, which answers all requests
    config: () => ({
      optimizeDeps: {
        entries: ["app/entry.client.tsx", "app/**/*.{client,island}.{ts,tsx}", "app/routes/**/*.{ts,tsx}"],
      },
      server: {
        // Vite's error overlay needs a style sheet that our CSP forbids. Errors are in the terminal and the console.
        hmr: { overlay: false },
        cors: false,
        watch: { ignored: ["**/.data/**", "**/build/**", "**/docs/**", "**/tests/**"] },
        fs: { deny: [".env", ".env.*", "*.{crt,pem}", "**/.git/**", "**/.data/**", ".dev.vars"] },
      },
    }),
    configureServer: (vite) => () => {
      const answer = listener(async (request) => {
        try {
          return await withReload(await (await workerOf(vite)).fetch(request, env, executionContext));
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          vite.ssrFixStacktrace(error);
          console.error(error.stack);
          return withReload(failure(error));
        }
      });
      vite.middlewares.use((incoming, outgoing) => answer(incoming, outgoing));
    },
    // Most pages have no script, and Remix's hot updates need its client router.
    hotUpdate({ server }) {
      if (this.environment.name !== "client") return;
      server.ws.send({ type: "full-reload" });
      return [];
    },
  };
}

/** The Worker from the current sources: Vite reloads changed files and those that import them. */
export async function workerOf(vite: ViteDevServer): Promise<Worker> {
  return (await vite.ssrLoadModule("/app/entry.worker.ts")).default;
}

/** Work after a response simply continues. */
export const executionContext = {
  waitUntil: (work: Promise<unknown>) => void work.catch(console.error),
  passThroughOnException() {},
  props: {},
} as unknown as ExecutionContext; // the app does not use the rest

/** The page for sources with an error. It reloads when they are fixed. */
function failure({ stack = "" }: Error): Response {
  const text = stack.replace(/[&<]/g, (character) => `&#${character.charCodeAt(0)};`);
  return new Response(`<!DOCTYPE html><html><head><title>Error</title></head><body><pre>${text}</pre></body></html>`, {
    status: 500,
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'" },
  });
}

/** Adds Vite's client, which reloads the page; pages without script are allowed to run it. */
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
