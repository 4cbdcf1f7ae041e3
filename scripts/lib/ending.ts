import { messageOf } from "./process.ts";

type Cleanup = () => unknown;

const cleanups: Cleanup[] = [];
let isEnding = false;

/** All clean-up together may take so long, in milliseconds. */
const PATIENCE_MS = 8_000;

/** Adds work to be done before the command ends, the last added first. */
export function beforeEnd(cleanup: Cleanup): void {
  cleanups.unshift(cleanup);
}

/** Ends the command, after the work of `beforeEnd`. */
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

/** Ends the command with 1 and a message, unless it is ending already: for programs that it cannot do without. */
export function endUnforeseen(message: string): void {
  if (isEnding) return;
  console.error(message);
  end(1);
}

/**
 * Ends the command in good order at Ctrl-C and SIGTERM; a second signal ends it at once. npm passes signals on, because
 * package.json says `exec`: a shell would keep them. If npm itself is killed, the command ends too.
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
