import { createHash } from "node:crypto";
import { decryption, encryption, MAGIC } from "./encryption.ts";

export type Stream = ReadableStream<Uint8Array>;

export const NO_KEY = "this backup is encrypted: set BACKUP_KEY to the key that it was encrypted with";
const DAMAGED = "this backup is incomplete or damaged: it cannot be decompressed";

/** Compresses a dump and, with a key, encrypts it. */
export function packed(sql: Stream, key: string | null): Stream {
  const compressed = sql.pipeThrough(transform(new CompressionStream("gzip")));
  return key ? compressed.pipeThrough(encryption(key)) : compressed;
}

/** The dump in a stored backup: encrypted, compressed, or neither. It fails with a message for the operator. */
export async function unpacked(stored: Stream, key: string | null): Promise<Stream> {
  const reader = stored.getReader();
  let start: Uint8Array<ArrayBufferLike> = new Uint8Array();
  while (start.length < MAGIC.length) {
    const { value, done } = await reader.read();
    if (done) break;
    start = new Uint8Array([...start, ...value]);
  }
  const whole = continued(start, reader);
  if (startsWith(start, MAGIC)) {
    if (!key) throw new Error(NO_KEY);
    return decompressed(whole.pipeThrough(decryption(key)));
  }
  return startsWith(start, [0x1f, 0x8b]) ? decompressed(whole) : whole;
}

function decompressed(stream: Stream): Stream {
  let problem: unknown = null;
  const watched = read(stream, (error) => {
    problem = error;
    return error;
  });
  const sql = watched.pipeThrough(transform(new DecompressionStream("gzip")));
  return read(sql, () => problem ?? new Error(DAMAGED));
}

/** A stream whose error is replaced: the one that a chain of streams ends with says little. */
function read(stream: Stream, replaced: (error: unknown) => unknown): Stream {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(replaced(error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** What was read already, then the rest. */
function continued(start: Uint8Array, reader: ReadableStreamDefaultReader<Uint8Array>): Stream {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (start.length > 0) controller.enqueue(start);
    },
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function startsWith(bytes: Uint8Array, expected: ArrayLike<number>): boolean {
  return bytes.length >= expected.length && Array.from(expected).every((byte, index) => bytes[index] === byte);
}

/** The types of the two runtimes differ in what a compressing stream accepts. */
function transform(stream: object): ReadableWritablePair<Uint8Array, Uint8Array> {
  return stream as ReadableWritablePair<Uint8Array, Uint8Array>;
}

export interface Digest {
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Passes a stream on. Its digest is complete when the stream has been read. */
export function digested(stream: Stream): { stream: Stream; digest(): Digest } {
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      hash.update(piece);
      bytes += piece.length;
      controller.enqueue(piece);
    },
  });
  return { stream: stream.pipeThrough(counted), digest: () => ({ bytes, sha256: hash.digest("hex") }) };
}
