import list from "./common-passwords.json" with { type: "json" };

/*
 * Passwords that everybody tries first (OWASP ASVS 5.0, 6.2.4 and 6.2.11). The list is kept beside this file, so that no
 * password is shown to a third party.
 */

/** The most common passwords that are long enough to be set at all, in lower case; ASVS asks for 3,000. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(list.passwords);

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

/** Whether a password is one of the most common ones, in any case, or made of a word of this product. */
export function isCommonPassword(password: string): boolean {
  const plain = password.normalize("NFKC").toLowerCase();
  const letters = plain.replace(/[\s_-]+/g, "").replace(/[\d\W]+$/, "");
  return COMMON_PASSWORDS.has(plain) || CONTEXT_WORDS.includes(letters);
}
