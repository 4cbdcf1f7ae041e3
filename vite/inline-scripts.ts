import { existsSync, readdirSync } from "node:fs";
import { build, type Plugin, type Rollup, transformWithEsbuild } from "vite";

/** Stands for the address of the client's entry, which the server puts in its place. */
const ENTRY = "%entry%";

const ASSETS = "build/client/assets";

/**
 * `import code from "./x.inline.ts?script"` is the file, with all that it imports, as the text of one small script
 * that a page has inside itself. In it `ENTRY` is a mark, which the server replaces by the address of the client's
 * entry, and `REACT` the address of React's file: the browser's files are built before the Worker, so that it is known
 * by then. In development there is no such file, and React is asked for a moment later.
 */
export function inlineScripts(): Plugin {
  let isBuild = false;
  return {
    name: "hours-tracker:inline-scripts",
    enforce: "pre",
    configResolved: ({ command }) => {
      isBuild = command === "build";
    },
    async load(id) {
      if (!id.endsWith(".inline.ts?script")) return null;
      const file = id.slice(0, -"?script".length);
      const files = isBuild && existsSync(ASSETS) ? readdirSync(ASSETS) : [];
      const react = files.find((name) => /^react-[\w-]+\.js$/.test(name));
      if (isBuild && !react) this.error("the file with React is not where vite/islands-only.ts puts it");
      const [bundle] = (await build({
        configFile: false,
        logLevel: "warn",
        define: { ENTRY: JSON.stringify(ENTRY), REACT: JSON.stringify(react ? `/assets/${react}` : "") },
        build: {
          write: false,
          target: "es2022",
          minify: false,
          // As a library: Vite's helper for dynamic imports would be half of it.
          lib: { entry: file, formats: ["es"] },
          rollupOptions: { external: (module) => module.startsWith(ENTRY) },
        },
      })) as Rollup.RollupOutput[]; // one for each format, and not watched
      const chunk = bundle?.output[0];
      for (const module of chunk?.moduleIds ?? []) this.addWatchFile(module);
      const { code } = await transformWithEsbuild(chunk?.code ?? "", file, {
        minify: true,
        format: "esm",
        target: "es2022",
        sourcemap: false,
      });
      return `export default ${JSON.stringify(code.trim())};`;
    },
  };
}
