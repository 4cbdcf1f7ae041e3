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

/** Encrypts a stream with the operator's key. */
export function encryption(secret: string): TransformStream<Uint8Array, Uint8Array> {
  let header: Bytes;
  let cipher: CryptoKey;
  let number = 0;
  const seal = async (chunk: Bytes, isLast: boolean) => {
    const sealed = await crypto.subtle.encrypt(parameters(header, number, isLast), cipher, chunk);
    number += 1;
    return new Uint8Array(sealed);
  };
  return rechunked(CHUNK_BYTES, {
    async start(controller) {
      const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
      const derived = await derive(secret, salt);
      cipher = derived.cipher;
      header = joined([MAGIC, salt, derived.check]);
      controller.enqueue(header);
    },
    chunk: async (chunk, isLast) => seal(chunk, isLast),
  });
}

/**
 * Decrypts a stream. It fails with WRONG_KEY, or with TORN if a byte is missing, changed or moved: each chunk's place and
 * whether it is the last are part of its nonce.
 */
export function decryption(secret: string): TransformStream<Uint8Array, Uint8Array> {
  let header: Bytes | null = null;
  let cipher: CryptoKey | null = null;
  let number = 0;
  let start: Bytes = new Uint8Array();
  const body = rechunked(CHUNK_BYTES + TAG_BYTES, {
    async chunk(chunk, isLast) {
      if (!header || !cipher) throw new Error(TORN);
      try {
        const opened = await crypto.subtle.decrypt(parameters(header, number, isLast), cipher, chunk);
        number += 1;
        return new Uint8Array(opened);
      } catch {
        throw new Error(TORN);
      }
    },
  });
  const opened = new TransformStream<Uint8Array, Uint8Array>({
    async transform(piece, controller) {
      if (cipher) return controller.enqueue(piece);
      start = joined([start, piece]);
      if (start.length < HEADER_BYTES) return;
      header = start.slice(0, HEADER_BYTES);
      const derived = await derive(secret, header.slice(MAGIC.length, MAGIC.length + SALT_BYTES));
      if (derived.check.some((byte, index) => byte !== start[MAGIC.length + SALT_BYTES + index])) {
        throw new Error(WRONG_KEY);
      }
      cipher = derived.cipher;
      controller.enqueue(start.slice(HEADER_BYTES));
    },
  });
  return { writable: opened.writable, readable: opened.readable.pipeThrough(body) };
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

interface Rechunked {
  start?(controller: TransformStreamDefaultController<Uint8Array>): Promise<void>;
  chunk(chunk: Bytes, isLast: boolean): Promise<Uint8Array>;
}

/** Passes a stream on in chunks of this size; the last, which always comes, has 1 byte or more unless there are none. */
function rechunked(size: number, { start, chunk }: Rechunked): TransformStream<Uint8Array, Uint8Array> {
  let waiting: Bytes[] = [];
  let length = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    ...(start && { start }),
    async transform(piece, controller) {
      waiting.push(new Uint8Array(piece));
      length += piece.length;
      if (length <= size) return;
      const all = joined(waiting);
      let from = 0;
      // The last chunk stays behind, because only `flush` knows that it is the last.
      for (; all.length - from > size; from += size) {
        controller.enqueue(await chunk(all.slice(from, from + size), false));
      }
      waiting = [all.slice(from)];
      length = all.length - from;
    },
    async flush(controller) {
      controller.enqueue(await chunk(joined(waiting), true));
    },
  });
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
