import { expect, test } from "vitest";
import { commonStart, normalizeMailbox, searchText } from "./plain-text.ts";

// Catches SQLite's own lower(), which does not change `ŁÓDŹ`.
test("search text is lower case in every alphabet", () => {
  expect(searchText("ŁÓDŹ")).toBe(searchText("łódź"));
  expect(searchText("ΑΘΗΝΑ")).toBe("αθηνα");
  expect(searchText("Oslo", "MT")).toBe("oslo\nmt");
});

test("a search needs no accents", () => {
  expect(searchText("Szczęsny")).toBe("szczesny");
  expect(searchText("ŁÓDŹ, Kårstø, Straße, Ångström, İzmir")).toBe("lodz, karsto, strasse, angstrom, izmir");
  expect(searchText("한국어, ガス")).toBe("한국어, ガス".normalize("NFKC"));
});

test("a search needs no certain dash or quotation mark", () => {
  expect(searchText("O’Brien – ‘A’ „B“ 6″")).toBe(`o'brien - 'a' "b" 6"`);
  expect(searchText("A−1, O´Neil")).toBe("a-1, o'neil");
});

test("letters with compatible code points match each other", () => {
  expect(searchText("Zoe\u0308")).toBe(searchText("Zoë"));
  expect(searchText("ＵＴ　Ｔｈｋ")).toBe("ut thk");
  expect(searchText("ﬁeld")).toBe("field");
});

test("a missing value is left out, so that a search never finds the word null", () => {
  expect(searchText(null, "a@example.com", null)).toBe("a@example.com");
  expect(searchText(null, "")).toBe("");
});

test("a search never matches across two values", () => {
  expect(searchText("Oslo", "MT").includes("lom")).toBe(false);
});

// 500 times U+FDFA, each 18 characters long here: more than D1 takes as one value.
test("search text is at most twice as long as its source, and ends with a whole character", () => {
  expect(searchText("\ufdfa".repeat(200))).toHaveLength(400);
  expect(searchText("\ufdfa")).toHaveLength(18);
  expect(searchText(`${"\ufdfa".repeat(33)}`)).toHaveLength(100);
  // 127 characters and then surrogate pairs: the cut at 136 falls inside a pair.
  const pairs = searchText(`${"\ufdfa".repeat(7)}a${"\u{10428}".repeat(30)}`);
  expect([pairs.length, pairs.at(-1)]).toEqual([135, "\udc28"]);
});

test("addresses that deliver to one mailbox are counted as one", () => {
  for (const [address, mailbox] of [
    ["ola@example.org", "ola@example.org"],
    ["ola+1@example.org", "ola@example.org"],
    ["ola+a+b@example.org", "ola@example.org"],
    ["o.la@example.org", "o.la@example.org"],
    ["o.l.a+x@gmail.com", "ola@gmail.com"],
    ["ola@googlemail.com", "ola@gmail.com"],
    ["+ola@example.org", "+ola@example.org"],
    ["ola+x@Bücher.example", "ola@xn--bcher-kva.example"],
    ["ola@bu\u0308cher.example.", "ola@xn--bcher-kva.example"],
    ["OLA@XN--BCHER-KVA.example", "ola@xn--bcher-kva.example"],
    ["o.la@ｇｍａｉｌ.com", "ola@gmail.com"],
  ] as const) {
    expect([address, normalizeMailbox(address)]).toEqual([address, mailbox]);
  }
});

test("every stored spelling of a mailbox begins with what they have in common", () => {
  for (const [start, ...spellings] of [
    ["o.la", "o.la@example.org", "o.la+1@example.org"],
    ["+ola", "+ola@example.org", "+ola+1@example.org"],
    ["p", "per@gmail.com", "p.e.r+ndt@googlemail.com", "per+old@gmail.com"],
  ] as const) {
    for (const spelling of spellings) {
      expect([spelling, commonStart(normalizeMailbox(spelling))]).toEqual([spelling, start]);
      expect(spelling.startsWith(start)).toBe(true);
    }
  }
});
