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
