import { createHash } from "node:crypto";
import { piecesOf } from "#self-host/dump-stream.ts";

/*
 * The format of an encrypted backup (docs/backups.md): a header of 32 bytes, then chunks of 64 KiB, each encrypted with
 * AES-256-GCM. The key is derived for each file from BACKUP_KEY and the salt of the header, so counters can be nonces.
 */

/** The first bytes of an encrypted backup; the last one is the version of the format. */
const MAGIC = new TextEncoder().encode("HTBAKv1\n");
const SALT_BYTES = 16;
const CHECK_BYTES = 8;
const HEADER_BYTES = MAGIC.length + SALT_BYTES + CHECK_BYTES;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;

export const WRONG_KEY = "this backup was encrypted with another key than BACKUP_KEY";
export const TORN = "this backup is incomplete or was changed: a part of it cannot be decrypted";

type Bytes = Uint8Array<ArrayBuffer>;

/** Encrypts with the operator's key. */
export async function* encrypted(plain: AsyncIterable<Uint8Array>, secret: string): AsyncGenerator<Uint8Array> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const { cipher, check } = await derive(secret, salt);
  const header = joined([MAGIC, salt, check]);
  yield header.slice(); // a byte stream takes the bytes away from what it is given
  let number = 0;
  for await (const { chunk, isLast } of chunks(plain, CHUNK_BYTES)) {
    yield new Uint8Array(await crypto.subtle.encrypt(parameters(header, number, isLast), cipher, chunk));
    number += 1;
  }
}

/**
 * Decrypts. It throws WRONG_KEY, or TORN if a byte is missing, changed or moved: each chunk's place and whether it is the
 * last are part of its nonce.
 */
export async function* decrypted(sealed: AsyncIterable<Uint8Array>, secret: string): AsyncGenerator<Uint8Array> {
  const { start: header, rest } = await split(sealed, HEADER_BYTES);
  if (header.length < HEADER_BYTES) throw new Error(TORN);
  const { cipher, check } = await derive(secret, header.slice(MAGIC.length, MAGIC.length + SALT_BYTES));
  const given = header.slice(MAGIC.length + SALT_BYTES);
  if (check.some((byte, index) => byte !== given[index])) throw new Error(WRONG_KEY);
  let number = 0;
  for await (const { chunk, isLast } of chunks(rest, CHUNK_BYTES + TAG_BYTES)) {
    const opened = await crypto.subtle.decrypt(parameters(header, number, isLast), cipher, chunk).catch(() => null);
    if (!opened) throw new Error(TORN);
    yield new Uint8Array(opened);
    number += 1;
  }
}

/** The key of one file, and the bytes by which a wrong BACKUP_KEY is recognised. */
async function derive(secret: string, salt: Bytes): Promise<{ cipher: CryptoKey; check: Bytes }> {
  const master = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), "HKDF", false, ["deriveBits"]);
  const bits = async (purpose: string, bytes: number) => {
    const info = new TextEncoder().encode(`hours-tracker backup ${purpose}`);
    return new Uint8Array(
      await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, master, 8 * bytes),
    );
  };
  const key = await bits("key", 32);
  return {
    cipher: await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]),
    check: await bits("check", CHECK_BYTES),
  };
}

/** The nonce is the chunk's number, and 1 or 0 for whether it is the last; the header is authenticated with it. */
function parameters(header: Bytes, number: number, isLast: boolean) {
  const iv = new Uint8Array(NONCE_BYTES);
  const view = new DataView(iv.buffer);
  view.setUint32(NONCE_BYTES - 5, number);
  view.setUint8(NONCE_BYTES - 1, isLast ? 1 : 0);
  return { name: "AES-GCM", iv, additionalData: header };
}

/** The same bytes in chunks of this size. The last one, which always comes, can be shorter. */
async function* chunks(
  pieces: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ chunk: Bytes; isLast: boolean }> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length <= size) continue;
    const all = joined(waiting);
    let from = 0;
    // One chunk stays behind, because only the end of the pieces tells which is the last.
    for (; all.length - from > size; from += size) yield { chunk: all.slice(from, from + size), isLast: false };
    waiting = [all.slice(from)];
    length = all.length - from;
  }
  yield { chunk: joined(waiting), isLast: true };
}

/** The first bytes, fewer only if there are no more, and the others. */
async function split(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<{ start: Bytes; rest: AsyncIterable<Uint8Array> }> {
  const iterator = pieces[Symbol.asyncIterator]();
  let start: Bytes = new Uint8Array();
  while (start.length < bytes) {
    const { value, done } = await iterator.next();
    if (done) break;
    start = joined([start, value]);
  }
  const more = start.slice(bytes);
  const rest = async function* () {
    try {
      if (more.length > 0) yield more;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  };
  return { start: start.slice(0, bytes), rest: rest() };
}

function joined(pieces: Uint8Array[]): Bytes {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

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
