import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

export interface Running {
  /** Its address, without a slash at the end. */
  url: string;
  port: number;
  pid: number;
  /** The lines of both output streams. */
  log: string[];
  /** Sends a signal. Resolves with the exit code (null after a kill) when the log is complete. */
  stop(signal?: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number | null>;
}

interface Settings {
  program: string;
  /** The data folder; created if it does not exist. */
  data: string;
  env?: Record<string, string>;
  /** 0 selects a free port. */
  port?: number;
  /** Called with each line of output. */
  onLine?: (line: string) => void;
}

/**
 * Starts an executable with these environment variables only. Without PATH it cannot find Node or any other program.
 * @throws {Error} with its output, if it ends before it listens
 */
export async function startBinary({ program, data, env = {}, port = 0, onLine }: Settings): Promise<Running> {
  mkdirSync(data, { recursive: true });
  const child = spawn(program, [`-ddata=${data}`, `-shttp=127.0.0.1:${port}`, "--control-fd=3"], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { PATH: "/nonexistent", ...env },
  });
  const end = new Promise<number | null>((resolve) => child.on("close", resolve));
  const kill = () => child.kill("SIGKILL");
  process.on("exit", kill);
  end.then(() => process.off("exit", kill));
  const log: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on("line", (line) => {
      log.push(line);
      onLine?.(line);
    });
  }
  const listening = await Promise.race([listeningPort(child), end.then(() => null)]);
  if (listening === null || child.pid === undefined) throw new Error(`it ended at its start:\n${log.join("\n")}`);
  return {
    url: `http://127.0.0.1:${listening}`,
    port: listening,
    pid: child.pid,
    log,
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return end;
    },
  };
}

/** workerd reports its port on its control channel. */
function listeningPort(child: ChildProcess): Promise<number> {
  const control = child.stdio[3] as Readable; // requested above
  return new Promise((resolve) => {
    createInterface({ input: control }).on("line", (line) => {
      const message = JSON.parse(line) as { event: string; port: number };
      if (message.event === "listen") resolve(message.port);
    });
  });
}
