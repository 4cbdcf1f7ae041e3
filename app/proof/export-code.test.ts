import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { CODE_BYTES, codeFromBytes, parseCode } from "./export-code.server.ts";

/*
 * Seen to fail: with the modulus x^5 + 1, in which the powers of x repeat after five, the swaps of characters that are 5, 10 or
 * 15 places apart and some others; with all weights 1, every swap; without the NFKC form, full-width letters; without the
 * check of the length, an added character.
 */

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const codes = Array.from({ length: 1_000 }, () => codeFromBytes(randomBytes(CODE_BYTES)).replaceAll("-", ""));

test("a code has 16 characters of 80 bits and a check character, in groups of four", () => {
  expect(codeFromBytes(new Uint8Array(10))).toBe("0000-0000-0000-0000-0");
  expect(codeFromBytes(new Uint8Array(10).fill(255))).toMatch(/^ZZZZ-ZZZZ-ZZZZ-ZZZZ-[0-9A-Z]$/);
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{17}$/);
  expect(new Set(codes).size).toBe(codes.length);
});

test("every code is read as itself", () => {
  expect(codes.filter((code) => parseCode(code)?.replaceAll("-", "") !== code)).toEqual([]);
});

test("every single wrong character of every code is found, at every place", () => {
  const missed = codes.flatMap((code) =>
    [...code].flatMap((right, place) =>
      [...DIGITS].filter(
        (wrong) => wrong !== right && parseCode(code.slice(0, place) + wrong + code.slice(place + 1)) !== null,
      ),
    ),
  );
  expect(missed).toEqual([]);
});

test("every swap of two different characters is found, of neighbours and of any others", () => {
  const missed = codes.flatMap((code) =>
    [...code].flatMap((one, place) =>
      [...code].slice(place + 1).flatMap((other, index) => {
        const swapped = [...code];
        swapped[place] = other;
        swapped[place + 1 + index] = one;
        return one !== other && parseCode(swapped.join("")) !== null ? [`${code}: ${place}`] : [];
      }),
    ),
  );
  expect(missed).toEqual([]);
});

test("a missing or an added character is no code", () => {
  for (const code of codes.slice(0, 50)) {
    for (const text of [code.slice(1), code.slice(0, -1), `${code}0`, `0${code}`]) expect(parseCode(text)).toBeNull();
  }
});

test("any spelling is read: lower case, dashes, spaces, full-width letters, and I, L and O", () => {
  const code = "7Z10-0000-0000-0000";
  const valid = [...DIGITS].map((digit) => `${code}-${digit}`).find((text) => parseCode(text)) ?? "";
  const plain = valid.replaceAll("-", "");
  const spellings = [
    plain,
    plain.toLowerCase(),
    valid.toLowerCase(),
    valid.replaceAll("-", " "),
    valid.replaceAll("-", "–"),
    valid.replaceAll("-", " \u2212 "),
    ` ${valid}\n`,
    plain.replace("1", "I"),
    plain.replace("1", "l"),
    plain.replaceAll("0", "o"),
    plain.replace(/[0-9A-Z]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0)),
  ];
  for (const text of spellings) expect([text, parseCode(text)]).toEqual([text, valid]);
});

test("a text that is no code in any spelling is mistyped", () => {
  for (const text of ["", "-", "U".repeat(17), "ABCD", "0000-0000-0000-0000-1", "é".repeat(17), "0".repeat(5_000)]) {
    expect(parseCode(text)).toBeNull();
  }
});
