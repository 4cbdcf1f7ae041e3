import { basename } from "node:path";
import type { Plugin } from "vite";

/**
 * Vite wraps every dynamic import in a helper that asks for all the files behind it at once; without it an island
 * would come in two round trips, first its own file, then React. Vite's own also does what only style sheets need,
 * and is three quarters of a small entry. This one asks once more for a file that got lost, so it fetches each file into
 * the browser's cache before anything is imported: in Chromium a module that failed, or a link that preloads it, fails
 * again without a request for as long as the page lives.
 */
const PRELOAD = `
const files = new Map();
export function __vitePreload(load, needed = []) {
  for (const file of needed) if (!files.has(file)) files.set(file, get(file).catch(() => later(file)));
  return Promise.all(needed.map((file) => files.get(file))).then(load);
}
const get = (file) => fetch("/" + file).then((response) => response.blob());
const later = (file) => new Promise((done) => setTimeout(() => done(get(file).catch(() => {})), 1000));`;

/** What Conform carries for browsers that had no object spread, twice; ours have it. */
const BABEL_HELPERS = /\/@conform-to\/\w+\/dist\/_virtual\/_rollupPluginBabelHelpers\.mjs$/;
const BY_THE_LANGUAGE = `
export const objectSpread2 = Object.assign;
export const objectWithoutProperties = (source, names) => {
  const rest = { ...source };
  for (const name of names) delete rest[name];
  return rest;
};`;

/** What the client's entry is, before it knows what is wanted; Rollup would put the helper with whoever else needs it. */
const ENTRY = /entry\.client|client\/(runtime|when-to-hydrate|hold|save-data)\.client|preload-helper/;
/** What every island needs, and small things that most of them do: on a slow link each file costs more than those. */
const EVERY_ISLAND =
  /\/node_modules\/(react|react-dom|scheduler)\/|client\/(hydrate|toast|local-today)\.client|\/app\/(db\/enumerations|records\/(hours|entry\/methods))\.ts/;
/** What the forms share. */
const EVERY_FORM = /\/node_modules\/@conform-to\/|\/app\/forms\/(field|field-rules)\.ts/;

/** What Remix builds of a route for its router in the browser. */
const ROUTE = "?__remix-build-client-route";

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
        if (id.endsWith(ROUTE)) return basename(id.slice(0, -ROUTE.length)); // Remix wants a file for each
        if (ENTRY.test(id)) return "entry";
        if (EVERY_ISLAND.test(id)) return "react";
        if (EVERY_FORM.test(id)) return "forms";
      };
      return { build: { rollupOptions: { output: { manualChunks } } } };
    },
    // The entry's own file may offer more than the entry does; otherwise it would be a second one that only passes on.
    options: (options) => ({ ...options, preserveEntrySignatures: "allow-extension" }),
    load: (id) => {
      if (id === "\0vite/preload-helper.js") return { code: PRELOAD, moduleSideEffects: false };
      return BABEL_HELPERS.test(id) ? BY_THE_LANGUAGE : null;
    },
    transform: {
      order: "post", // after Remix has written it
      handler: (_code, id) => (id.endsWith(ROUTE) ? "export {};" : null),
    },
  };
}
