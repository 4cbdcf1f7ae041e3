import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";

/** A process of `npm start`. */
export interface NpmStart {
  /** The address that it prints. */
  url: string;
  port: number;
  pid: number;
  /** The lines of both output streams. */
  output: string[];
  /** Resolves with its exit code. */
  ended: Promise<number | null>;
  /** Ends it like Ctrl-C, if it is still running. */
  stop(): Promise<number | null>;
}

/** Without the settings of the environment in which the tests run. */
const NOTHING_SET = {
  PUBLIC_ORIGIN: "",
  TRUST_PROXY: "",
  SESSION_SECRET: "",
  SIGNING_KEY: "",
  MAILCHANNELS_API_KEY: "",
  SMTP_URL: "",
  MAIL_FROM: "",
  RESET_ADMIN: "",
  HOST: "",
  METRICS_TOKEN: "",
  LOG: "",
};

const END_WITH_PARENT = pathToFileURL("tests/self-host/end-with-parent.mjs").href;

function spawned(
  env: Record<string, string>,
  command = "start",
  args: string[] = [],
): {
  child: ChildProcess;
  output: string[];
  ended: Promise<number | null>;
} {
  // Vitest may be killed, and ends its processes without waiting for tests: what they have started must end as well.
  const child = spawn(process.execPath, ["--import", END_WITH_PARENT, "scripts/run.mjs", command, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...NOTHING_SET, PORT: "0", ...env },
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on("line", (line) => output.push(line));
  }
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, output, ended };
}

/**
 * Starts it with a data folder.
 * @throws {Error} with its output, if it ends before it answers
 */
export async function npmStart(
  data: string,
  env: Record<string, string> = {},
  command: "start" | "dev" = "start",
): Promise<NpmStart> {
  const { child, output, ended } = spawned({ DATA_DIR: data, ...env }, command);
  let hasEnded = false;
  ended.then(() => {
    hasEnded = true;
  });
  for (;;) {
    const [, url] = /^Hours Tracker is at (\S+)( and reloads|$)/m.exec(output.join("\n")) ?? [];
    if (url && child.pid) {
      const stop = () => {
        child.kill("SIGINT");
        return ended;
      };
      return { url, port: Number(new URL(url).port), pid: child.pid, output, ended, stop };
    }
    if (hasEnded) throw new Error(`it ended at its start:\n${output.join("\n")}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Starts it with settings that it must refuse. Returns its exit code and output. */
export function refusedStart(env: Record<string, string>): Promise<{ status: number | null; words: string }> {
  return runCommand("start", env);
}

/** Runs a command, such as `verify-log`, to its end. Returns its exit code and output. */
export async function runCommand(
  command: string,
  env: Record<string, string>,
  ...args: string[]
): Promise<{ status: number | null; words: string }> {
  const { child, output, ended } = spawned(env, command, args);
  onTestFinished(() => void child.kill("SIGKILL"));
  return { status: await ended, words: output.join("\n") };
}

/** The process of workerd that it has started. Without one it throws: `kill 0` would end the tests themselves. */
export function workerdOf(pid: number): number {
  const [workerd] = childrenOf(pid, "workerd");
  if (workerd === undefined) throw new Error("workerd does not run");
  return workerd;
}

/** The processes that it has started and that run a program of this name. */
export function childrenOf(pid: number, program: string): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, command = ""]) => Number(parent) === pid && command.includes(program))
    .map(([child]) => Number(child));
}
