import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Whether the Worker's log is printed unchanged, for programs: `LOG=json`. */
const isWhole = process.env.LOG === "json";

/**
 * Prints the Worker's output. Its log has a JSON line per request; on a terminal only refusals and errors are printed,
 * in short form.
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
 * The short form of a line of the log (app/server/logger.server.ts); null if it is not printed. Other lines, such as
 * messages of the runtime, are unchanged.
 */
export function inShort(line: string): string | null {
  const facts = parsed(line);
  if (!facts) return line;
  if (facts.event === "set-up")
    return `There is no admin yet. Create the first one, and see what is not configured, at\n  ${facts.link}`;
  if (facts.event === "not configured") return `Not configured: ${[facts.missing].flat().join(", ")}. ${facts.advice}`;
  if (facts.event === "admin reset") return `${facts.advice}\n  ${facts.link}`;
  if (facts.event === "admin reset refused") return `${facts.advice}`;
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
