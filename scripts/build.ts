import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, run } from "#scripts/lib/process.ts";

const SOURCES = ["app", "public", "remix.config.ts", "vite", "tsconfig.json", "package-lock.json"];
const STAMP = "build/fingerprint";

/** Builds the Worker and the static files, unless their sources are unchanged. */
export default async function build(): Promise<void> {
  const { OFFLINE = "" } = process.env;
  if (OFFLINE && OFFLINE !== "off") fail(`OFFLINE must be off, or not set; it is ${OFFLINE}`);
  const fingerprint = fingerprintOf(SOURCES, isSource) + OFFLINE;
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint) return;
  console.log("Building …");
  rmSync(STAMP, { force: true }); // a failed build must not count as one
  const { status, output } = await run("remix", ["vite:build", "--config", "remix.config.ts", "--logLevel", "warn"], {
    quiet: true,
    env: { NODE_ENV: "production" },
  });
  if (status !== 0) fail(output);
  writeFileSync(STAMP, fingerprint);
}

/** A hash of the names and content of the files that `isPart` accepts, including those in folders. */
export function fingerprintOf(paths: string[], isPart: (file: string) => boolean): string {
  const hash = createHash("sha256");
  for (const file of paths.flatMap(filesIn).filter(isPart)) {
    hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

/** Tests are not part of the build. */
function isSource(file: string): boolean {
  return !/\.test\.tsx?$/.test(file);
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const all = readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
  return all.filter((name) => statSync(name).isFile()).sort();
}
