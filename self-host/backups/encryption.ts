/*
 * The format of an encrypted backup (docs/backups.md): a header of 32 bytes, then chunks of 64 KiB, each encrypted with
 * AES-256-GCM. The key is derived for each file from BACKUP_KEY and the salt of the header, so counters can be nonces.
 */

/** The first bytes of an encrypted backup; the last one is the version of the format. */
export const MAGIC = new TextEncoder().encode("HTBAKv1\n");
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
export async function split(
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
