import type { Plugin } from "vite";

/**
 * Vite wraps every dynamic import in a helper that asks for all the files behind it at once; without it an island
 * would come in two round trips, first its own file, then React. Vite's own also does what only style sheets need,
 * and is three quarters of a small entry. This one asks once more for a file that got lost: it has to be here, because
 * to import a file that failed is to fail again without a request, in Chromium, for as long as the page lives.
 */
const PRELOAD = `
const files = new Map();
export function __vitePreload(load, needed = []) {
  for (const file of needed) if (!files.has(file)) files.set(file, ask(file, 1));
  return Promise.all(needed.map((file) => files.get(file))).then(load);
}
function ask(file, retries) {
  const link = document.createElement("link");
  if (!link.relList.supports("modulepreload")) return;
  return new Promise((done) => {
    link.rel = "modulepreload";
    link.href = "/" + file;
    link.onload = done;
    link.onerror = () => (retries ? setTimeout(() => done(ask(file, retries - 1)), 1000) : done());
    document.head.append(link);
  });
}`;

/**
 * What every signed-in page runs before anyone touches it, and islands use as well: one file, because on a slow link
 * each request costs more than these few lines.
 */
const EVERY_SIGNED_IN_PAGE = /\/app\/(behaviours|islands|hours\/calendar-date|(hours|ui)\/[a-z]+\.client)/;
const NOT_BEFORE_A_TOUCH = /hydrate\.client/;
/** What the public pages run too, in the entry itself; Rollup would put the helper with whoever else needs it. */
const EVERY_PAGE_WITH_SCRIPT = /entry\.client|busy\.client|preload-helper/;

/**
 * Makes of the browser's build what our browser runs: the entry and the islands. There is no client router, so what
 * Remix builds of each route for one is left empty; nobody would fetch it, and it would cut the islands' chunks into
 * more pieces, each shared with a route.
 */
export function islandsOnly(): Plugin {
  return {
    name: "hours-tracker:islands-only",
    enforce: "pre",
    apply: "build",
    config: (_config, { isSsrBuild }) => {
      if (isSsrBuild) return;
      const manualChunks = (id: string) => {
        if (EVERY_PAGE_WITH_SCRIPT.test(id)) return "entry";
        if (EVERY_SIGNED_IN_PAGE.test(id) && !NOT_BEFORE_A_TOUCH.test(id)) return "signed-in";
      };
      return { build: { rollupOptions: { output: { manualChunks } } } };
    },
    load: (id) => (id === "\0vite/preload-helper.js" ? { code: PRELOAD, moduleSideEffects: false } : null),
    transform: {
      order: "post", // after Remix has written it
      handler: (_code, id) => (id.endsWith("?__remix-build-client-route") ? "export {};" : null),
    },
  };
}
