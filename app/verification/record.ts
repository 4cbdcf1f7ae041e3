import { kindNamed } from "#app/records/all-kinds.ts";
import { formatHours } from "#app/records/hours.ts";
import {
  countRecords,
  dateOf,
  hundredthsOf,
  isExperience,
  type Kind,
  lastDayOf,
  type RecordWithOwner,
  type ShownRecord,
} from "#app/records/kind.ts";
import { addHundredths } from "./sums.tsx";

/** A record as its supervisor sees it: with its owner's name and employee number, and no other data of the owner. */
export interface VerifiableRecord {
  kind: string;
  user: { name: string | null; employeeNumber: string | null };
  record: ShownRecord;
}

/** In the place of an owner who is not named: in a message to themself, and at a link that leads nowhere. */
export const UNNAMED: VerifiableRecord["user"] = { name: null, employeeNumber: null };

/** A stored record as its supervisor sees it. */
export function verifiableRecord(
  { name: kind }: Kind,
  { name, employeeNumber }: VerifiableRecord["user"],
  { userId: _user, owner: _owner, ...record }: RecordWithOwner,
): VerifiableRecord {
  return { kind, user: { name, employeeNumber }, record };
}

/** How many bytes the texts of a page have at most, as HTML. */
export const PAGE_BYTES = 1_800_000;

/** The first records whose texts fit on one page: all, unless they are many long texts of characters that HTML escapes. */
export function fittingOnPage<Item>(items: Item[], recordOf: (item: Item) => VerifiableRecord): Item[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    const text = JSON.stringify(recordOf(item))
      .replaceAll('\\"', "&quot;")
      .replace(/[&<>']/g, "&#x27;");
    bytes += new TextEncoder().encode(text).length;
    return index > 0 && bytes > PAGE_BYTES;
  });
  return end < 0 ? items : items.slice(0, end);
}

/** The first and the last day of some records. */
export function datesOf(records: readonly VerifiableRecord[]): [first: string, last: string] {
  const daysBy = (day: typeof dateOf) => records.map(({ kind, record }) => day(kindNamed(kind), record)).sort();
  return [daysBy(dateOf)[0] ?? "", daysBy(lastDayOf).at(-1) ?? ""];
}

/** Identifies a record among those of all kinds, in forms and in maps. */
export function itemKey(kind: string, id: number): string {
  return `${kind}:${id}`;
}

/** The path of a link's page. If it was opened with the secret of the mailed link, the path keeps it. */
export function linkPath(token: string, { searchParams }: URL): string {
  const m = searchParams.get("m");
  return `/verify/${encodeURIComponent(token)}${m === null ? "" : `?m=${encodeURIComponent(m)}`}`;
}

/** Returns the name of the supervisor who verified a record and the time, or null while it is unverified. */
export function verificationOf({ verifiedBy, verifiedAt }: ShownRecord): { by: string; at: Date } | null {
  return verifiedBy !== null && verifiedAt !== null ? { by: verifiedBy, at: verifiedAt } : null;
}

/** The message after verifying (spec section 8). */
export function thanksMessage({ kind, record }: VerifiableRecord): string {
  const noun = kindNamed(kind).noun(record);
  return `Thank you for verifying ${record.hours === undefined ? "this" : "these"} ${noun}.`;
}

/** `a certificate`, `an examination`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/**
 * Returns the amount of a request: the sum of the hours, and how many records have none. `8.0 OJT hours and 2
 * certificates`.
 */
export function amountOf(records: readonly VerifiableRecord[]): string {
  const all = records.map(({ kind: name, record }) => ({ kind: kindNamed(name), record }));
  const withHours = all.filter(({ record }) => record.hours !== undefined);
  const others = all.filter(({ record }) => record.hours === undefined);
  const hours = formatHours(addHundredths(withHours.map(({ record }) => hundredthsOf(record))) ?? 0);
  const nounOf = (some: typeof all, several: string) => {
    const [noun = several, ...more] = new Set(some.map(({ kind, record }) => kind.noun(record)));
    return more.length === 0 ? noun : several;
  };
  const noun = nounOf(others, "other record");
  return [
    withHours.length > 0 ? `${hours} ${nounOf(withHours, "hours")}` : "",
    others.length === 1 ? withArticle(noun) : others.length > 1 ? `${others.length} ${noun}s` : "",
  ]
    .filter(Boolean)
    .join(" and ");
}

/** Returns the kinds of records to confirm: completes `asks you to confirm`. */
export function askedText(records: readonly Pick<VerifiableRecord, "kind">[]): string {
  const kinds = [...new Set(records.map(({ kind }) => kind))].map(kindNamed);
  const [one, ...others] = kinds;
  if (kinds.every(isExperience)) {
    return `that they worked these hours${one && others.length === 0 ? ` of ${one.texts.work}` : ""} under your supervision`;
  }
  return (others.length === 0 && one?.texts.confirm) || "that these records are true";
}

/** Beside a record on its supervisor's page. */
export const NOT_BEGUN = "Its last day has not begun: it cannot be verified yet.";

/** Beside a record of work on its supervisor's page. */
export const LONG_AGO = "Its date is more than 10 years ago. Is the year right?";

/** Returns the note beside each of several equal records of a request: one may have been logged twice. */
export function duplicateText(kind: Kind): string {
  return isExperience(kind)
    ? "Another record here has the same date, place and hours. Was it two jobs?"
    : "Another record here says the same. Was it logged twice?";
}

/**
 * Returns the message about records that were left out of an answer: work of a day that has not begun cannot be
 * verified.
 */
export function notBegunMessage(n: number): string {
  return n === 1
    ? "1 record still waits: its last day has not begun, so it cannot be verified yet."
    : `${n} records still wait: their last day has not begun, so they cannot be verified yet.`;
}

/** The message after answering about several records. `early`: how many wait because their last day has not begun. */
export function answeredMessage(counts: { verified: number; declined: number; early?: number }): string {
  const { early = 0 } = counts;
  return early > 0 ? `${answeredText(counts)} ${notBegunMessage(early)}` : answeredText(counts);
}

function answeredText({ verified, declined }: { verified: number; declined: number }): string {
  if (verified + declined === 0) return "Nothing was saved: you left every record for later.";
  if (verified === 0) return `You declined ${countRecords(declined)}. We have told the technician.`;
  const rest = declined > 0 ? ` You declined ${declined}.` : "";
  return `Thank you for verifying ${countRecords(verified)}.${rest}`;
}

/** The record in the response of a verification call, under the key of its kind (spec section 3). */
export function recordJson({ kind, record }: VerifiableRecord): Record<string, object> {
  return { [kindNamed(kind).jsonKey]: record };
}

/**
 * The ID that the verification-complete page shows, the same at every visit: `VER-`, the last 8 digits of the time of
 * verification in milliseconds, and the first 5 characters of the token in upper case.
 */
export function verificationId(token: string, verifiedAt: Date): string {
  return `VER-${String(verifiedAt.getTime()).slice(-8)}-${token.slice(0, 5).toUpperCase()}`;
}

/** The notice for technicians who open a link that was mailed to their supervisor. */
export const OWN_NOTICE = ownNotice([]);

/** The same of these records. */
export function ownNotice(records: readonly Pick<VerifiableRecord, "kind">[]): string {
  return `${theseAreYourOwn(records)}: only the supervisor whom this email was sent to can answer.`;
}

export function theseAreYourOwn(records: readonly Pick<VerifiableRecord, "kind">[]): string {
  return `These are your own ${records.every(({ kind }) => isExperience(kindNamed(kind))) ? "hours" : "records"}`;
}
