import { createPublicKey, verify } from "node:crypto";
import { bodyOf, type Head, type ListedKey, noteKeyId } from "./checkpoint-note.ts";

/**
 * A checkpoint that was kept elsewhere: the whole file, or the part that a form or an email has: the size and the root.
 */
export interface Kept {
  origin: string | null;
  size: number;
  /** The root hash in base64, or at least its first 16 characters. */
  root: string;
  /** Its time in milliseconds since 1970, and the keys that it lists. */
  signed: Pick<Head, "at" | "keys"> | null;
  signatures: Signature[];
}

interface Signature {
  name: string;
  /** 4 bytes, and the signature. */
  bytes: Buffer;
}

/** A public key, in base64url. */
type PublicKey = string;

const SIZE = /^(0|[1-9]\d{0,15})$/;
const ROOT = /^[A-Za-z\d+/]{43}=$/;
const INSTANT = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";
const TIME = new RegExp(`^time (${INSTANT})$`);
const KEY = new RegExp(`^key ([\\w-]{43}) (${INSTANT})$`);
const START_OF_ROOT = /^[A-Za-z\d+/]{16,43}=?$/;

/** Reads a kept checkpoint. Null if the text is none. */
export function readKept(text: string): Kept | null {
  const lines = text
    .replaceAll("\r", "")
    .trim()
    .split("\n")
    .map((line) => line.trim());
  return lines.some((line) => line.startsWith("—")) ? readNote(lines) : readWords(lines.join(" ").split(/\s+/));
}

function readNote([origin = "", size = "", root = "", time = "", ...others]: string[]): Kept | null {
  const end = others.indexOf("");
  const keys = others.slice(0, Math.max(0, end)).map((line): ListedKey | null => {
    const [, kid = "", addedAt = ""] = KEY.exec(line) ?? [];
    return kid ? { kid, addedAt: Date.parse(addedAt) } : null;
  });
  const at = Date.parse(TIME.exec(time)?.[1] ?? "");
  const signatures = others.slice(end + 1).map((line): Signature | null => {
    const [, name = "", signature = ""] = /^— (\S+) ([A-Za-z\d+/]+={0,2})$/.exec(line) ?? [];
    return name ? { name, bytes: Buffer.from(signature, "base64") } : null;
  });
  if (!origin || !SIZE.test(size) || !ROOT.test(root) || Number.isNaN(at) || end === -1) return null;
  if (keys.includes(null) || signatures.includes(null)) return null;
  const signed = { at, keys: keys.filter((one) => one !== null) };
  return { origin, size: Number(size), root, signed, signatures: signatures.filter((one) => one !== null) };
}

/** `Log checkpoint: 120 events, root hash begins 47DEQpj8HBSa+/TI`, or the number and the hash alone. */
function readWords(words: string[]): Kept | null {
  const size = words.find((word) => SIZE.test(word));
  const root = words.at(-1) ?? "";
  if (size === undefined || words.length < 2 || !START_OF_ROOT.test(root)) return null;
  return { origin: null, size: Number(size), root, signed: null, signatures: [] };
}

/** Whether one of the keys has signed a checkpoint; `unknown` if its signatures are of other keys. */
export function signatureOf(
  { origin, size, root, signed, signatures }: Kept,
  keys: PublicKey[],
): "valid" | "wrong" | "unknown" {
  const head: Head = { origin: origin ?? "", size, root, at: 0, keys: [], ...signed };
  const checked = keys.flatMap((x) =>
    signatures
      .filter(({ name, bytes }) => name === origin && bytes.subarray(0, 4).equals(noteKeyId(name, x)))
      .map(({ bytes }) => verify(null, Buffer.from(bodyOf(head)), keyOf(x), bytes.subarray(4))),
  );
  if (checked.length === 0) return "unknown";
  return checked.every((isValid) => isValid) ? "valid" : "wrong";
}

function keyOf(x: PublicKey) {
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}
