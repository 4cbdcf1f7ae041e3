import { expect, test } from "vitest";
import { decrypted, encrypted, TORN, WRONG_KEY } from "#self-host/backups/packing.ts";
import { KEY } from "./stored-backups.ts";

const CHUNK = 64 * 1024;
const HEADER = 32;

async function* pieces(bytes: Uint8Array, size = 10_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

const sealed = (bytes: Uint8Array) => all(encrypted(pieces(bytes), KEY));
const opened = (bytes: Uint8Array, key = KEY) => all(decrypted(pieces(bytes), key));

function someBytes(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => (index * 7919) % 251));
}

test("encrypted bytes are decrypted, whatever their length and their pieces", async () => {
  for (const length of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5]) {
    const bytes = someBytes(length);
    const secret = await sealed(bytes);
    expect([length, (await opened(secret)).equals(bytes)]).toEqual([length, true]);
    expect((await all(decrypted(pieces(secret, 1 + length), KEY))).equals(bytes)).toBe(true);
  }
});

test("two encryptions of the same bytes share nothing but the first bytes of the format", async () => {
  const [first, second] = [await sealed(someBytes(100)), await sealed(someBytes(100))];
  expect(first.subarray(0, 8)).toEqual(second.subarray(0, 8));
  for (let at = 8; at < first.length; at += 16) {
    expect(first.subarray(at, at + 16).equals(second.subarray(at, at + 16))).toBe(false);
  }
});

test("a wrong key is named as such", async () => {
  await expect(opened(await sealed(someBytes(100)), `${KEY}x`)).rejects.toThrow(WRONG_KEY);
});

test("a backup that is cut off anywhere, also between two chunks, is refused", async () => {
  const secret = await sealed(someBytes(2 * CHUNK + 10));
  const chunk = CHUNK + 16;
  for (const length of [0, 7, HEADER - 1, HEADER, HEADER + 5, HEADER + chunk, HEADER + 2 * chunk, secret.length - 1]) {
    await expect(opened(secret.subarray(0, length)), String(length)).rejects.toThrow(TORN);
  }
});

test("a changed byte, an added one, and chunks that were exchanged or left out are refused", async () => {
  const secret = await sealed(someBytes(3 * CHUNK + 10));
  const chunk = CHUNK + 16;
  const part = (from: number) => secret.subarray(HEADER + from * chunk, HEADER + (from + 1) * chunk);
  const header = secret.subarray(0, HEADER);
  const changed = Buffer.from(secret);
  changed[HEADER + chunk + 3] = (changed[HEADER + chunk + 3] ?? 0) ^ 1;
  for (const [words, bytes] of [
    ["changed", changed],
    ["added", Buffer.concat([secret, Buffer.of(0)])],
    ["exchanged", Buffer.concat([header, part(1), part(0), part(2), part(3)])],
    ["left out", Buffer.concat([header, part(0), part(2), part(3)])],
    ["of another file", Buffer.concat([header, (await sealed(someBytes(10))).subarray(HEADER)])],
  ] as const) {
    await expect(opened(bytes), words).rejects.toThrow(TORN);
  }
});
