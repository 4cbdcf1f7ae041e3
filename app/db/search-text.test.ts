import { expect, test } from "vitest";
import { searchText } from "./search-text.ts";

// Catches SQLite's own lower(), which leaves `ŁÓDŹ` as it is.
test("search text is in lower case in every alphabet", () => {
  expect(searchText("ŁÓDŹ")).toBe("łódź");
  expect(searchText("ΑΘΗΝΑ")).toBe("αθηνα");
  expect(searchText("Oslo", "MT")).toBe("oslo\nmt");
});

test("letters that look alike in other code points are found by either", () => {
  expect(searchText("Zoe\u0308")).toBe(searchText("Zoë"));
  expect(searchText("ＵＴ　Ｔｈｋ")).toBe("ut thk");
  expect(searchText("ﬁeld")).toBe("field");
});

test("what is missing is left out, so a search never finds the word null", () => {
  expect(searchText(null, "a@example.com", null)).toBe("a@example.com");
  expect(searchText(null, "")).toBe("");
});

test("parts do not run into each other", () => {
  expect(searchText("Oslo", "MT").includes("lom")).toBe(false);
});

// Catches 500 places of U+FDFA, each 18 times as long in here: more than D1 takes as one value.
test("search text is at most three times as long as what it is made from, and ends with a whole character", () => {
  expect(searchText("\ufdfa".repeat(200))).toHaveLength(600);
  expect(searchText("\ufdfa")).toHaveLength(18);
  expect(searchText(`${"\ufdfa".repeat(33)}`)).toHaveLength(100);
  // 199 characters and then pairs of halves: the cut at 216 is inside of one.
  const pairs = searchText(`${"\ufdfa".repeat(11)}a${"\u{10428}".repeat(30)}`);
  expect([pairs.length, pairs.at(-1)]).toEqual([215, "\udc28"]);
});
