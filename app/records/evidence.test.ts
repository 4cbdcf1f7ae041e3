import { expect, test } from "vitest";
import { STANDARDS, standardNames } from "./certificates/standards.ts";
import { isSameName } from "./evidence.ts";

test("names are compared as people would: without case, by single spaces, in any form of Unicode", () => {
  const decomposed = "A\u030Ase O\u0308degard";
  for (const [one, other] of [
    ["Kari Nordmann", "kari  NORDMANN "],
    ["Kari\u00A0Nordmann", "Ka\u200Dri Nordmann"],
    ["\u00C5se \u00D6degard", decomposed],
    ["\uFF2Bari", "Kari"],
  ] as const) {
    expect([one, isSameName(one, other)]).toEqual([one, true]);
  }
  for (const [one, other] of [
    ["Kari Nordmann", "Kari Nordman"],
    ["Kari", "Kari Nordmann"],
    ["", ""],
    [null, null],
    [null, "Kari"],
  ] as const) {
    expect([one, isSameName(one, other)]).toEqual([one, false]);
  }
});

test("a name is the same without its spaces, points and what cannot be seen", () => {
  const others = [
    "AnnaExperienced",
    "Anna Experienced.",
    "anna\u2800experienced",
    "Anna\u3164Experienced",
    "Anna\u200BExperienced",
    "An\u00ADna Experienced",
  ];
  for (const other of others) expect([other, isSameName("Anna Experienced", other)]).toEqual([other, true]);
  for (const other of ["Anna Experiences", "Ann Experienced", "Änna Experienced", "", "..."]) {
    expect([other, isSameName("Anna Experienced", other)]).toEqual([other, false]);
  }
  expect(isSameName("...", "-")).toBe(false);
});

// Catches a look-alike letter, by which the sentence *The supervisor has the technician's name* was left out.
test("names with letters of other scripts that look alike are one name", () => {
  for (const [one, other] of [
    ["Ola Hansen", "Ola Hans\u0435n"],
    ["OLA HANSEN", "\u039fL\u0391 H\u0410NSEN"],
    ["Bet Komp", "\u0412\u0415\u0422 \u041a\u041e\u041c\u0420"],
  ] as const) {
    expect([one, isSameName(one, other)]).toEqual([one, true]);
  }
  expect(isSameName("Иван Петров", "Иван Смирнов")).toBe(false);
});

test("a standard is the same however it is typed, with or without its edition", () => {
  for (const [name, ...typed] of [
    [
      "ISO 9712",
      "ISO 9712:2021",
      "EN ISO 9712",
      "DIN EN ISO 9712:2012-12",
      "iso9712",
      "ISO\u00a09712",
      "PCN",
      "ＩＳＯ ９７１２",
    ],
    ["SNT-TC-1A", "SNT-TC-1A:2020", "ASNT SNT TC 1A", "snt-tc-ia", "SNT–TC–1A"],
    ["NAS 410", "NAS410 Rev 5", "EN 4179:2021", "NAS 410 / EN 4179"],
    ["CP-189", "ANSI/ASNT CP-189-2020"],
    ["IRATA", "IRATA International", "irata ICOP"],
    ["SPRAT", "SPRAT"],
  ]) {
    for (const one of typed) expect([one, standardNames(one)]).toEqual([one, [name]]);
  }
  expect(standardNames("CAN/CGSB-48.9712")).toEqual(["ISO 9712", "CGSB"]);
  expect(standardNames("SNT-TC-1A and CP-189")).toEqual(["SNT-TC-1A", "CP-189"]);
  // Other standards are compared by their text.
  expect(standardNames("Northgate WP-01 rev. 3")).toEqual(standardNames("northgate wp 01"));
  expect(standardNames("WP-01")).not.toEqual(standardNames("WP-02"));
  expect(standardNames("2020")).toEqual(["2020"]);
  for (const none of [null, "", " – "]) expect(standardNames(none)).toEqual([]);
  for (const offered of STANDARDS) expect(standardNames(offered)).not.toEqual([]);
});
