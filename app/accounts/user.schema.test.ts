import { expect, test } from "vitest";
import { credentialsSchema, registrationSchema } from "./user.schema.ts";

/** Parses a registration: returns the values, or the first message of each field. */
function registration(over: Record<string, unknown>) {
  const result = registrationSchema.safeParse({ email: "kari@example.com", password: "23 45 678", ...over });
  if (result.success) return result.data;
  return Object.fromEntries(result.error.issues.map(({ path, message }) => [path.join("."), message]).reverse());
}

test("a new password has 8 to 128 characters, counted by code point", () => {
  const tooShort = { password: "Password must be at least 8 characters" };
  expect(registration({ password: undefined })).toEqual(tooShort);
  expect(registration({ password: 12345678 })).toEqual(tooShort);
  expect(registration({ password: "1234567" })).toEqual(tooShort);
  expect(registration({ password: "23 45 67" })).toMatchObject({ email: "kari@example.com" });
  expect(registration({ password: "😀".repeat(7) })).toEqual(tooShort);
  expect(registration({ password: "😀👷".repeat(4) })).toMatchObject({ email: "kari@example.com" });
  expect(registration({ password: "tank".repeat(32) })).toMatchObject({ email: "kari@example.com" });
  expect(registration({ password: "x".repeat(129) })).toEqual({ password: "Password must be at most 128 characters" });
});

test("a login accepts any password that is not empty", () => {
  const login = (password: unknown) => credentialsSchema.safeParse({ email: "kari@example.com", password });
  expect(login("x").success).toBe(true);
  expect(login(" ").success).toBe(true);
  for (const none of ["", undefined, null, 7]) {
    expect(login(none).error?.issues.map(({ message }) => message)).toEqual(["Password is required"]);
  }
});

test("an email address is trimmed, in lower case, and has the form of one", () => {
  expect(registration({ email: " Kari@Example.COM\t" })).toMatchObject({ email: "kari@example.com" });
  for (const email of ["", " ", "kari", "kari@", "@example.com", "a b@example.com", "kari@example", null, ["a@b.co"]]) {
    expect(registration({ email })).toEqual({ email: "Please enter a valid email address" });
  }
  const longest = `${"x".repeat(254 - "@example.com".length)}@example.com`;
  expect(registration({ email: longest })).toMatchObject({ email: longest });
  expect(registration({ email: `x${longest}` })).toEqual({ email: "Please enter a valid email address" });
});

test("a name is optional; if given, it has 2 to 200 characters after trimming", () => {
  for (const none of [undefined, null, "", "  ", "\u200b ", "\u0000"]) {
    expect(registration({ name: none })).toMatchObject({ name: null });
  }
  for (const name of ["Bo", "李四", "👩‍🚀 Zoë", "x".repeat(200), "😀".repeat(200)]) {
    expect(registration({ name: ` ${name}\n` })).toMatchObject({ name });
  }
  // One emoji counts as one character, however many code units it has.
  for (const name of ["K", "😀", " K "]) {
    expect(registration({ name })).toEqual({ name: "Name must be at least 2 characters" });
  }
  expect(registration({ name: "x".repeat(201) })).toEqual({ name: "Name must be at most 200 characters" });
});

test("an employee number is optional, and a blank one counts as none", () => {
  for (const none of [undefined, null, "", "  ", "\u200b", "\u0000", "\u0007\t", "\ud800"]) {
    expect([none, registration({ employeeNumber: none })]).toEqual([
      none,
      expect.objectContaining({ employeeNumber: null }),
    ]);
  }
  expect(registration({ employeeNumber: " 0042 " })).toMatchObject({ employeeNumber: "0042" });
  expect(registration({ employeeNumber: "x".repeat(201) })).toEqual({
    employeeNumber: "Employee number must be at most 200 characters",
  });
});

test("a registration keeps its four values and drops all others", () => {
  expect(registration({ isAdmin: true, id: 1, resetToken: "x" })).toEqual({
    email: "kari@example.com",
    password: "23 45 678",
    name: null,
    employeeNumber: null,
  });
});
