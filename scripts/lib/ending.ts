import { messageOf } from "./process.ts";

type Cleanup = () => unknown;

const cleanups: Cleanup[] = [];
let isEnding = false;

/** How long everything together may take to stop. */
const PATIENCE_MS = 8_000;

/** Says what must be done before the command ends; what was said last is done first. */
export function beforeEnd(cleanup: Cleanup): void {
  cleanups.unshift(cleanup);
}

/** Ends the command after everything said to `beforeEnd`. */
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

/** Ends the command with 1 and a message, unless it is ending already: for what must not stop before the command does. */
export function endUnforeseen(message: string): void {
  if (isEnding) return;
  console.error(message);
  end(1);
}

/**
 * From now on the command ends in good order at Ctrl-C and SIGTERM; a second one ends it at once. npm hands signals on
 * (package.json says `exec`, or a shell would stand between and keep them), and where npm itself is killed we end too.
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
