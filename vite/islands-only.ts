import { basename } from "node:path";
import type { Plugin } from "vite";

/**
 * Vite wraps dynamic imports in a helper that preloads all files of the import, so that an island takes one round trip
 * and not two (its own file, then React). Vite's helper also supports style sheets, and is three quarters of a small
 * entry. This helper retries a file that failed to load. It fetches files into the browser's cache before the import,
 * because in Chromium a module (or a preload link) that failed once fails for as long as the page is open.
 */
const PRELOAD = `
const files = new Map();
export function __vitePreload(load, needed = []) {
  for (const file of needed) if (!files.has(file)) files.set(file, get(file).catch(() => later(file)));
  return Promise.all(needed.map((file) => files.get(file))).then(load);
}
const get = (file) => fetch("/" + file).then((response) => response.blob());
const later = (file) => new Promise((done) => setTimeout(() => done(get(file).catch(() => {})), 1000));`;

/** Conform's polyfills of object spread, which our browsers do not need. */
const BABEL_HELPERS = /\/@conform-to\/\w+\/dist\/_virtual\/_rollupPluginBabelHelpers\.mjs$/;
const BY_THE_LANGUAGE = `
export const objectSpread2 = Object.assign;
export const objectWithoutProperties = (source, names) => {
  const rest = { ...source };
  for (const name of names) delete rest[name];
  return rest;
};`;

/** The modules of the client's entry. Rollup would put the helper into the chunk with React. */
const ENTRY = /entry\.client|client\/(runtime|when-to-hydrate|hold|save-data)\.client|preload-helper/;
/** The modules that all or most islands need. On a slow network a separate file costs more than these bytes. */
const EVERY_ISLAND =
  /\/node_modules\/(react|react-dom|scheduler)\/|client\/(hydrate|toast|local-today)\.client|\/app\/(db\/enumerations|records\/(hours|entry\/methods))\.ts/;
/** The modules that forms share. */
const EVERY_FORM = /\/node_modules\/@conform-to\/|\/app\/(forms\/(field|field-rules)|records\/detail-fields)\.ts/;

/** Remix's build of a route for its client router. */
const ROUTE = "?__remix-build-client-route";

/**
 * Reduces the browser's build to the entry and the islands. As there is no client router, Remix's client build of each
 * route is left empty: it would never be loaded, but would split the islands' chunks further.
 */
export function islandsOnly(): Plugin {
  return {
    name: "hours-tracker:islands-only",
    enforce: "pre",
    apply: "build",
    config: (_config, { isSsrBuild }) => {
      if (isSsrBuild) return;
      const manualChunks = (id: string) => {
        if (id.endsWith(ROUTE)) return basename(id.slice(0, -ROUTE.length)); // Remix requires a file for each route
        if (ENTRY.test(id)) return "entry";
        if (EVERY_ISLAND.test(id)) return "react";
        if (EVERY_FORM.test(id)) return "forms";
      };
      return { build: { rollupOptions: { output: { manualChunks } } } };
    },
    // The entry's chunk may have more exports than the entry; otherwise Rollup adds a second file that only re-exports.
    options: (options) => ({ ...options, preserveEntrySignatures: "allow-extension" }),
    load: (id) => {
      if (id === "\0vite/preload-helper.js") return { code: PRELOAD, moduleSideEffects: false };
      return BABEL_HELPERS.test(id) ? BY_THE_LANGUAGE : null;
    },
    transform: {
      order: "post", // after Remix has written the file
      handler: (_code, id) => (id.endsWith(ROUTE) ? "export {};" : null),
    },
  };
}
