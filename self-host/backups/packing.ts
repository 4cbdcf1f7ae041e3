import { createHash } from "node:crypto";
import { piecesOf } from "#self-host/dump-stream.ts";
import { decrypted, encrypted, MAGIC, split } from "./encryption.ts";

export type Stream = ReadableStream<Uint8Array>;
type Pieces = AsyncIterable<Uint8Array>;

export const NO_KEY = "this backup is encrypted: set BACKUP_KEY to the key that it was encrypted with";
const DAMAGED = "this backup is incomplete or damaged: it cannot be decompressed";

/** Compresses a dump and, with a key, encrypts it. */
export function packed(sql: Stream, key: string | null): Pieces {
  const compressed = through(new CompressionStream("gzip"), piecesOf(sql), "the database cannot be compressed");
  return key ? encrypted(compressed, key) : compressed;
}

/** The dump in a stored backup: encrypted, compressed, or neither. It fails with a message for the operator. */
export async function* unpacked(stored: Pieces, key: string | null): AsyncGenerator<Uint8Array> {
  const { start, rest } = await split(stored, MAGIC.length);
  const whole = both(start, rest);
  if (startsWith(start, MAGIC)) {
    if (!key) throw new Error(NO_KEY);
    yield* through(new DecompressionStream("gzip"), decrypted(whole, key), DAMAGED);
  } else if (startsWith(start, [0x1f, 0x8b])) {
    yield* through(new DecompressionStream("gzip"), whole, DAMAGED);
  } else {
    yield* whole;
  }
}

async function* both(start: Uint8Array, rest: Pieces): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start;
  yield* rest;
}

/**
 * Passes pieces through a compressing or decompressing stream. An error of the pieces is thrown as it is, one of the stream
 * with this message. Streams piped into each other lose the error, and in workerd some of them then never end.
 */
async function* through(
  { readable, writable }: { readable: ReadableStream; writable: WritableStream },
  pieces: Pieces,
  message: string,
): AsyncGenerator<Uint8Array> {
  const writer = writable.getWriter();
  const reader: ReadableStreamDefaultReader<Uint8Array> = readable.getReader();
  let isOver = false;
  const failed = new Promise<never>((_, reject) => {
    (async () => {
      for await (const piece of pieces) {
        if (isOver) return;
        await writer.write(piece).catch(() => reject(new Error(message)));
      }
      await writer.close().catch(() => reject(new Error(message)));
    })().catch(reject);
  });
  failed.catch(() => {}); // it is read below, if it comes in time
  try {
    for (;;) {
      const read = reader.read().catch(() => Promise.race([failed, Promise.reject(new Error(message))]));
      const { value, done } = await Promise.race([read, failed]);
      if (done) return;
      yield value;
    }
  } finally {
    isOver = true;
    writer.abort().catch(() => {});
    reader.cancel().catch(() => {});
  }
}

function startsWith(bytes: Uint8Array, expected: ArrayLike<number>): boolean {
  return bytes.length >= expected.length && Array.from(expected).every((byte, index) => bytes[index] === byte);
}

export interface Digest {
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Passes pieces on. Their digest is complete when all have been read. */
export function digested(pieces: Pieces): { pieces: AsyncGenerator<Uint8Array>; digest(): Digest } {
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = (async function* () {
    for await (const piece of pieces) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  })();
  return { pieces: counted, digest: () => ({ bytes, sha256: hash.digest("hex") }) };
}
