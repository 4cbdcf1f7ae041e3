import { messageOf } from "#app/errors.ts";

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

let statusAtSignal = 0;
let watch: NodeJS.Timeout | undefined;

/** Ctrl-C comes twice, from the terminal and from npm, which passes it on: within this time it is one, in milliseconds. */
const SAME_MS = 1_000;
let signalledAt: number | null = null;

function onSignal(signal: NodeJS.Signals): void {
  const before = signalledAt;
  signalledAt = performance.now();
  if (before !== null && signalledAt - before < SAME_MS) return;
  if (isEnding) process.exit(statusAtSignal);
  // Who pressed Ctrl-C knows; any other end must not look like a crash without a word.
  if (signal !== "SIGINT") console.error(`Ending, because of ${signal}.`);
  end(statusAtSignal);
}

/**
 * Ends the command after its clean-up at Ctrl-C and SIGTERM; a second signal ends it at once. npm passes signals on
 * because package.json says `exec`: a shell would not. If npm itself is killed, the command ends too.
 *
 * Wrangler, Miniflare and Vite each add a listener that ends the process at once, before any clean-up. This removes them, so
 * call it again after creating a Miniflare or a Vite server.
 */
export function endOnSignals(status = 0): void {
  statusAtSignal = status;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.removeAllListeners(signal).on(signal, onSignal);
  }
  if (!process.env.npm_lifecycle_event) return;
  clearInterval(watch);
  const npm = process.ppid;
  watch = setInterval(() => {
    if (process.ppid === npm || isEnding) return;
    clearInterval(watch);
    console.error("Ending, because npm has ended.");
    end(status);
  }, 250);
  watch.unref();
}
