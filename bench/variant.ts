import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail, run } from "#scripts/lib/process.ts";
import { SOURCES } from "../vite/sources.ts";

/** A change to a copy of the sources: of a file's text, or a file that is added or replaced. */
type Change =
  | { file: string; from: RegExp; to: string }
  /** `with` is a path in bench. */
  | { file: string; with: string };

/** The sources of the build, and what its configuration needs. */
const COPIED = [...SOURCES, "package.json", "tests/memory-folder.ts"];

/** How the copy that is measured differs from the product: it renders a page many times in one request, with and without its handler. */
const CHANGES: Change[] = [
  { file: "vite/cloudflare-worker.ts", from: /\.\.\/app\/entry\.worker\.ts/, to: "../app/measured.worker.ts" },
  { file: "app/entry.server.tsx", from: /react-dom\/server/, to: "./rendered-page.ts" },
  { file: "app/measured.worker.ts", with: "render/measured.worker.ts" },
  { file: "app/rendered-page.ts", with: "render/rendered-page.ts" },
  { file: "app/replayed-database.ts", with: "render/replayed-database.ts" },
];

/** Builds a changed copy of the product, to compare it with the product. Returns the folder of the build. */
export async function buildVariant(): Promise<string> {
  const folder = "build/render";
  console.log("Building the copy that is measured …");
  copyChanged(folder);
  const { status, output } = await run(
    resolve("node_modules/.bin/remix"),
    ["vite:build", "--config", "remix.config.ts", "--logLevel", "warn"],
    { quiet: true, cwd: folder, env: { NODE_ENV: "production" }, isSystem: true },
  );
  if (status !== 0) fail(output);
  return `${folder}/build`;
}

/**
 * Writes the changed sources to a folder, in place of what it had.
 * @throws {Error} if the product no longer has the text that is to be changed
 */
export function copyChanged(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const path of COPIED) cpSync(path, join(folder, path), { recursive: true });
  for (const change of CHANGES) {
    const path = join(folder, change.file);
    if ("with" in change) cpSync(join("bench", change.with), path);
    else {
      const text = readFileSync(path, "utf8");
      if (!change.from.test(text))
        throw new Error(`${change.file} no longer has ${change.from}: bench changes it there`);
      writeFileSync(path, text.replace(change.from, change.to));
    }
  }
}
