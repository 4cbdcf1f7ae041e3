import { spawn } from "node:child_process";

/** Ends the command with a message for a person and no stack. */
export function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Runs a program of `node_modules/.bin`, its output where ours goes, or kept and returned when `quiet`. */
export async function run(
  program: string,
  args: string[],
  { quiet = false, env = {} }: { quiet?: boolean; env?: Record<string, string> } = {},
): Promise<{ status: number; output: string }> {
  const child = spawn(`node_modules/.bin/${program}`, args, {
    stdio: ["ignore", quiet ? "pipe" : "inherit", quiet ? "pipe" : "inherit"],
    env: { ...process.env, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status: status ?? 1, output }));
  });
}
