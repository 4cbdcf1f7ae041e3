import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, run } from "./lib/process.ts";

/** Everything that a build is made of. */
const SOURCES = ["app", "public", "remix.config.ts", "scripts/vite-worker.ts", "tsconfig.json", "package-lock.json"];
const STAMP = "build/sources.sha256";

/** Builds the Worker and the static files, unless `build/` was made from these very sources. */
export default async function build(): Promise<void> {
  const fingerprint = fingerprintOf(SOURCES);
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint) return;
  console.log("Building …");
  const { status, output } = await run("remix", ["vite:build", "--config", "remix.config.ts"], {
    quiet: true,
    env: { NODE_ENV: "production" },
  });
  if (status !== 0) fail(output);
  writeFileSync(STAMP, fingerprint);
}

function fingerprintOf(paths: string[]): string {
  const hash = createHash("sha256");
  for (const file of paths.flatMap(filesIn)) hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}
