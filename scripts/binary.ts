import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { assemble, compile, workerd } from "#self-host/build/compile.ts";
import { migrationFiles } from "#self-host/build/modules.ts";
import { releaseOf } from "#self-host/migrations.ts";
import { fingerprintOf } from "../vite/sources.ts";
import build, { unlessMade } from "./build.ts";

export const BINARY = "dist/hours-tracker";
/** For `sha256sum -c`, in the folder of the executable. */
const CHECKSUM = `${BINARY}.sha256`;
/** Its version: of the executable `--version` prints that of the runtime. */
const VERSION_FILE = `${BINARY}.version`;

/** The files that it is made from, besides the build. */
const SOURCES = ["self-host", "migrations", "wrangler.toml"];

/**
 * `npm run binary`: writes `dist/hours-tracker`, the whole app in one executable, unless its sources are unchanged. See
 * docs/single-binary.md.
 */
export default async function binary(): Promise<void> {
  await build();
  const fingerprint = `${readFileSync("build/fingerprint", "utf8")} ${fingerprintOf(SOURCES)} ${statSync(workerd).size}`;
  await unlessMade([BINARY, CHECKSUM, VERSION_FILE], `${BINARY}.fingerprint`, fingerprint, async () => {
    console.log(`Making ${BINARY} …`);
    mkdirSync("dist", { recursive: true });
    compile(await assemble(), BINARY);
    const bytes = readFileSync(BINARY);
    writeFileSync(CHECKSUM, `${createHash("sha256").update(bytes).digest("hex")}  ${basename(BINARY)}\n`);
    writeFileSync(VERSION_FILE, `${await releaseOf(migrationFiles())}\n`);
    const megabytes = (bytes.length / 1_000_000).toFixed(1);
    console.log(`${BINARY} (${megabytes} MB). README.md and docs/single-binary.md say how to run it.`);
  });
}
