import { addMonths, daysBetween, isCalendarDate, wholeMonths } from "#app/calendar-date.ts";
import { LEVELS, type Status } from "#app/db/enumerations.ts";
import { standardNames } from "#app/records/certificates/standards.ts";
import { ESTIMATE_DAYS_MAX } from "./amounts.ts";
import { type Issued, isWaiting } from "./progress-rows.ts";
import type { TargetItem } from "./targets.table.ts";

/**
 * How far the items are that ask for certificates, examinations and vision tests. They are
 * judged by today, whatever a target's `since` is: a test of before it is valid until it ends.
 */

/** What counts towards such an item, in hundredths of its unit, as `ItemProgress`. */
interface CertificateAmounts {
  verified: number;
  waiting: number;
  requested: number;
  /** The last day on which what must be valid is, or was; null if it never ends, or if there is none. */
  endsOn: string | null;
  /** The day on which the months are reached, if they are counted from a verified certificate and it is not too far away. */
  estimate: string | null;
  /** How many parts of an average are failed. */
  failed: number;
  /** How many records would be asked for, were they not of another standard. */
  ofOtherStandards: number;
}

/** With the names of its standard, under which it is compared (`standardNames`). */
interface Named extends Issued {
  names: string[];
}

/** The certificates and tests with the names of their standards, which are read once for all items. */
export function withNames(issued: readonly Issued[]): Named[] {
  return issued.map((one) => ({ ...one, names: standardNames(one.standard) }));
}

/** What is to the standard of an item, and how many records are to another one. */
function splitByStandard({ standard }: TargetItem, asked: Named[]) {
  if (standard === null) return { own: asked, ofOtherStandards: 0 };
  const names = standardNames(standard);
  const isOfStandard = (one: Named) => one.names.some((name) => names.includes(name));
  return {
    own: asked.filter(isOfStandard),
    ofOtherStandards: asked.filter((one) => !isOfStandard(one) && isAccepted(one.status)).length,
  };
}

type Counts = (status: Status) => boolean;

const VALID = 100;

/** The parts that an average is of: for Level III the method has two names, by the standard. */
const PARTS_OF_AVERAGE = [["general"], ["specific"], ["practical"]];
const PARTS_OF_LEVEL_THREE = [["basic"], ["method", "main_method"], ["specific"]];

const isVerified: Counts = (status) => status === "verified";
const isAsked: Counts = (status) => status === "verified" || status === "requested";
const isAccepted: Counts = (status) => status === "verified" || isWaiting({ status });

/**
 * `items` are those of the target: an average is not met if a part is below the mark that one of them asks for. `issued` are
 * the certificates and tests of `withNames`, the newest first.
 */
export function certificateAmounts(
  item: TargetItem,
  items: readonly TargetItem[],
  issued: readonly Named[],
  today: string,
): CertificateAmounts {
  if (item.unit === "valid" || item.unit === "elapsedMonths") {
    const asked = issued.filter((one) => one.category === item.category && isOf(item, one));
    const { own, ofOtherStandards } = splitByStandard(item, asked);
    const none = { endsOn: null, estimate: null, failed: 0, ofOtherStandards };
    return { ...none, ...(item.unit === "valid" ? validity(own, item, today) : monthsSince(own, item, today)) };
  }
  const parts =
    item.unit === "score" ? [[item.part ?? ""]] : item.level === "Level III" ? PARTS_OF_LEVEL_THREE : PARTS_OF_AVERAGE;
  const isMark = ({ category, part, score }: Issued) =>
    category === "examination" && score !== null && part !== null && parts.flat().includes(part);
  const asked = issued.filter((one) => isMark(one) && isOf(item, one));
  const { own, ofOtherStandards } = splitByStandard(item, asked);
  const none = { endsOn: null, estimate: null, failed: 0, ofOtherStandards };
  if (item.unit === "score") return { ...none, ...amountsFrom((counts) => markOf(own, [item.part ?? ""], counts)) };
  const isFailed = (part: string[], mark: number | null) => mark !== null && mark < leastMark(part, item, items);
  return {
    ...none,
    ...amountsFrom((counts) => {
      const found = parts.map((part) => ({ part, mark: markOf(own, part, counts) }));
      if (found.some(({ part, mark }) => mark === null || isFailed(part, mark))) return null;
      return Math.floor(found.reduce((sum, { mark }) => sum + (mark ?? 0), 0) / parts.length);
    }),
    failed: parts.filter((part) => isFailed(part, markOf(own, part, isAccepted))).length,
  };
}

