import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./password.server.ts";

test("a password matches in every spelling of its characters, and no other does", async () => {
  const hash = await hashPassword("ấ".repeat(128));
  expect(await verifyPassword("ấ".repeat(128).normalize("NFD"), hash)).toBe(true);
  expect(await verifyPassword("ấ".repeat(127), hash)).toBe(false);
});

// Catches a login that normalizes a text of any length. Normalization sorts accents, in time quadratic in their number: for
// a body of 1 MiB it blocks the Worker for a minute.
test("a text that is too long for a password is refused as fast as a wrong one", async () => {
  const hash = await hashPassword("correct horse");
  const begin = performance.now();
  expect(await verifyPassword("\u0301\u0316".repeat(100_000), hash)).toBe(false);
  expect(await verifyPassword("", hash)).toBe(false);
  expect(performance.now() - begin).toBeLessThan(4_000);
});
