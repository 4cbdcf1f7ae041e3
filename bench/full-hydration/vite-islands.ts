import type { Plugin } from "vite";

/** In place of ours: everything that Remix builds stays. */
export function islandsOnly(): Plugin {
  return { name: "measure:no-islands" };
}

/**
 * Before Remix's plugin: nothing of the server reaches the browser. Our routes never go there, so some have values at
 * their top that Remix would not take out.
 */
export function withoutServer(): Plugin {
  const EMPTY = "\0measure:empty";
  return {
    name: "measure:without-server",
    enforce: "pre",
    resolveId: (id, _importer, { ssr } = { isEntry: false, attributes: {} }) =>
      !ssr && /\.server\.tsx?$/.test(id) ? EMPTY : null,
    load: (id) => (id === EMPTY ? { code: "export default {};", syntheticNamedExports: true } : null),
  };
}
