import { addMonths, formatDate } from "#app/calendar-date.ts";
import type { Certificate } from "./certificate.kind.ts";
import { standardNames } from "./standards.ts";

/** The longest terms of the schemes, in months: 5 years for a certificate, 3 years in rope access. */
const CERTIFICATE_MONTHS = 60;
const ROPE_MONTHS = 36;
const NEAR_VISION_MONTHS = 12;
const COLOUR_VISION_MONTHS = 60;

/** Whether a standard, as it was typed, is one of rope access. */
export function isRopeAccess(standard: string | null): boolean {
  return standardNames(standard).some((name) => name === "IRATA" || name === "SPRAT");
}

type Termed = Pick<Certificate, "category" | "standard" | "issuedOn" | "expiresOn">;

/** The longest term that the scheme of a certificate or test gives, in months; null for what no scheme limits. */
function longestTerm({ category, standard }: Termed): number | null {
  if (category === "near_vision") return NEAR_VISION_MONTHS;
  if (category === "colour_vision") return COLOUR_VISION_MONTHS;
  if (category !== "certificate") return null;
  return isRopeAccess(standard) ? ROPE_MONTHS : CERTIFICATE_MONTHS;
}

/** Asks about a term that is longer than the scheme's, which is said and never refused; null for any other. */
export function longTermText(record: Termed): string | null {
  const { issuedOn, expiresOn, category } = record;
  const months = longestTerm(record);
  // The day of issue five years later is within the term: many papers give it as the last day.
  if (months === null || expiresOn === null || expiresOn <= addMonths(issuedOn, months)) return null;
  const term = months > 12 ? `${months / 12} years` : `${months} months`;
  const what = category === "certificate" ? "a certificate of this scheme" : "such a test";
  return `It expires on ${formatDate(expiresOn)}, and ${what} is valid for ${term} at most. Is the date right?`;
}
