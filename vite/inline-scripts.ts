import { existsSync, readdirSync } from "node:fs";
import { build, type Plugin, type Rollup, transformWithEsbuild } from "vite";

/** A placeholder for the URL of the client's entry, which the server inserts. */
const ENTRY = "%entry%";

const ASSETS = "build/client/assets";

/**
 * `import code from "./x.inline.ts?script"` returns the file, bundled with its imports, as the text of an inline
 * script. In it, `ENTRY` is a placeholder for the URL of the client's entry, which the server inserts, and `REACT` is
 * the URL of React's file, which is known because the browser's files are built before the Worker. In development there
 * is no such file, and React loads a little later.
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
        define: {
          ENTRY: JSON.stringify(ENTRY),
          REACT: JSON.stringify(react ? `/assets/${react}` : ""),
          "import.meta.env.OFFLINE": JSON.stringify(process.env.OFFLINE ?? ""),
        },
        build: {
          write: false,
          target: "es2022",
          minify: false,
          // As a library: otherwise Vite's helper for dynamic imports would be half of the script.
          lib: { entry: file, formats: ["es"] },
          rollupOptions: { external: (module) => module.startsWith(ENTRY) },
        },
      })) as Rollup.RollupOutput[]; // one per format, as it does not watch
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
