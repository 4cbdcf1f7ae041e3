import { spawnSync } from "node:child_process";

/** Asks something whose answer changes a little later, such as a health check that is not taken anew each time. */
export type Attempt = () => Promise<unknown>;

/** Resolves with true as soon as the attempt's result is the expected one; with false after two minutes. */
export async function readsAs(attempt: Attempt, expected: unknown): Promise<boolean> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
    if ((await attempt()) === expected) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

/**
 * Sets how long a file may become that a process writes, in bytes. With 1 nothing can be written any more, as on a full
 * disk; unlike a small file system it needs no rights. It is Linux's `prlimit`, of util-linux.
 */
export function limitFileSizes(pid: number, size: "1" | "unlimited"): void {
  const { status, stderr, error } = spawnSync("prlimit", ["--pid", String(pid), `--fsize=${size}:unlimited`], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`prlimit failed: ${error?.message ?? stderr}`);
}
