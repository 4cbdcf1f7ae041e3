import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { build, type Plugin, type Rollup, transformWithEsbuild } from "vite";
import { fingerprintOf, SOURCES } from "./sources.ts";

const WORKER = "app/offline/service-worker.ts";
const SCRIPT = "app/offline/offline-page.client.ts";

/** With OFFLINE=off the worker's address has this one, which removes the worker from every browser. */
const REMOVAL = "app/offline/remove-worker.ts";

const ADDRESS = "virtual:offline-script";

const ASSETS = "build/client/assets";

/**
 * Adds two files to the browser's: the script of the offline pages, and the service worker as `sw.js`, at a fixed address,
 * because browsers update a worker by fetching its address again. In the worker, `VERSION` names the sources of the build,
 * so that every deploy replaces it, and `SCRIPT` is the address of the script, which the Worker imports as
 * `virtual:offline-script`: the browser's files are built before it. In development there is no service worker.
 */
export function serviceWorker(): Plugin {
  let isBuild = false;
  let isServer = false;
  return {
    name: "hours-tracker:service-worker",
    configResolved: ({ command, build }) => {
      isBuild = command === "build";
      isServer = Boolean(build.ssr);
    },
    resolveId: (id) => (id === ADDRESS ? `\0${ADDRESS}` : null),
    load(id) {
      if (id !== `\0${ADDRESS}`) return null;
      const files = isBuild && existsSync(ASSETS) ? readdirSync(ASSETS) : [];
      const file = files.find((name) => /^offline-page-[\w-]+\.js$/.test(name));
      if (isBuild && isServer && !file) this.error("the script of the offline pages is missing");
      return `export default ${JSON.stringify(file ? `/assets/${file}` : `/${SCRIPT}`)};`;
    },
    async generateBundle() {
      if (!isBuild || isServer) return;
      const script = await bundle(SCRIPT, "es", {});
      const name = `assets/offline-page-${createHash("sha256").update(script).digest("base64url").slice(0, 8)}.js`;
      this.emitFile({ type: "asset", fileName: name, source: script });
      const constants = { VERSION: fingerprintOf(SOURCES).slice(0, 8), SCRIPT: `/${name}` };
      this.emitFile({ type: "asset", fileName: "sw.js", source: await workerScript(constants) });
    },
  };
}

/** The text of `sw.js`. With OFFLINE=off, or if asked for, it is the one that removes the worker. */
export function workerScript(
  constants: Record<string, string>,
  isOff = process.env.OFFLINE === "off",
): Promise<string> {
  return bundle(isOff ? REMOVAL : WORKER, "iife", constants);
}

async function bundle(entry: string, format: "es" | "iife", constants: Record<string, string>): Promise<string> {
  const define = Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)]));
  const [bundle] = (await build({
    configFile: false,
    logLevel: "warn",
    define,
    build: { write: false, target: "es2022", minify: false, lib: { entry, formats: [format], name: "worker" } },
  })) as Rollup.RollupOutput[]; // one per format, as it does not watch
  const { code } = await transformWithEsbuild(bundle?.output[0].code ?? "", entry, {
    minify: true,
    ...(format === "es" && { format: "esm" }),
    target: "es2022",
    sourcemap: false,
  });
  return code.replace('"use strict";', "").trim(); // Vite adds it, and modules and our own code need none
}
