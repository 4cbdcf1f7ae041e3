import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin, type Rollup, transformWithEsbuild } from "vite";

const SOURCE = "app/offline/service-worker.ts";

/** With OFFLINE=off the same address removes the worker from every browser that has it. */
const REMOVAL = "app/offline/remove-worker.ts";

/**
 * Adds the service worker to the browser's files as `sw.js`: at a fixed address, because browsers update a worker by
 * fetching its address again. `VERSION` in it names the sources of the build, so that every deploy replaces it.
 */
export function serviceWorker(): Plugin {
  let isSsrBuild = false;
  return {
    name: "hours-tracker:service-worker",
    apply: "build",
    configResolved: ({ build }) => {
      isSsrBuild = Boolean(build.ssr);
    },
    async generateBundle() {
      if (isSsrBuild) return;
      const source = await workerScript({ isOff: process.env.OFFLINE === "off" });
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}

/** The text of `sw.js`, or of the one that removes it. */
export async function workerScript({ isOff }: { isOff: boolean }): Promise<string> {
  const source = isOff ? REMOVAL : SOURCE;
  const [bundle] = (await build({
    configFile: false,
    logLevel: "warn",
    define: { VERSION: JSON.stringify(versionOf(["app", "public", "vite"])) },
    build: {
      write: false,
      target: "es2022",
      minify: false,
      lib: { entry: source, formats: ["iife"], name: "worker" },
    },
  })) as Rollup.RollupOutput[]; // one per format, as it does not watch
  const { code } = await transformWithEsbuild(bundle?.output[0].code ?? "", source, {
    minify: true,
    target: "es2022",
    sourcemap: false,
  });
  return code;
}

/** A short hash of the source files in these folders. */
function versionOf(folders: string[]): string {
  const hash = createHash("sha256");
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  for (const file of files.filter((file) => /\.\w+$/.test(file) && !/\.test\.tsx?$/.test(file)).sort()) {
    if (statSync(file).isFile()) hash.update(readFileSync(file));
  }
  return hash.digest("base64url").slice(0, 8);
}
