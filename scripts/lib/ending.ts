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
 * Ends the command in good order at Ctrl-C and SIGTERM; a second signal ends it at once. npm passes signals on, because
 * package.json says `exec`: a shell would keep them. If npm itself is killed, the command ends too.
 *
 * Wrangler, Miniflare and Vite each have a listener that ends the process at once, before any clean-up. They are removed, so call
 * this again after a Miniflare or a Vite server was made.
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
