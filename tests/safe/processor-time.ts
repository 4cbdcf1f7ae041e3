import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The processes that this one has started, where the system tells (Linux). */
export function childProcesses(): number[] {
  const tasks = `/proc/${process.pid}/task`;
  if (!existsSync(`${tasks}/${process.pid}/children`)) return [];
  const lists = readdirSync(tasks).map((task) => read(`${tasks}/${task}/children`));
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

/**
 * For how many milliseconds these processes have computed so far: other work on the machine does not count, which makes
 * the time on a clock many times as long. Where the system does not tell, the clock's time.
 */
export function processorTime(processes: number[]): number {
  if (processes.length === 0) return performance.now();
  const tasks = processes.flatMap((id) => readdirSync(`/proc/${id}/task`).map((task) => `/proc/${id}/task/${task}`));
  // Nanoseconds; a thread that has just ended has no file any more.
  return tasks.reduce((sum, task) => sum + Number(read(`${task}/schedstat`).split(" ")[0]) / 1e6, 0);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
