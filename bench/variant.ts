import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import build from "#scripts/build.ts";
import { fail, run } from "#scripts/lib/process.ts";

/** A change to a copy of the sources: of a file's text, or a file that is added or replaced. */
type Change =
  | { file: string; from: RegExp; to: string }
  /** `with` is a path in bench. */
  | { file: string; with: string };

const COPIED = ["app", "public", "scripts", "vite", "remix.config.ts", "tsconfig.json", "package.json"];

/** The copies of the product that are measured, and how they differ from it. */
export const VARIANTS = {
  /** Renders a page many times in one request, with and without its handler. */
  render: [
    { file: "vite/cloudflare-worker.ts", from: /\.\.\/app\/entry\.worker\.ts/, to: "../app/measured.worker.ts" },
    { file: "app/entry.server.tsx", from: /react-dom\/server/, to: "./rendered-page.ts" },
    { file: "app/measured.worker.ts", with: "render/measured.worker.ts" },
    { file: "app/rendered-page.ts", with: "render/rendered-page.ts" },
    { file: "app/replayed-database.ts", with: "render/replayed-database.ts" },
  ],
  /** Remix's default client; the product itself has no such option. */
  "full-hydration": [
    { file: "app/entry.client.tsx", with: "../node_modules/@remix-run/dev/dist/config/defaults/entry.client.tsx" },
    { file: "app/entry.server.tsx", with: "full-hydration/entry.server.tsx" },
    { file: "vite/islands-only.ts", with: "full-hydration/vite-islands.ts" },
    { file: "remix.config.ts", from: /\(await import\("@remix-run\/dev"\)\)/, to: "islandsOnly(), $&" },
    // Our client fetches the PDF worker when the button's island loads, just before a click.
    { file: "app/pdf/export-button.island.tsx", from: /if \(!disabled\) prepareExport\(\);/, to: "" },
    { file: "app/root.tsx", from: /^import \{/, to: "import { Scripts, ScrollRestoration," },
    { file: "app/root.tsx", from: /<\/AuthProvider>/, to: "</AuthProvider>\n<ScrollRestoration /><Scripts />" },
  ],
} satisfies Record<string, Change[]>;

/** Builds a changed copy of the product, to compare it with the product. Returns the folder of the build. */
export async function buildVariant(name: keyof typeof VARIANTS): Promise<string> {
  await build();
  const changes = VARIANTS[name];
  const folder = `build/${name}`;
  const stamp = `${folder}/made-of.sha256`;
  const fingerprint = fingerprintOf(changes);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) return `${folder}/build`;
  console.log(`Building ${name} …`);
  copyChanged(name, folder);
  const { status, output } = await run(
    resolve("node_modules/.bin/remix"),
    ["vite:build", "--config", "remix.config.ts", "--logLevel", "warn"],
    { quiet: true, cwd: folder, env: { NODE_ENV: "production" }, isSystem: true },
  );
  if (status !== 0) fail(output);
  writeFileSync(stamp, fingerprint);
  return `${folder}/build`;
}

/**
 * Writes the changed sources to a folder, in place of what it had.
 * @throws {Error} if the product no longer has the text that is to be changed
 */
export function copyChanged(name: keyof typeof VARIANTS, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const path of COPIED) cpSync(path, join(folder, path), { recursive: true });
  for (const change of VARIANTS[name]) apply(change, folder);
}

function apply(change: Change, folder: string): void {
  const path = join(folder, change.file);
  if ("with" in change) {
    cpSync(join("bench", change.with), path);
    return;
  }
  const text = readFileSync(path, "utf8");
  if (!change.from.test(text)) throw new Error(`${change.file} no longer has ${change.from}: bench changes it there`);
  writeFileSync(path, text.replace(change.from, change.to));
}

/** A hash of the product's build and the changes. */
function fingerprintOf(changes: Change[]): string {
  const hash = createHash("sha256").update(readFileSync("build/fingerprint"));
  for (const change of changes) {
    hash.update(JSON.stringify(change, (_key, value) => (value instanceof RegExp ? String(value) : value)));
    if ("with" in change) hash.update(readFileSync(join("bench", change.with)));
  }
  return hash.update(readdirSync("vite").join()).digest("hex");
}
