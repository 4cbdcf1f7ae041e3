import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The sources of the Worker and of the browser's files. */
export const SOURCES = ["app", "public", "remix.config.ts", "vite", "tsconfig.json", "package-lock.json"];

/** A hash of the names and content of these files and of those in these folders, without tests, which are not built. */
export function fingerprintOf(paths: string[]): string {
  const hash = createHash("sha256");
  for (const file of paths.flatMap(filesIn).filter((name) => !/\.test\.tsx?$/.test(name))) {
    hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const all = readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
  return all.filter((name) => statSync(name).isFile()).sort();
}
