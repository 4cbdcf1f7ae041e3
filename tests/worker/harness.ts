import { readFileSync } from "node:fs";

/** The modules around the built Worker that watch it and its database. The first is the one that runs. */
export const HARNESS = ["instrumented-entry.js", "gate.js", "sql.js", "cheap-crypto.js"].map((name) => ({
  name,
  content: readFileSync(`tests/worker/${name}`, "utf8"),
}));
