import { daysBetween, formatDate } from "#app/calendar-date.ts";
import { METHOD_FACTS, type Method } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { counted } from "#app/ui/counted.ts";
import type { Certificate } from "./certificate.kind.ts";
import { isRopeAccess } from "./terms.ts";

/** The first and the last day of verified work in a calendar month, in a method; null for rope hours. */
export interface WorkedMonth {
  method: Method | null;
  first: string;
  last: string;
}

/** The continuity of work, which bodies require at a renewal. */
export interface Continuity {
  /** The last day of verified work; null without any since the certificate was issued. */
  last: string | null;
  /** How many calendar months have some. */
  months: number;
  /** The most days from one day of work to the next one, as far as months tell: in a month it is not looked for. */
  gap: number;
}

/** The verified work from a day on, until another; `worked` may be in any order and have several methods in a month. */
export function continuityOf(worked: readonly WorkedMonth[], from: string, until: string): Continuity {
  const own = worked
    .filter(({ first, last }) => last >= from && first <= until)
    .map(({ first, last }) => ({ first: first < from ? from : first, last: last > until ? until : last }))
    .sort((one, other) => (one.first < other.first ? -1 : 1));
  let [before, gap] = [from, 0];
  for (const { first, last } of own) {
    gap = Math.max(gap, daysBetween(before, first));
    if (last > before) before = last;
  }
  return {
    last: own.length > 0 ? before : null,
    months: new Set(own.map(({ first }) => first.slice(0, 7))).size,
    gap: Math.max(gap, daysBetween(before, until)),
  };
}

/** A gap of fewer days says nothing: months are compared, and not days. */
const GAP_MIN = 31;

/**
 * The continuity of a certificate in a method or in rope access, in a sentence; null for others. Work in a technique is work in its
 * method. After its end, or once it is revoked, nothing is counted.
 */
export function continuityText(
  certificate: Pick<Certificate, "category" | "method" | "standard" | "issuedOn" | "expiresOn" | "revokedOn">,
  worked: readonly WorkedMonth[],
  today: string,
): string | null {
  const { category, method, standard, issuedOn, expiresOn, revokedOn } = certificate;
  if (category !== "certificate" || issuedOn > today || !(method || isRopeAccess(standard))) return null;
  const own = worked.filter((one) =>
    method && one.method
      ? one.method === method || METHOD_FACTS[one.method].techniqueOf === method
      : method === one.method,
  );
  const until = [today, expiresOn ?? today, revokedOn ?? today].sort()[0] ?? today;
  const { last, months, gap } = continuityOf(own, issuedOn, until);
  const work = method ? `${methodLabel(method)} work` : "rope access";
  if (last === null) return `No verified ${work} since it was issued`;
  const longest = gap < GAP_MIN ? "" : `, longest gap ${counted(gap, "day")}`;
  return `Verified ${work} in ${counted(months, "month")} since it was issued, last on ${formatDate(last)}${longest}`;
}
