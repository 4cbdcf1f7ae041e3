/**
 * Finds the standards that are the same however they are typed: a certificate of `EN ISO 9712:2012` is one of `ISO
 * 9712`. This is the one place with that rule. Editions do not matter, because a certificate is valid until its own
 * end, whatever edition follows.
 */

/** Offered while a standard is typed. */
export const STANDARDS = [
  ...["SNT-TC-1A", "CP-189", "NAS 410", "EN 4179", "ISO 9712", "PCN", "CAN/CGSB-48.9712", "IRATA", "SPRAT"],
] as const;

/**
 * The standards that are recognised, by the part that their spellings share, in capitals and without signs. NAS 410 and
 * EN 4179 are one standard in two series. PCN is BINDT's certification to ISO 9712, and CAN/CGSB-48.9712 is Canada's
 * edition of it.
 */
const KNOWN: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["SNT-TC-1A", /TC[1I]A/],
  ["CP-189", /CP189/],
  ["NAS 410", /NAS410|EN4179/],
  ["ISO 9712", /9712|PCN/],
  ["CGSB", /CGSB|NRCAN/],
  ["IRATA", /IRATA/],
  ["SPRAT", /SPRAT/],
];

/** A year or a revision at the end, of a text in capitals and without signs. */
const EDITION = /(?<=.)(?:REV(?:ISION)?\w{1,3}|(?:19|20)\d\d)$/;

/**
 * The names under which a typed standard is compared: those of all known ones that the text has (a certificate to SNT-TC-1A
 * and CP-189), else the text itself, whose case, signs and edition do not matter. None for no standard.
 */
export function standardNames(typed: string | null): string[] {
  const plain = (typed ?? "")
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
  const known = KNOWN.filter(([, pattern]) => pattern.test(plain)).map(([name]) => name);
  if (known.length > 0 || plain === "") return known;
  return [plain.replace(EDITION, "")];
}
