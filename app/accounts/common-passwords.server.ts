import list from "./common-passwords.json" with { type: "json" };

/*
 * Common passwords (OWASP ASVS 5.0, 6.2.4 and 6.2.11). The list is stored beside this file, so that no password is sent to
 * a third party.
 */

/** The most common passwords of 8 characters or more, in lower case; ASVS requires 3,000. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(list.passwords);

/** Words of this product and its field (ASVS: context-specific words): refused as passwords, alone or with digits or signs after them. */
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

/** Whether a password is a common one, in upper or lower case, or a context word. */
export function isCommonPassword(password: string): boolean {
  const plain = password.normalize("NFKC").toLowerCase();
  const letters = plain.replace(/[\s_-]+/g, "").replace(/[\d\W]+$/, "");
  return COMMON_PASSWORDS.has(plain) || CONTEXT_WORDS.includes(letters);
}
