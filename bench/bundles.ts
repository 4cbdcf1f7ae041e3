import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import build from "#scripts/build.ts";
import { atMost, type Row, reported } from "./table.ts";

const ASSETS = "build/client/assets";

/** The size of the Worker's one module, gzipped, as wrangler reports it. */
export function workerBytes(): number {
  return gzipSync(readFileSync("build/server/index.js")).length;
}

/** The browser's scripts: name without the hash, size, and size gzipped. */
export function scripts(): { name: string; raw: number; gzip: number }[] {
  return readdirSync(ASSETS)
    .filter((name) => name.endsWith(".js"))
    .map((name) => {
      const content = readFileSync(`${ASSETS}/${name}`);
      return { name: name.replace(/-[\w-]{8}\.js$/, ""), raw: content.length, gzip: gzipSync(content).length };
    })
    .filter(({ raw }) => raw > 50) // Remix's files for its router are empty
    .sort((one, other) => other.gzip - one.gzip);
}

/** The most that the Worker may have, gzipped, in bytes. */
export const WORKER_MAX = 520_000;

/** `npm run measure -- bundles`. */
export async function bundles(): Promise<Row[]> {
  await build();
  return [
    atMost("the Worker, gzip", workerBytes(), WORKER_MAX, " B"),
    ...scripts().map(({ name, gzip, raw }) => reported(`script ${name}, gzip`, gzip, " B", `${raw} B unpacked`)),
  ];
}
