import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { assemble, compile, workerd } from "#self-host/build/compile.ts";
import build, { fingerprintOf } from "./build.ts";

export const BINARY = "dist/hours-tracker";
const STAMP = `${BINARY}.sha256`;

/** The sources of the executable, besides the build. */
const SOURCES = ["self-host", "migrations", "wrangler.toml"];

/**
 * `npm run binary`: writes `dist/hours-tracker`, the whole app in one executable, unless its sources are unchanged. See
 * docs/single-binary.md.
 */
export default async function binary(): Promise<void> {
  await build();
  const fingerprint = `${readFileSync("build/sources.sha256", "utf8")} ${fingerprintOf(SOURCES, (file) => !/\.test\.tsx?$/.test(file))} ${statSync(workerd).size}`;
  if (existsSync(BINARY) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint) return;
  console.log(`Making ${BINARY} …`);
  mkdirSync("dist", { recursive: true });
  rmSync(STAMP, { force: true });
  compile(await assemble(), BINARY);
  writeFileSync(STAMP, fingerprint);
  const megabytes = (statSync(BINARY).size / 1_000_000).toFixed(1);
  console.log(
    `${BINARY} (${megabytes} MB). Run it: mkdir -p data && SESSION_SECRET=… ${BINARY} -ddata=./data -shttp=127.0.0.1:8787`,
  );
}
