import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The modules around the built Worker that observe it and its database. The first is the entry. */
export const HARNESS = ["instrumented-entry.js", "clock.js", "gate.js", "guarded.js", "sql.js", "cheap-crypto.js"].map(
  moduleOf,
);

/** A test module that runs with the Worker. */
export function moduleOf(name: string) {
  return { name, content: readFileSync(`tests/worker/${name}`, "utf8") };
}

/** The same for Miniflare, as if they were beside the built Worker in `folder`. */
export function beside(folder: string, modules: { name: string; content: string }[]) {
  return modules.map(({ name, content }) => ({
    type: "ESModule" as const,
    path: join(folder, name),
    contents: content,
  }));
}
