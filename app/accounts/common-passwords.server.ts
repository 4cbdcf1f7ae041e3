import { COMMON_PASSWORD_HASHES } from "./common-passwords.data.ts";

/*
 * Passwords that everybody tries first (OWASP ASVS 5.0, 6.2.4 and 6.2.11). The list is kept as hashes: it is smaller
 * and no reading matter. `npm run common-passwords` makes it from a list of words, the most common first.
 */

/** How many of the list are kept; ASVS asks for 3,000 that are long enough to be set at all. */
export const COMMON_PASSWORDS = 4_000;

/**
 * Words of this product and its field, which ASVS calls context-specific: nobody may have one of them as a password,
 * alone or with figures and signs behind it.
 */
export const CONTEXT_WORDS = [
  "hourstracker",
  "trackerhours",
  "traininghours",
  "ropehours",
  "ropeaccess",
  "ojthours",
  "technician",
  "supervisor",
  "inspection",
  "inspector",
  "radiography",
  "ultrasonic",
  "nondestructive",
  "verification",
  "welding",
];

let common: Set<number> | undefined;

/** Whether a password is one of the most common ones, however it is cased, or made of a word of this product. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(unpacked(COMMON_PASSWORD_HASHES));
  const plain = password.normalize("NFKC").toLowerCase();
  const letters = plain.replace(/[\s_-]+/g, "").replace(/[\d\W]+$/, "");
  return common.has(hashOf(plain)) || CONTEXT_WORDS.includes(letters);
}

/** FNV-1a, 32 bits: of a million other passwords it takes one for a common one. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

function unpacked(base64: string): Uint32Array {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Uint32Array(bytes.buffer);
}
