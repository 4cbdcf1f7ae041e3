// node:crypto, with hashes of passwords that cost next to nothing: for tests that sign in thousands of times and are not
// about passwords. What is stored says the real cost, so it can only be checked where this module is in place as well.
import { scrypt as real } from "node:crypto";

export * from "node:crypto";

/** What each hash would have cost, until a test asks for them. */
export const hashes = [];

export function scrypt(password, salt, length, { N, r, p }, done) {
  hashes.push(`N=${N} r=${r} p=${p}`);
  real(password, salt, length, { N: 2, r: 1, p: 1 }, done);
}
