import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openStream } from "./stream.server.ts";

/*
 * How long a stream waits for its client, with a clock of its own; turns.worker.test.ts has it over real sockets. Catches a wait
 * that counts from one part to the next: a slow client takes longer than that for a part.
 */

const PART = "x".repeat(2_000_000);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A stream of three parts, for an account. */
function streamOf(userId: number) {
  const context = { env: {}, signal: new AbortController().signal, visit: { userId }, stream: null };
  const parts = (async function* () {
    for (let part = 0; part < 3; part += 1) yield PART;
  })();
  // A stream reads only these parts of its context.
  return openStream(context as unknown as Parameters<typeof openStream>[0], parts)
    .body()
    .getReader();
}

/**
 * Returns the parts that arrive at a client that takes this number of bytes a second, until it stops for `stopMs` after
 * its first bytes.
 */
async function taken(
  reader: ReturnType<typeof streamOf>,
  bytesPerSecond: number,
  stopMs = 0,
): Promise<number | string> {
  let bytes = 0;
  while (true) {
    const reading = reader.read().catch(({ message }: Error) => message);
    await vi.advanceTimersByTimeAsync(100); // the part is made
    const read = await reading;
    if (typeof read === "string") return read;
    if (read.done) return bytes;
    bytes += read.value.length;
    await vi.advanceTimersByTimeAsync((1_000 * read.value.length) / bytesPerSecond + stopMs);
  }
}

test("a client of 20 kB a second gets all, though it takes longer for a part than a stream waits", async () => {
  expect(await taken(streamOf(1), 20_000)).toBe(3 * PART.length);
});

test("a client that takes nothing for longer than 30 seconds gets no more", async () => {
  expect(await taken(streamOf(2), 1_000_000, 31_000)).toBe("the client has stopped reading");
});
