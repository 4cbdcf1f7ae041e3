import { type ChildProcess, spawn } from "node:child_process";

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
  return new Promise((resolve) => {
    const done = (status: number) => {
      children.delete(child);
      resolve({ status, output, stdout });
    };
    child.on("error", (error) => {
      output += error.message;
      done(1);
    });
    child.on("close", (status) => done(status ?? 1));
  });
}
