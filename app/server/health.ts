import { METHOD_NOT_ALLOWED, refusalJson } from "#app/errors.ts";
import { isSafe } from "./request-line.ts";
import { VERSION } from "./version.ts";

/** How long a result is cached, in milliseconds, so that frequent checks, which anyone can make, write no more often. */
const CACHE_MS = 10_000;

/** How long to wait for the database, in milliseconds. */
const TIMEOUT_MS = 5_000;

/**
 * The room that the disk must have, in bytes: enough for the largest save, an import of 10,000 records. The row of
 * `writeCheck` alone fits for a while into space that SQLite's log has already, when a save no longer fits.
 */
export const ROOM_BYTES = 4 * 1024 * 1024;

/** A subject that no limit has: those are HMACs. */
const SUBJECT = "0".repeat(64);

/** Checks at most every ten seconds that the database accepts writes, and keeps the result. */
export class Health {
  #isHealthy = false;
  /** When the last result was taken. */
  #at: number | null = null;

  /** Why the app is not ready, or null. */
  async problem(canWrite: () => Promise<boolean>): Promise<string | null> {
    return (await this.isHealthy(canWrite)) ? null : CANNOT_WRITE;
  }

  /** The last result of `canWrite`, or a new one if it is older than ten seconds. */
  async isHealthy(canWrite: () => Promise<boolean>): Promise<boolean> {
    // In both directions: after the clock was set back, an old result must not stay.
    if (this.#at !== null && Math.abs(Date.now() - this.#at) < CACHE_MS) return this.#isHealthy;
    // Set before the write, so that parallel checks return the last result and write nothing.
    if (this.#at !== null) this.#at = Date.now();
    this.#isHealthy = await Promise.race([canWrite(), after(TIMEOUT_MS)]);
    this.#at = Date.now();
    return this.#isHealthy;
  }
}

/**
 * Makes the function that tests a write to disk: a row of `attempts` that exists for one transaction only. On a full disk reads
 * still succeed, so a read is no check. Its statements are prepared once.
 */
export function writeCheck(database: Pick<D1Database, "batch" | "prepare">): () => Promise<boolean> {
  const insert = database.prepare("INSERT INTO attempts (subject, at) VALUES (?, 0)").bind(SUBJECT);
  const remove = database.prepare("DELETE FROM attempts WHERE subject = ?").bind(SUBJECT);
  return () =>
    database.batch([insert, remove]).then(
      () => true,
      () => false,
    );
}

function after(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, false));
}

/** Why the app is not ready if the database takes no write, or the disk has no room for a save. */
const CANNOT_WRITE =
  "The database does not accept writes. Check that the disk has free space and that the user of this program can write to it.";

/**
 * Returns the response of `/healthz`: 200 if `problem` is null, else 503 with it. It is public, so it names no value of
 * a setting.
 */
export function healthResponse({ method }: { method: string }, problem: string | null): Response {
  const headers = { "Cache-Control": "no-store" };
  if (!isSafe({ method })) {
    return refusalJson({ message: METHOD_NOT_ALLOWED, code: "method_not_allowed" }, { ...headers, Allow: "GET, HEAD" });
  }
  const said = problem === null ? { status: "ok" } : { status: "not ready", reason: problem };
  const answer = Response.json(
    { ...said, version: VERSION },
    {
      status: problem === null ? 200 : 503,
      headers,
    },
  );
  return method === "HEAD" ? new Response(null, answer) : answer;
}
