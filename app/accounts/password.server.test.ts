import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./password.server.ts";

test("a password matches in every spelling of its characters, and no other does", async () => {
  const hash = await hashPassword({ whose: "kari" }, "ấ".repeat(128));
  expect(await verifyPassword({ whose: "kari" }, "ấ".repeat(128).normalize("NFD"), hash)).toBe(true);
  expect(await verifyPassword({ whose: "kari" }, "ấ".repeat(127), hash)).toBe(false);
});

// Catches a login that normalizes a text of any length. Normalization sorts accents, in time quadratic in their number: for
// a body of 1 MiB it blocks the Worker for a minute.
test("a text that is too long for a password is refused as fast as a wrong one", async () => {
  const hash = await hashPassword({ whose: "kari" }, "correct horse");
  const timeOf = async (password: string) => {
    const begin = performance.now();
    expect(await verifyPassword({ whose: "kari" }, password, hash)).toBe(false);
    return performance.now() - begin;
  };
  const wrong = await timeOf("wrong horse");
  expect(await timeOf("\u0301\u0316".repeat(100_000))).toBeLessThan(10 * wrong);
  expect(await timeOf("")).toBeLessThan(10 * wrong);
});
