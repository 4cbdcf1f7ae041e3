import { createHash } from "node:crypto";

/** The length of a hash in hexadecimal. */
const HASH_LENGTH = 64;

/** The prefixes of RFC 6962, section 2.1: a leaf can never be taken for a node. */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/**
 * The Merkle tree of RFC 6962 (SHA-256) as far as it is needed to append to it and to compute its root: the roots of its
 * complete subtrees, one for each 1 in the binary number of its leaves. A million leaves are seven hashes.
 */
export class CompactRange {
  #size: number;
  /** From the first leaves on, so the largest subtree first. */
  readonly #roots: Uint8Array[];

  /** @param roots as `roots` returns them */
  constructor(size = 0, roots = "") {
    this.#size = size;
    this.#roots = (roots.match(new RegExp(`.{${HASH_LENGTH}}`, "g")) ?? []).map((root) => Buffer.from(root, "hex"));
  }

  /** The number of leaves. */
  get size(): number {
    return this.#size;
  }

  /** The roots of the complete subtrees in hexadecimal, to store them. */
  get roots(): string {
    return this.#roots.map((root) => Buffer.from(root).toString("hex")).join("");
  }

  /** Appends a leaf: the hash of an event, in hexadecimal, as 32 bytes. */
  append(eventHash: string): void {
    let node = sha256(LEAF, Buffer.from(eventHash, "hex"));
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) node = sha256(NODE, this.#takeLast(), node);
    this.#roots.push(node);
    this.#size += 1;
  }

  #takeLast(): Uint8Array {
    const last = this.#roots.pop();
    if (!last) throw new Error(`a tree of ${this.#size} leaves has too few roots`);
    return last;
  }

  /** Returns the root hash of the tree, in base64. The root of an empty tree is the hash of no bytes. */
  root(): string {
    const root = this.#roots.reduceRight<Uint8Array | null>(
      (right, left) => (right === null ? left : sha256(NODE, left, right)),
      null,
    );
    return Buffer.from(root ?? sha256()).toString("base64");
  }
}

function sha256(...parts: Uint8Array[]): Uint8Array {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
