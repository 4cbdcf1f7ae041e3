import { createHash, createPublicKey, type JsonWebKey, verify } from "node:crypto";

/*
 * A verifier of checkpoints by c2sp.org/signed-note and c2sp.org/tlog-checkpoint, and of the tree by RFC 6962. It uses nothing
 * of the app.
 */

export interface VerifiedHead {
  origin: string;
  size: number;
  /** In base64. */
  root: string;
}

/** The lines of our own, as docs/proof.md has them: the time, and each key with the time of its first use. */
const EXTENSIONS = /^time \S+Z(\nkey [\w-]{43} \S+Z)*$/;

/** The head that a checkpoint states, or what is wrong with it. The list of keys is that of `/.well-known/jwks.json`. */
export function verifiedHead(note: string, keys: JsonWebKey[]): VerifiedHead | string {
  const split = note.lastIndexOf("\n\n");
  if (split === -1 || !note.endsWith("\n")) return "it is no signed note";
  const text = note.slice(0, split + 1);
  const lines = note.slice(split + 2, -1).split("\n");
  const [origin = "", size = "", root = "", ...more] = text.split("\n").slice(0, -1);
  if (!origin || /[\s+]/.test(origin) || !/^(0|[1-9]\d*)$/.test(size) || !EXTENSIONS.test(more.join("\n")))
    return "it is no checkpoint";
  if (Buffer.from(root, "base64").length !== 32 || Buffer.from(root, "base64").toString("base64") !== root)
    return "it has no root hash";
  for (const line of lines) {
    const [dash, name, encoded = "", ...rest] = line.split(" ");
    if (dash !== "\u2014" || rest.length > 0) return "it has a malformed signature line";
    const signature = Buffer.from(encoded, "base64");
    for (const key of keys) {
      const x = Buffer.from(String(key.x), "base64url");
      const id = createHash("sha256").update(`${name}\n`).update("\x01").update(x).digest().subarray(0, 4);
      if (name !== origin || !signature.subarray(0, 4).equals(id)) continue;
      const isValid = verify(null, Buffer.from(text), createPublicKey({ key, format: "jwk" }), signature.subarray(4));
      return isValid ? { origin, size: Number(size), root } : "its signature is wrong";
    }
  }
  return "no key of the list has signed it";
}

/** The root hash in base64 of a tree of events, by the recursive definition. @param hashes in hexadecimal */
export function rootOf(hashes: string[]): string {
  return merkle(hashes.map((hash) => Buffer.from(hash, "hex"))).toString("base64");
}

function merkle(leaves: Buffer[]): Buffer {
  const [leaf] = leaves;
  if (!leaf) return createHash("sha256").digest();
  if (leaves.length === 1) return createHash("sha256").update("\0").update(leaf).digest();
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  const [left, right] = [merkle(leaves.slice(0, half)), merkle(leaves.slice(half))];
  return createHash("sha256").update("\x01").update(left).update(right).digest();
}
