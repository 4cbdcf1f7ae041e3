import { type ChildProcess, spawn } from "node:child_process";

/** Ends the command with a message for a person and no stack. */
export function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** What an error says, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What this command has started and must not leave behind, however it ends. */
const children = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of children) child.kill();
});

interface RunOptions {
  /** Keeps the output instead of showing it. */
  quiet?: boolean;
  env?: Record<string, string>;
  /** Where it runs, if not here. */
  cwd?: string;
  /** In milliseconds; a program that takes longer is ended, and its status is 1. */
  timeout?: number;
  /** The program is a path or in PATH. */
  isSystem?: boolean;
}

/** Runs a program, by default one of `node_modules/.bin`. It gets no input, so it cannot stop to ask. */
export async function run(
  program: string,
  args: string[],
  { quiet = false, env = {}, cwd, timeout, isSystem = false }: RunOptions = {},
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
  child.stdout?.on("data", (chunk) => {
    output += chunk;
    stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    output += chunk;
  });
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
