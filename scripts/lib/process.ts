import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { messageOf } from "#app/errors.ts";

/** Ends the command with a message, without a stack. */
export function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** The processes that this command has started. They end with it. */
const children = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of children) child.kill();
});

interface RunOptions {
  /** Captures the output instead of showing it. */
  quiet?: boolean;
  /** Gets the output, piece by piece, instead of the terminal. */
  print?: ((text: string) => void) | undefined;
  env?: Record<string, string>;
  /** The working directory, if not this one. */
  cwd?: string;
  /** The time limit in milliseconds; a process that exceeds it is ended and has status 1. */
  timeout?: number;
  /** The program is a path or in PATH. */
  isSystem?: boolean;
}

/** Runs a program, by default from `node_modules/.bin`. It has no standard input, so it cannot wait for an answer. */
export async function run(
  program: string,
  args: string[],
  { print, quiet = print !== undefined, env = {}, cwd, timeout, isSystem = false }: RunOptions = {},
): Promise<{ status: number; output: string; stdout: string }> {
  const child = spawn(isSystem ? program : `node_modules/.bin/${program}`, args, {
    stdio: ["ignore", quiet ? "pipe" : "inherit", quiet ? "pipe" : "inherit"],
    env: { ...process.env, ...env },
    cwd,
    timeout,
  });
  children.add(child);
  let output = "";
  let stdout = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      output += chunk;
      print?.(String(chunk));
      if (stream === child.stdout) stdout += chunk;
    });
  }
  const [status] = await once(child, "close").catch((error) => {
    output += messageOf(error);
    return [1];
  });
  children.delete(child);
  return { status: status ?? 1, output, stdout };
}

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
  // A user who pressed Ctrl-C needs no message; any other end must not look like a crash.
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
