import type { Plugin } from "vite";

const EMPTY = "\0measure:empty";

/**
 * In place of ours: everything that Remix builds stays. Before Remix's plugin it keeps the server's files out of the
 * browser: our routes never go there, so some have values at their top that Remix would not take out.
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
