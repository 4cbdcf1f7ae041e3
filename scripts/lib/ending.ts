import { messageOf } from "./process.ts";

type Cleanup = () => unknown;

const cleanups: Cleanup[] = [];
let isEnding = false;

/** The time limit for all clean-up together, in milliseconds. */
const PATIENCE_MS = 8_000;

/** Adds clean-up work to run before the command ends, in reverse order of addition. */
export function beforeEnd(cleanup: Cleanup): void {
  cleanups.unshift(cleanup);
}

/** Ends the command after its clean-up. */
export async function end(status = 0): Promise<never> {
  isEnding = true;
  setTimeout(() => process.exit(status), PATIENCE_MS).unref();
  for (const cleanup of cleanups) {
    try {
      await cleanup();
    } catch (error) {
      console.error(messageOf(error));
    }
  }
  process.exit(status);
}

/** Ends the command with status 1 and a message, unless it is already ending. For processes that it needs. */
export function endUnforeseen(message: string): void {
  if (isEnding) return;
  console.error(message);
  end(1);
}

/**
 * Ends the command after its clean-up at Ctrl-C and SIGTERM; a second signal ends it at once. npm passes signals on
 * because package.json says `exec`: a shell would not. If npm itself is killed, the command ends too.
 */
export function endOnSignals(status = 0): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => (isEnding ? process.exit(status) : end(status)));
  }
  if (!process.env.npm_lifecycle_event) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm || isEnding) return;
    clearInterval(watch);
    end(status);
  }, 250);
  watch.unref();
}
