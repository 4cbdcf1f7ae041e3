import { expect, test } from "vitest";
import { seal, unseal } from "./sealed.server.ts";

test("what is sealed is read again by the same secret for the same use, and is not to be read in it", () => {
  const sealed = seal("secret", "bookmark", "00000001");
  expect(unseal("secret", "bookmark", sealed)).toBe("00000001");
  expect(sealed).toMatch(/^[\w-]+$/);
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("00000001");
  expect(seal("secret", "bookmark", "00000001")).not.toBe(sealed);
});

test("what another secret or another use sealed, what was changed, and what is no seal reads as nothing", () => {
  const sealed = seal("secret", "bookmark", "00000001");
  const changed = `${sealed.startsWith("A") ? "B" : "A"}${sealed.slice(1)}`;
  expect(unseal("another", "bookmark", sealed)).toBeNull();
  expect(unseal("secret", "another", sealed)).toBeNull();
  for (const made of [changed, sealed.slice(0, 20), "", "00000001", "\u0000"])
    expect(unseal("secret", "bookmark", made)).toBeNull();
});
