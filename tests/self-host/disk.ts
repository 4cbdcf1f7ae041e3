import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BINARY } from "#scripts/binary.ts";

/** A request whose answer changes a little later, such as a cached health check. */
export type Attempt = () => Promise<unknown>;

/** Resolves with true when the result is the expected one, or with false after two minutes, or `within` milliseconds. */
export async function readsAs(attempt: Attempt, expected: unknown, within = 120_000): Promise<boolean> {
  for (const deadline = Date.now() + within; Date.now() < deadline; ) {
    if ((await attempt()) === expected) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

/** The size of the largest file in a folder, and in those in it. */
export function largestFile(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Math.max(...paths.map((path) => statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0));
}

/**
 * Sets the maximum size of files that a process writes, in bytes. With 1 it can write nothing, as on a full disk; with the size
 * of the largest file it can write only into space that it has already. Unlike a small file system this needs no privileges.
 * It runs Linux's `prlimit`, of util-linux.
 */
export function limitFileSizes(pid: number, size: number | "unlimited"): void {
  const { status, stderr, error } = spawnSync("prlimit", ["--pid", String(pid), `--fsize=${size}:unlimited`], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`prlimit failed: ${error?.message ?? stderr}`);
}

/** The executable, for which a write over the limit is an error and does not kill it, like on a full disk. */
export function survivingFullDisk(folder: string): string {
  const program = join(folder, "program");
  writeFileSync(program, `#!/bin/sh\ntrap '' XFSZ\nexec '${resolve(BINARY)}' "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}
