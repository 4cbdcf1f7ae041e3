import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

/** The Router imports React's renderer for browsers, for one function that it calls in a browser: a tenth of the Worker. */
const FOR_BROWSERS = "react-dom";

/** React's streaming renderer, beside the one in use: a fortieth of the Worker. */
const STREAMING = "react-dom-server.browser.production.min.js";

const workerEntry = fileURLToPath(new URL("../app/entry.worker.ts", import.meta.url));

/**
 * Makes Vite build the Worker: its entry is `app/entry.worker.ts`, which imports Remix's server build. Everything
 * except the runtime's own modules is bundled into one file, from the packages' Worker builds.
 */
export function cloudflareWorker(): Plugin {
  let isBuild = false;
  return {
    name: "hours-tracker:worker",
    configResolved: ({ command }) => {
      isBuild = command === "build";
    },
    resolveId: {
      order: "pre",
      handler(id, _importer, { ssr }) {
        if (ssr && id === FOR_BROWSERS && isBuild) return `\0${FOR_BROWSERS}`;
      },
    },
    load(id) {
      if (id === `\0${FOR_BROWSERS}`) return "export {};";
      if (id.includes(STREAMING)) return "module.exports = {};";
    },
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

/** The statements of a migration that make and drop triggers and indexes: they begin and end on lines of their own. */
const TRIGGERS_AND_INDEXES =
  /^CREATE TRIGGER [\s\S]*?^END;$|^CREATE (?:UNIQUE )?INDEX [\s\S]*?;$|^DROP (?:TRIGGER|INDEX) .*;$/gm;

/** Makes `import text from "x.sql?checked"` give these statements alone: the whole would be a fortieth of the Worker. */
export function checkedStatements(): Plugin {
  return {
    name: "hours-tracker:checked-statements",
    load(id) {
      const [file = "", query] = id.split("?");
      if (query !== "checked") return;
      const statements = readFileSync(file, "utf8").match(TRIGGERS_AND_INDEXES) ?? [];
      return `export default ${JSON.stringify(statements.join("\n"))}`;
    },
  };
}
