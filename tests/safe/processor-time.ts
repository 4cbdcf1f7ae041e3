import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Returns the processes that this one has started, if the system reports them (Linux). */
export function childProcesses(): number[] {
  const tasks = `/proc/${process.pid}/task`;
  if (!existsSync(`${tasks}/${process.pid}/children`)) return [];
  const lists = readdirSync(tasks).map((task) => read(`${tasks}/${task}/children`));
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

/**
 * Returns the processor time of these processes so far, in milliseconds: other work on the machine, which multiplies
 * the time on a clock, does not count. If the system does not report it, returns the clock's time.
 */
export function processorTime(processes: number[]): number {
  if (processes.length === 0) return performance.now();
  const tasks = processes.flatMap((id) => readdirSync(`/proc/${id}/task`).map((task) => `/proc/${id}/task/${task}`));
  // Nanoseconds; a thread that has just ended no longer has a file.
  return tasks.reduce((sum, task) => sum + Number(read(`${task}/schedstat`).split(" ")[0]) / 1e6, 0);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
