import { databaseMessage } from "#app/db/client.server.ts";

/**
 * One JSON line for an error that nobody foresaw. A failed query's own message carries its bound values (names,
 * addresses, hashes), so of those only the database's words are written, and of any stack only its frames.
 */
export function logError(error: unknown, request?: Request): void {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const failedQuery = message.startsWith("Failed query");
  console.error(
    JSON.stringify({
      level: "error",
      method: request?.method,
      path: request && redactedPath(request),
      name,
      message: databaseMessage(error) ?? (failedQuery ? "a query failed" : message),
      at: stack
        ?.split("\n")
        .filter((line) => /^\s+at /.test(line))
        .slice(0, 8)
        .map((line) => line.trim()),
    }),
  );
}

/** One JSON line for something that is worth knowing and is no error. It holds ids, never addresses or tokens. */
export function logEvent(level: "info" | "warn" | "error", event: string, facts: object): void {
  console.log(JSON.stringify({ level, event, ...facts }));
}

/**
 * A path whose tokens are taken out: who reads a log must not be able to verify hours, or to set somebody's password.
 */
function redactedPath(request: Request): string {
  return new URL(request.url).pathname
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27,}/gi, ":token")
    .replace(/(\/reset-password\/).+/, "$1:token");
}
