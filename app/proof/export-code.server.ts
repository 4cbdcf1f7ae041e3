import { createHash, createHmac } from "node:crypto";

/**
 * The code of an export: 16 characters of Crockford's base 32 (80 bits) and a check character, shown as
 * `ABCD-EFGH-JKMN-PQRS-T`.
 */

/** Crockford's digits: without I, L, O and U. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The characters of a code before its check character. */
const LENGTH = 16;

/** The bytes that a code is made from. */
export const CODE_BYTES = 10;

/** The message for a code with a wrong check character, or text that is no code. */
export const MISTYPED = "This code is mistyped: a character is wrong, missing or swapped. Compare it with the paper.";

/*
 * The check character. Digits are elements of the field GF(32), of polynomials over GF(2) modulo x^5 + x^2 + 1, in which x
 * generates all 31 elements but 0. A code c[0..16] is valid if the sum of x^i c[i] is 0.
 * - One wrong character changes the sum by x^i (a - b), which is not 0, because a differs from b.
 * - Two different characters a and b that are swapped, at any places i and j, change it by (x^i - x^j)(a - b), which is not 0,
 *   because the powers x^0 to x^16 are all different.
 */

const MODULUS = 0b100101;

function timesX(element: number): number {
  const product = element << 1;
  return product & 32 ? product ^ MODULUS : product;
}

/** The sum of x^i c[i], by Horner's rule from the last digit. */
function checkSum(digits: readonly number[]): number {
  return digits.reduceRight((sum, digit) => timesX(sum) ^ digit, 0);
}

/** The digit at the place after `digits` that makes their sum 0. */
function checkDigit(digits: readonly number[]): number {
  return [...DIGITS].findIndex((_, digit) => checkSum([...digits, digit]) === 0);
}

/** The code of ten bytes, as it is shown. */
export function codeFromBytes(bytes: Uint8Array): string {
  const bits = [...bytes.subarray(0, CODE_BYTES)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const digits = Array.from({ length: LENGTH }, (_, place) => Number.parseInt(bits.slice(place * 5, place * 5 + 5), 2));
  const text = [...digits, checkDigit(digits)].map((digit) => DIGITS[digit]).join("");
  return text.replace(/(.{4})(?=.)/g, "$1-");
}

/**
 * The code that a person typed or a camera read, as it is shown; null if it is mistyped. Case, dashes and spaces do not
 * matter; I and L are read as 1, and O as 0.
 */
export function parseCode(text: string): string | null {
  if (text.length > LONGEST_TEXT) return null;
  const plain = text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s\p{Pd}\u2212\u200b]/gu, "")
    .replace(/[IL]/g, "1")
    .replace(/O/g, "0");
  const digits = [...plain].map((character) => DIGITS.indexOf(character));
  if (digits.length !== LENGTH + 1 || digits.includes(-1) || checkSum(digits) !== 0) return null;
  return plain.replace(/(.{4})(?=.)/g, "$1-");
}

/** Longer text is no code in any spelling. */
const LONGEST_TEXT = 200;

/**
 * The code of an export, as it is shown: an HMAC by SESSION_SECRET of its id and nonce, with a check character. It is made
 * again when needed, and only its hash is stored. After SESSION_SECRET was changed, older codes cannot be made again, but with
 * the secret of before (`EARLIER_SECRETS`); they can still be checked.
 */
export function exportCode(secret: string, id: number, nonce: string): string {
  const subject = JSON.stringify(["export", id, nonce]);
  return codeFromBytes(createHmac("sha256", secret).update(subject).digest().subarray(0, CODE_BYTES));
}

/** The hash by which a check finds the export of a code, as `parseCode` returns it. */
export function hashCode(code: string): string {
  return createHash("sha256").update(`export code ${code}`).digest("hex");
}

/** The address of the page where a code is checked, which its QR code contains. */
export function checkUrl(origin: string, code: string): string {
  return `${origin}/c/${code}`;
}
