import { expect, test } from "vitest";
import { COMMON_PASSWORDS, CONTEXT_WORDS, isCommonPassword } from "./common-passwords.server.ts";
import { newPassword } from "./user.schema.ts";

/* With an empty list the first test fails. */

test("the most common passwords are refused in any case", () => {
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
    "This password is too common and easy to guess. Choose another one.",
  ]);
});

test("a word of this product is refused, also with digits and punctuation after it", () => {
  for (const word of CONTEXT_WORDS) {
    for (const password of [word, `${word}2026`, `${word.toUpperCase()}!`]) {
      expect([password, isCommonPassword(password)]).toEqual([password, true]);
    }
  }
  expect(isCommonPassword("Hours Tracker 1")).toBe(true);
});

test("any other password is accepted: long ones, in any script, of any characters", () => {
  const others = [
    "correct horse battery",
    "demo-technician",
    "мой пароль 7",
    "x".repeat(128),
    "        ",
    "supervisor of nobody",
  ];
  for (const password of others) expect([password, newPassword.safeParse(password).success]).toEqual([password, true]);
});

test("the list has the 3,000 passwords that OWASP ASVS requires, each long enough to be set", () => {
  expect(COMMON_PASSWORDS.size).toBe(4_000);
  expect([...COMMON_PASSWORDS].filter((word) => [...word].length < 8 || word !== word.trim())).toEqual([]);
});
