import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux's file system in memory. Containers often have a small one. */
const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 ** 31;
const PREFIX = "hours-tracker-tests-";

/**
 * Keeps the databases of this process's tests, and of all processes that it starts, in memory: the runtime waits for the
 * disk after every statement, a read included, which took half of the Worker suite's time. The tests kill processes,
 * and a file survives that in memory, too; they do not switch the machine off.
 */
export function keepDatabasesInMemory(): void {
  if (process.env.TEST_DATABASES || !hasRoom()) return;
  for (const name of readdirSync(MEMORY)) {
    const [, pid = ""] = new RegExp(`^${PREFIX}(\\d+)$`).exec(name) ?? [];
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
  const folder = join(MEMORY, PREFIX + process.pid);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  process.env.TEST_DATABASES = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom(): boolean {
  if (process.platform !== "linux" || !existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ENOUGH_BYTES;
}

/** A new folder for a database of a test: in memory, if that was arranged, and otherwise on disk. */
export function databaseFolder(): string {
  return mkdtempSync(join(process.env.TEST_DATABASES ?? tmpdir(), "hours-tracker-data-"));
}
