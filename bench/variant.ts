import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import build from "#scripts/build.ts";
import { fail, run } from "#scripts/lib/process.ts";

/** A change to a copy of the sources: of a file's text, or a file that is added or replaced. */
export type Change =
  | { file: string; from: RegExp; to: string }
  /** `with` is a path in bench. */
  | { file: string; with: string };

const COPIED = ["app", "public", "vite", "remix.config.ts", "tsconfig.json", "package.json"];

/** Builds a changed copy of the product, to compare it with the product. Returns the folder of the build. */
export async function buildVariant(name: string, changes: Change[]): Promise<string> {
  await build();
  const folder = `build/${name}`;
  const stamp = `${folder}/made-of.sha256`;
  const fingerprint = fingerprintOf(changes);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) return `${folder}/build`;
  console.log(`Building ${name} …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const path of COPIED) cpSync(path, join(folder, path), { recursive: true });
  for (const change of changes) apply(change, folder);
  const { status, output } = await run(
    resolve("node_modules/.bin/remix"),
    ["vite:build", "--config", "remix.config.ts", "--logLevel", "warn"],
    { quiet: true, cwd: folder, env: { NODE_ENV: "production" }, isSystem: true },
  );
  if (status !== 0) fail(output);
  writeFileSync(stamp, fingerprint);
  return `${folder}/build`;
}

function apply(change: Change, folder: string): void {
  const path = join(folder, change.file);
  if ("with" in change) {
    cpSync(join("bench", change.with), path);
    return;
  }
  const text = readFileSync(path, "utf8");
  if (!change.from.test(text)) fail(`${change.file} no longer has ${change.from}: bench changes it there`);
  writeFileSync(path, text.replace(change.from, change.to));
}

/** A hash of the product's build and the changes. */
function fingerprintOf(changes: Change[]): string {
  const hash = createHash("sha256").update(readFileSync("build/sources.sha256"));
  for (const change of changes) {
    hash.update(JSON.stringify(change, (_key, value) => (value instanceof RegExp ? String(value) : value)));
    if ("with" in change) hash.update(readFileSync(join("bench", change.with)));
  }
  return hash.update(readdirSync("vite").join()).digest("hex");
}
