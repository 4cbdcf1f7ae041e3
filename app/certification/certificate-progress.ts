import type { Status } from "#app/db/enumerations.ts";
import { addMonths, wholeMonths } from "#app/ui/calendar-date.ts";
import { isWaiting, type LatestMark, type ProgressRows, type TermSum } from "./progress-rows.ts";
import type { TargetItem } from "./targets.table.ts";

/**
 * How far the items are that ask for certificates, examinations and vision tests (product, "Whole progress"). They are
 * judged by today, whatever a target's `since` is: a test of before it is valid until it ends.
 */

/** What counts towards such an item, in hundredths of its unit, as `ItemProgress`. */
export interface CertificateAmounts {
  verified: number;
  waiting: number;
  requested: number;
  /** The last day on which what must be valid is, or was; null if it never ends, or if there is none. */
  endsOn: string | null;
  /** The day on which the months are reached, if they are counted from a verified certificate. */
  estimate: string | null;
  /** How many parts of an average are failed. */
  failed: number;
}

type Rows = Pick<ProgressRows, "terms" | "marks">;
type Counts = (status: Status) => boolean;

const NEVER = ":";
const VALID = 100;

/** The parts that an average is of: for Level III the method has two names, by the standard. */
const PARTS_OF_AVERAGE = [["general"], ["specific"], ["practical"]];
const PARTS_OF_LEVEL_THREE = [["basic"], ["method", "main_method"], ["specific"]];

const isVerified: Counts = (status) => status === "verified";
const isAsked: Counts = (status) => status === "verified" || status === "requested";
const isAccepted: Counts = (status) => status === "verified" || isWaiting({ status });

/** `items` are those of the target: an average is not met if a part is below the mark that one of them asks for. */
export function certificateAmounts(
  item: TargetItem,
  items: readonly TargetItem[],
  { terms, marks }: Rows,
  today: string,
): CertificateAmounts {
  const none = { endsOn: null, estimate: null, failed: 0 };
  if (item.unit === "valid" || item.unit === "elapsedMonths") {
    const years = item.withinYears ?? 0;
    const own = terms.filter((one) => one.years === years && one.category === item.category && isOf(item, one));
    return item.unit === "valid" ? validity(own, today) : { ...none, ...monthsSince(own, item, today) };
  }
  const own = marks.filter((one) => isOf(item, one));
  if (item.unit === "score") return { ...none, ...amountsFrom((counts) => markOf(own, [item.part ?? ""], counts)) };
  const parts = item.level === "Level III" ? PARTS_OF_LEVEL_THREE : PARTS_OF_AVERAGE;
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

/** Whether a record has an item's method and level: an item without methods asks for records without one. */
function isOf({ methods, level }: TargetItem, record: Pick<TermSum, "method" | "level">): boolean {
  const isOfMethod = record.method === null ? methods.length === 0 : methods.includes(record.method);
  return isOfMethod && (level === null || record.level === level);
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

function validity(own: TermSum[], today: string): CertificateAmounts {
  const latest = (counts: Counts) =>
    own.filter(({ status }) => counts(status)).reduce((last, { ends }) => (ends > last ? ends : last), "");
  const ends = latest(isVerified) >= today ? latest(isVerified) : latest(isAccepted);
  return {
    ...amountsFrom((counts) => (latest(counts) >= today ? VALID : 0)),
    endsOn: ends === NEVER || ends === "" ? null : ends,
    estimate: null,
    failed: 0,
  };
}

function monthsSince(own: TermSum[], { required }: TargetItem, today: string) {
  const first = (counts: Counts) =>
    own
      .filter(({ status }) => counts(status))
      .reduce<string | null>((day, { issuedOn }) => (day && day < issuedOn ? day : issuedOn), null);
  const months = (day: string | null) => (day ? 100 * wholeMonths(day, today) : 0);
  const issued = first(isVerified);
  return {
    ...amountsFrom((counts) => months(first(counts))),
    estimate: issued && months(issued) < required ? addMonths(issued, required / 100) : null,
  };
}

/**
 * The mark of a part. The latest examination counts: one that nobody has verified yet can lower a verified mark, and never
 * raise it. Null if there is none.
 */
function markOf(marks: LatestMark[], parts: readonly string[], counts: Counts): number | null {
  const ofPart = marks.filter(({ part, status }) => parts.includes(part) && isAccepted(status));
  const later = (one: LatestMark, other: LatestMark) => (one.order > other.order ? one : other);
  const [last] = ofPart.length > 0 ? [ofPart.reduce(later)] : [];
  const counted = ofPart.filter(({ status }) => counts(status));
  if (!last || counted.length === 0) return null;
  return Math.min(counted.reduce(later).score, last.score);
}

/** The least mark of a part that the target's items ask for, of the same method and level. */
function leastMark(part: readonly string[], { methods, level }: TargetItem, items: readonly TargetItem[]): number {
  const same = items.filter(
    (one) =>
      one.unit === "score" &&
      part.includes(one.part ?? "") &&
      one.level === level &&
      one.methods.join() === methods.join(),
  );
  return Math.max(0, ...same.map(({ required }) => required));
}
