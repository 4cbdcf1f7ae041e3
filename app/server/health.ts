/** How long a result holds, in milliseconds: whoever asks more often, a stranger too, makes the disk no busier. */
const HOLDS_MS = 10_000;

/** A database that has not answered by then, in milliseconds, is not well. */
const PATIENCE_MS = 5_000;

/** Nobody's: what a limit counts is an HMAC, and never all zeros. */
const SUBJECT = "0".repeat(64);

/**
 * Whether a database takes a write that reaches the disk: a row of `tries` that is there for one transaction alone. A
 * read would not do, since on a full disk all of them succeed.
 */
export class Health {
  #isWell = false;
  #until = 0;

  /** The last result of `takesWrites`, or that of a new write where it is older than ten seconds. */
  async isWell(takesWrites: () => Promise<boolean>): Promise<boolean> {
    if (Date.now() < this.#until) return this.#isWell;
    // Before the wait: those who ask meanwhile get the last result, and write nothing.
    if (this.#until > 0) this.#until = Date.now() + HOLDS_MS;
    this.#isWell = await Promise.race([takesWrites(), later(PATIENCE_MS)]);
    this.#until = Date.now() + HOLDS_MS;
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
