import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { CompactRange } from "./compact-range.server.ts";

/* The tree of RFC 6962: the known roots of eight leaves, and the recursive definition of section 2.1 for others. */

const KNOWN: [leaf: string, root: string][] = [
  ["", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"],
  ["00", "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
  ["10", "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"],
  ["2021", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"],
  ["3031", "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"],
  ["40414243", "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"],
  ["5051525354555657", "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"],
  ["606162636465666768696a6b6c6d6e6f", "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"],
];

const sha256 = (...parts: (Buffer | number[])[]) =>
  createHash("sha256")
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();

/** MTH of RFC 6962, as it is defined. */
function rootOf(leaves: string[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256([0], Buffer.from(leaves[0] ?? "", "hex"));
  const half = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return sha256([1], rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)));
}

const hex = (root: string) => Buffer.from(root, "base64").toString("hex");

test("an empty tree has the hash of nothing as its root", () => {
  expect(new CompactRange().root()).toBe("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
});

test("the roots of the first eight leaves are the known ones of RFC 6962", () => {
  const tree = new CompactRange();
  for (const [leaf, root] of KNOWN) {
    tree.append(leaf);
    expect([tree.size, hex(tree.root())]).toEqual([tree.size, root]);
  }
});

test("a tree that is stored and read again after each leaf has the root of the definition at every size", () => {
  const leaves = Array.from({ length: 300 }, (_, index) => sha256([index % 256, index >> 8]).toString("hex"));
  let tree = new CompactRange();
  for (const [index, leaf] of leaves.entries()) {
    tree.append(leaf);
    tree = new CompactRange(tree.size, tree.roots);
    expect([index, hex(tree.root())]).toEqual([index, rootOf(leaves.slice(0, index + 1)).toString("hex")]);
  }
  expect(tree.roots).toHaveLength(4 * 64); // 300 = 256 + 32 + 8 + 4
});
