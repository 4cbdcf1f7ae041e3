import { readFileSync } from "node:fs";

/** The processor time of a process's main thread, in milliseconds: workerd's runs the Worker and the database. Without Linux, the clock. */
export function threadTime(process: number): number {
  if (globalThis.process.platform !== "linux") return performance.now();
  return Number(readFileSync(`/proc/${process}/task/${process}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

/** The resident memory of a process, in MB; 0 without Linux. */
export function residentMemory(process: number): number {
  if (globalThis.process.platform !== "linux") return 0;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process}/status`, "utf8"))?.[1]) / 1000;
}

/** Runs `again` one after the other until `work` has ended. */
export async function whilst<T>(work: Promise<T>, again: () => Promise<void>): Promise<T> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => {});
  while (!isOver) await again();
  return over;
}

/**
 * The longest processor time between two answers to cheap requests while `send` runs, in milliseconds: no request works longer
 * without yielding.
 */
export async function longestTurn(
  process: number,
  cheap: () => Promise<unknown>,
  send: () => Promise<unknown>,
): Promise<number> {
  await cheap();
  let last = threadTime(process);
  let longest = 0;
  const note = () => {
    longest = Math.max(longest, threadTime(process) - last);
    last = threadTime(process);
  };
  await whilst(send(), () => cheap().then(note));
  note();
  return longest;
}
