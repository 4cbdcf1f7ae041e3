import { createHash } from "node:crypto";
import type { Signer } from "./signing-keys.server.ts";

/*
 * A checkpoint (c2sp.org/tlog-checkpoint) is a signed note (c2sp.org/signed-note): three lines that name the log, its
 * size and its root hash, lines of our own with its time and the list of keys, an empty line, and a line with the
 * signature. The signed text has line ends, so it can never be taken for a statement (statement.server.ts), which has
 * none.
 */

/** A public key as a checkpoint lists it: its thumbprint, and when it was first used, in milliseconds since 1970. */
export interface ListedKey {
  kid: string;
  addedAt: number;
}

/** The head of a log's tree, at a time, with the keys that had signed by then. */
export interface Head {
  /** Which log it is (`originOf`). */
  origin: string;
  /** The number of events. */
  size: number;
  /** In base64. */
  root: string;
  /** In milliseconds since 1970. */
  at: number;
  /** The oldest first. */
  keys: readonly ListedKey[];
}

/** The name of a log: the host of the app, and the log's own random id, in hexadecimal (`log_tree`). */
export function originOf(host: string, log: string): string {
  return `${host}/${log}`;
}

/** The id of the log that an origin names; null if it names none. */
export function logOf(origin: string): string | null {
  return /\/([\da-f]{32})$/.exec(origin)?.[1] ?? null;
}

/** The text that is signed. */
export function bodyOf({ origin, size, root, at, keys }: Head): string {
  const listed = keys.map(({ kid, addedAt }) => `key ${kid} ${new Date(addedAt).toISOString()}\n`);
  return `${origin}\n${size}\n${root}\ntime ${new Date(at).toISOString()}\n${listed.join("")}`;
}

/** Signs a head: a checkpoint. */
export async function signedCheckpoint(head: Head, { x, sign }: Pick<Signer, "x" | "sign">): Promise<string> {
  const body = bodyOf(head);
  const signature = Buffer.concat([noteKeyId(head.origin, x), await sign(body)]);
  return `${body}\n— ${head.origin} ${signature.toString("base64")}\n`;
}

/** The id of a key in a signed note, 4 bytes. @param x the public key, in base64url */
export function noteKeyId(name: string, x: string): Buffer {
  const ed25519 = Uint8Array.of(1);
  return createHash("sha256")
    .update(`${name}\n`)
    .update(ed25519)
    .update(Buffer.from(x, "base64url"))
    .digest()
    .subarray(0, 4);
}
