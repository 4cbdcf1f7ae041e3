import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fingerprintOf } from "#scripts/build.ts";

const FILE = "build/npm-start/index.js";
const STAMP = "build/npm-start/fingerprint";

/** The code around the Worker in `npm start`, built if its sources or the app's have changed. */
export async function builtFront(): Promise<string> {
  const isSource = (file: string) => !/\.test\.tsx?$/.test(file);
  const fingerprint = `${readFileSync("build/fingerprint", "utf8")} ${fingerprintOf(["self-host"], isSource)}`;
  if (existsSync(FILE) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint) {
    return readFileSync(FILE, "utf8");
  }
  const { bundle } = await import("#self-host/build/modules.ts"); // loads Vite, which takes a second
  const code = await bundle("self-host/npm-start.ts");
  mkdirSync("build/npm-start", { recursive: true });
  // Two starts may build at the same time.
  for (const [file, text] of [
    [FILE, code],
    [STAMP, fingerprint],
  ] as const) {
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  }
  return code;
}
