import type { Plugin } from "vite";

const EMPTY = "\0measure:empty";

/**
 * Replaces our plugin and keeps everything that Remix builds. It runs before Remix's plugin and keeps server files out
 * of the browser: some of our routes have top-level values that Remix would not remove.
 */
export function islandsOnly(): Plugin {
  return {
    name: "measure:without-server",
    enforce: "pre",
    resolveId: (id, _importer, { ssr } = { isEntry: false, attributes: {} }) =>
      !ssr && /\.server\.tsx?$/.test(id) ? EMPTY : null,
    load: (id) => (id === EMPTY ? { code: "export default {};", syntheticNamedExports: true } : null),
  };
}
