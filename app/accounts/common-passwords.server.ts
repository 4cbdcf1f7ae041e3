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

/** Characters in the order in which people type a run: digits, letters, and rows of QWERTY, QWERTZ and AZERTY keyboards. */
const RUNS = [
  "1234567890",
  "abcdefghijklmnopqrstuvwxyz",
  ...["qwertyuiop", "asdfghjkl", "zxcvbnm,./", "qwertzuiop", "yxcvbnm,.-", "azertyuiop", "qsdfghjklm"],
];

/** Whether a password is one character repeated, or a run of `RUNS` in either direction, which may begin again at its end. */
export function isPlainRun(password: string): boolean {
  const typed = [...password.normalize("NFKC").toLowerCase()];
  const isRun = (run: string, step: 1 | -1) =>
    typed.every((character, index) => {
      const from = run.indexOf(typed[index - 1] ?? "");
      return run.includes(character) && (index === 0 || run.at((from + step) % run.length) === character);
    });
  return new Set(typed).size === 1 || RUNS.some((run) => isRun(run, 1) || isRun(run, -1));
}