/**
 * Whether a record has an item's method and level: an item without methods asks for records without one. Who holds a
 * certificate holds those of lower levels; an examination is of its level alone.
 */
function isOf({ methods, level, unit }: TargetItem, record: Pick<Issued, "method" | "level">): boolean {
  const isOfMethod = record.method === null ? methods.length === 0 : methods.includes(record.method);
  if (!isOfMethod || level === null || record.level === level) return isOfMethod;
  const isTerm = unit === "valid" || unit === "elapsedMonths";
  return isTerm && record.level !== null && LEVELS.indexOf(record.level) > LEVELS.indexOf(level);
}

/**
 * The amounts of a value that is read among the verified records, those that a supervisor has or is asked for, and all. Each
 * is at least the one before.
 */
function amountsFrom(read: (counts: Counts) => number | null) {
  const verified = read(isVerified) ?? 0;
  return {
    verified,
    waiting: (read(isAccepted) ?? 0) - verified,
    requested: (read(isAsked) ?? 0) - verified,
  };
}

/** Sorts behind every date: it never ends. */
const NEVER = "9999-99-99";

/**
 * The last day on which a certificate or test counts, by its own end and by the years after its day of issue. A year after
 * 29 February has passed on 28 February: the 29th then sorts as that day.
 */
function lastDay({ issuedOn, expiresOn }: Issued, withinYears: number | null): string {
  const end = expiresOn ?? NEVER;
  if (withinYears === null) return end;
  const years = String(Number(issuedOn.slice(0, 4)) + withinYears).padStart(4, "0") + issuedOn.slice(4);
  return years < end ? years : end;
}

function validity(own: Named[], { withinYears }: TargetItem, today: string) {
  const ends = own.map((one) => ({ status: one.status, day: lastDay(one, withinYears) }));
  const latest = (counts: Counts) =>
    ends.reduce((last, { status, day }) => (counts(status) && day > last ? day : last), "");
  const last = latest(isVerified) >= today ? latest(isVerified) : latest(isAccepted);
  return {
    ...amountsFrom((counts) => (latest(counts) >= today ? VALID : 0)),
    endsOn: last === NEVER || last === "" ? null : isCalendarDate(last) ? last : last.replace("-29", "-28"),
  };
}

function monthsSince(own: Named[], { required }: TargetItem, today: string) {
  const first = (counts: Counts) => own.findLast(({ status }) => counts(status))?.issuedOn;
  const months = (day: string | undefined) => (day ? 100 * wholeMonths(day, today) : 0);
  const issued = first(isVerified);
  const reached = issued && months(issued) < required ? addMonths(issued, required / 100) : null;
  return {
    ...amountsFrom((counts) => months(first(counts))),
    estimate: reached && daysBetween(today, reached) <= ESTIMATE_DAYS_MAX ? reached : null,
  };
}

/**
 * The mark of a part. The latest examination counts: one that nobody has verified yet can lower a verified mark, and never
 * raise it. Null if there is none.
 */
function markOf(marks: Named[], parts: readonly string[], counts: Counts): number | null {
  const ofPart = marks.filter(({ part, status }) => parts.includes(part ?? "") && isAccepted(status));
  const [last, counted] = [ofPart[0], ofPart.find(({ status }) => counts(status))];
  return last && counted ? Math.min(counted.score ?? 0, last.score ?? 0) : null;
}

/** The least mark of a part that the target's items ask for, of the same method and level. */
function leastMark(
  part: readonly string[],
  { methods, level, standard }: TargetItem,
  items: readonly TargetItem[],
): number {
  const same = items.filter(
    (one) =>
      one.unit === "score" &&
      part.includes(one.part ?? "") &&
      one.level === level &&
      one.standard === standard &&
      one.methods.join() === methods.join(),
  );
  return Math.max(0, ...same.map(({ required }) => required));
}
