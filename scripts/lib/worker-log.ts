import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Whether the terminal gets the Worker's log as it is, for a program to read: `LOG=json`. */
const isWhole = process.env.LOG === "json";

/**
 * Prints what the Worker writes. Its log is a JSON line a request; a person at a terminal is shown, in short, only what
 * was refused or went wrong.
 */
export function printLog(...streams: Readable[]): void {
  for (const [index, stream] of streams.entries()) {
    const print = index === 0 ? console.log : console.error;
    createInterface({ input: stream }).on("line", (line) => {
      const shown = isWhole ? line : inShort(line);
      if (shown !== null) print(shown);
    });
  }
}

/**
 * A line of the log (app/server/logger.server.ts) for a person; null for one that they need not see. What is no line of the
 * log, such as a word of the runtime's own, stays as it is.
 */
export function inShort(line: string): string | null {
  const facts = parsed(line);
  if (!facts) return line;
  if (facts.level === "info") return null;
  const { time, event, what, method, path, route, message, id, at, ...rest } = facts;
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const about = event === "error" || event === "security" ? [] : [JSON.stringify(rest)];
  const words = [clock, what ?? event, method, path ?? route, message, ...about, id && `(${id})`];
  const frames = Array.isArray(at) ? at.map((frame) => `\n    ${frame}`) : [];
  return words.filter(Boolean).join(" ") + frames.join("");
}

function parsed(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{"level":')) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
