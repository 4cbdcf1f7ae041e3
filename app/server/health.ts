/** How long a result is cached, in milliseconds, so that frequent checks, which anyone can make, write no more often. */
const CACHE_MS = 10_000;

/** How long to wait for the database, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** The subject of no limit: those are HMACs, and never all zeros. */
const SUBJECT = "0".repeat(64);

/**
 * Checks that the database accepts a write to disk: a row of `tries` that exists for one transaction only. On a full disk
 * reads still succeed, so a read is no check.
 */
export class Health {
  #isWell = false;
  /** When the last result was taken. */
  #at: number | null = null;

  /** The last result of `takesWrites`, or a new one if it is older than ten seconds. */
  async isWell(takesWrites: () => Promise<boolean>): Promise<boolean> {
    // In both directions: a clock that is set back must not keep an old result.
    if (this.#at !== null && Math.abs(Date.now() - this.#at) < CACHE_MS) return this.#isWell;
    // Set before the write, so that parallel checks return the last result and write nothing.
    if (this.#at !== null) this.#at = Date.now();
    this.#isWell = await Promise.race([takesWrites(), later(TIMEOUT_MS)]);
    this.#at = Date.now();
    return this.#isWell;
  }
}

/** Makes the function that tries a write and takes it back. Its statements are prepared here, once. */
export function writeCheck(database: Pick<D1Database, "batch" | "prepare">): () => Promise<boolean> {
  const insert = database.prepare("INSERT INTO tries (subject, at) VALUES (?, 0)").bind(SUBJECT);
  const remove = database.prepare("DELETE FROM tries WHERE subject = ?").bind(SUBJECT);
  return () =>
    database.batch([insert, remove]).then(
      () => true,
      () => false,
    );
}

function later(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, false));
}

/** The answer of `/healthz`: 200 or 503. */
export function healthAnswer(isWell: boolean): Response {
  return Response.json(
    { status: isWell ? "ok" : "not ready" },
    { status: isWell ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}
