import { expect, test } from "vitest";
import { characters, email, optionalText, text } from "./fields.ts";

const location = text({ required: "Location is required", label: "Location" });
const skills = text({ required: "Skills are required", label: "Skills", max: 2000, multiline: true });

/** The value, or the first message. */
function read(schema: { safeParse(value: unknown): { data?: unknown; error?: { issues: { message: string }[] } } }) {
  return (value: unknown) => {
    const { data, error } = schema.safeParse(value);
    return error ? `! ${error.issues[0]?.message}` : data;
  };
}

test("characters are counted as a person counts an emoji, and as SQLite's length() does: by code point", () => {
  expect(["", "abc", "😀", "é", "e\u0301"].map(characters)).toEqual([0, 3, 1, 1, 2]);
});

test("required text is trimmed and not blank", () => {
  expect(read(location)("  Mongstad \n")).toBe("Mongstad");
  for (const blank of [
    undefined,
    null,
    "",
    " ",
    "\t\n",
    "\u00a0",
    "\u200b",
    "\ufeff",
    "\u2060 \u200d",
    "\u0000",
    7,
    {},
  ]) {
    expect([blank, read(location)(blank)]).toEqual([blank, "! Location is required"]);
  }
});

test("required text has at most 200 characters after trimming, counted by code point", () => {
  expect(read(location)(` ${"x".repeat(200)} `)).toHaveLength(200);
  expect(read(location)("😀".repeat(200))).toBe("😀".repeat(200));
  expect(read(location)("x".repeat(201))).toBe("! Location must be at most 200 characters");
  expect(read(location)("x".repeat(10_000))).toBe("! Location must be at most 200 characters");
  expect(read(skills)("x".repeat(2000))).toHaveLength(2000);
  expect(read(skills)("x".repeat(2001))).toBe("! Skills must be at most 2,000 characters");
});

test("a line of text holds no control characters and no half of a character", () => {
  expect(read(location)("a\u0000b\r\nc\u001b[31md")).toBe("a b c [31md");
  expect(read(location)("a\ud800b")).toBe("a b");
  expect(read(skills)("one\ntwo\u0000three")).toBe("one\ntwo three");
});

test("hostile text is text", () => {
  for (const hostile of ["<script>alert(1)</script>", "'; DROP TABLE entries;--", "=1+1", "{{7*7}}", "../../etc"]) {
    expect(read(location)(hostile)).toBe(hostile);
  }
});

test("text that may be left out is null when missing or blank", () => {
  const nickname = optionalText("Nickname", { min: 2, tooShort: "Too short" });
  for (const none of [undefined, null, "", " ", "\u200b", "\u0001"]) {
    expect([none, read(nickname)(none)]).toEqual([none, null]);
  }
  expect(read(nickname)(" Bo ")).toBe("Bo");
  expect(read(nickname)("B")).toBe("! Too short");
  expect(read(nickname)(7)).toBe("! Nickname must be text");
});

test("an e-mail address is trimmed and in lower case, with the message of its form", () => {
  expect(read(email("Wrong"))(" A.B+c@Example.COM ")).toBe("a.b+c@example.com");
  for (const wrong of [
    undefined,
    "",
    "a",
    "a@b",
    "a@b@c.com",
    "a b@c.com",
    "a@exa mple.com",
    `${"x".repeat(250)}@e.co`,
  ]) {
    expect([wrong, read(email("Wrong"))(wrong)]).toEqual([wrong, "! Wrong"]);
  }
});
