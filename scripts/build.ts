import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fail, run } from "#scripts/lib/process.ts";
import { fingerprintOf, SOURCES } from "../vite/sources.ts";

/** The code around the Worker in `npm start`. */
export const FRONT = "build/npm-start.js";

/** Builds the Worker, the static files and `FRONT`, unless their sources are unchanged. */
export default async function build(): Promise<void> {
  const { OFFLINE = "" } = process.env;
  if (OFFLINE && OFFLINE !== "off") fail(`OFFLINE must be off, or not set; it is ${OFFLINE}`);
  const fingerprint = fingerprintOf(SOURCES) + OFFLINE;
  await unlessMade(["build/server/index.js"], "build/fingerprint", fingerprint, async () => {
    console.log("Building …");
    const { status, output } = await run("remix", ["vite:build", "--config", "remix.config.ts", "--logLevel", "warn"], {
      quiet: true,
      env: { NODE_ENV: "production" },
    });
    if (status !== 0) fail(output);
  });
  await unlessMade([FRONT], `${FRONT}.fingerprint`, fingerprint + fingerprintOf(["self-host"]), async () => {
    const { bundle } = await import("#self-host/build/modules.ts"); // loads Vite, which takes a second
    const unfinished = `${FRONT}.${process.pid}`; // two starts may build at the same time
    writeFileSync(unfinished, await bundle("self-host/npm-start.ts"));
    renameSync(unfinished, FRONT);
  });
}

/** Makes files unless they are there and what they are made from has the fingerprint in the file `stamp`. */
export async function unlessMade(
  files: string[],
  stamp: string,
  fingerprint: string,
  make: () => Promise<void>,
): Promise<void> {
  if ([...files, stamp].every((file) => existsSync(file)) && readFileSync(stamp, "utf8") === fingerprint) return;
  rmSync(stamp, { force: true }); // a failed build must not count as one
  await make();
  writeFileSync(stamp, fingerprint);
}
