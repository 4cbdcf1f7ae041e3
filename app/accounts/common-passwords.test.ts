import { expect, test } from "vitest";
import { COMMON_PASSWORD_HASHES } from "./common-passwords.data.ts";
import { COMMON_PASSWORDS, CONTEXT_WORDS, isCommonPassword } from "./common-passwords.server.ts";
import { newPassword } from "./user.schema.ts";

/* Catches a list in the wrong byte order, and one that is asked before it is read: with an empty list the first fails. */

test("the passwords that everybody tries first are refused, however they are cased", () => {
  for (const password of [
    "password",
    "Password",
    "12345678",
    "qwertyuiop",
    "TRUSTNO1",
    "iloveyou",
    "1QAZ2wsx",
    "football",
  ]) {
    expect([password, isCommonPassword(password)]).toEqual([password, true]);
  }
  expect(newPassword.safeParse("password1").error?.issues.map(({ message }) => message)).toEqual([
    "That password is one of the first that others would try. Choose another.",
  ]);
});

test("a word of this product is refused, with figures and signs behind it too", () => {
  for (const word of CONTEXT_WORDS) {
    for (const password of [word, `${word}2026`, `${word.toUpperCase()}!`]) {
      expect([password, isCommonPassword(password)]).toEqual([password, true]);
    }
  }
  expect(isCommonPassword("Hours Tracker 1")).toBe(true);
});

test("other passwords may be set: long ones, of any script, made of anything", () => {
  const others = [
    "correct horse battery",
    "demo-technician",
    "мой пароль 7",
    "x".repeat(128),
    "        ",
    "supervisor of nobody",
  ];
  for (const password of others) expect([password, newPassword.safeParse(password).success]).toEqual([password, true]);
  // Of a million made-up ones about one may be taken for a common one; of these none is.
  const madeUp = Array.from({ length: 20_000 }, (_, index) => `made up ${index} ${(index * 7919) % 10_007}`);
  expect(madeUp.filter(isCommonPassword)).toEqual([]);
});

test("the list has more than the 3,000 that OWASP ASVS asks for", () => {
  expect(COMMON_PASSWORDS).toBeGreaterThanOrEqual(3_000);
  expect(Buffer.from(COMMON_PASSWORD_HASHES, "base64")).toHaveLength(COMMON_PASSWORDS * 4);
});
