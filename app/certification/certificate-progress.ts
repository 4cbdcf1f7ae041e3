import { addMonths, daysBetween, isCalendarDate, wholeMonths } from "#app/calendar-date.ts";
import { LEVELS, type Status } from "#app/db/enumerations.ts";
import { standardNames } from "#app/records/certificates/standards.ts";
import { ESTIMATE_DAYS_MAX } from "./amounts.ts";
import { isWaiting, type LatestMark, NEVER, type ProgressRows, type TermSum } from "./progress-rows.ts";
import type { Target, TargetItem } from "./targets.table.ts";

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

type Rows = Pick<ProgressRows, "terms" | "marks">;

/** With the names of its standard (`standardNames`) that some item asks for, joined. */
type Named<Row> = Row & { names: string };
type NamedRows = { [list in keyof Rows]: Named<Rows[list][number]>[] };

/**
 * The rows of certificates and examinations, those together whose standards are the same to the items of the targets: a log
 * can have as many standards as certificates.
 */
export function byAskedStandard({ terms, marks }: Rows, targets: readonly Target[]): NamedRows {
  const asked = new Set(targets.flatMap(({ items }) => items.flatMap(({ standard }) => standardNames(standard))));
  const merged = <Row extends { standard: string | null; records: number }>(
    rows: Row[],
    keyOf: (row: Row) => unknown[],
    merge: (sum: Row, row: Row) => Partial<Row>,
  ): Named<Row>[] => {
    const sums = new Map<string, Named<Row>>();
    for (const row of rows) {
      const names = asked.size > 0 ? standardNames(row.standard).filter((name) => asked.has(name)) : [];
      const named = { ...row, names: names.join("\n") };
      const key = [named.names, ...keyOf(row)].join();
      const sum = sums.get(key);
      sums.set(key, sum ? { ...sum, ...merge(sum, row), records: sum.records + row.records } : named);
    }
    return [...sums.values()];
  };
  return {
    terms: merged(
      terms,
      ({ category, method, level, status }) => [category, method, level, status],
      (sum, { ends, issuedOn }) => ({
        ends: sum.ends.map((end, years) => Math.max(end, ends[years] ?? 0)),
        issuedOn: issuedOn < sum.issuedOn ? issuedOn : sum.issuedOn,
      }),
    ),
    marks: merged(
      marks,
      ({ method, level, part, status }) => [method, level, part, status],
      (sum, { order, score }) => (order > sum.order ? { order, score } : {}),
    ),
  };
}

/** What is to the standard of an item, and how many records are to another one. */
function splitByStandard<Row extends Named<{ records: number; status: Status }>>(
  { standard }: TargetItem,
  rows: Row[],
) {
  const names = standardNames(standard);
  const isOfStandard = (row: Row) => standard === null || row.names.split("\n").some((name) => names.includes(name));
  const others = rows.filter((row) => !isOfStandard(row) && isAccepted(row.status));
  return { own: rows.filter(isOfStandard), ofOtherStandards: others.reduce((sum, { records }) => sum + records, 0) };
}
type Counts = (status: Status) => boolean;

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
  { terms, marks }: NamedRows,
  today: string,
): CertificateAmounts {
  if (item.unit === "valid" || item.unit === "elapsedMonths") {
    const asked = terms.filter((one) => one.category === item.category && isOf(item, one));
    const { own, ofOtherStandards } = splitByStandard(item, asked);
    const none = { endsOn: null, estimate: null, failed: 0, ofOtherStandards };
    return { ...none, ...(item.unit === "valid" ? validity(own, item, today) : monthsSince(own, item, today)) };
  }
  const parts =
    item.unit === "score" ? [[item.part ?? ""]] : item.level === "Level III" ? PARTS_OF_LEVEL_THREE : PARTS_OF_AVERAGE;
  const asked = marks.filter((one) => parts.flat().includes(one.part) && isOf(item, one));
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
function isOf({ methods, level, unit }: TargetItem, record: Pick<TermSum, "method" | "level">): boolean {
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

/** The day of a number of `TermSum.ends`. */
function dayOf(number: number): string {
  const day = String(number).replace(/(..)(..)$/, "-$1-$2");
  return isCalendarDate(day) ? day : day.replace("-29", "-28");
}

function validity(own: TermSum[], { withinYears }: TargetItem, today: string) {
  const day = Number(today.replaceAll("-", ""));
  const latest = (counts: Counts) =>
    own
      .filter(({ status }) => counts(status))
      .reduce((last, { ends }) => Math.max(last, ends[withinYears ?? 0] ?? 0), 0);
  const ends = latest(isVerified) >= day ? latest(isVerified) : latest(isAccepted);
  return {
    ...amountsFrom((counts) => (latest(counts) >= day ? VALID : 0)),
    endsOn: ends === NEVER || ends === 0 ? null : dayOf(ends),
  };
}

function monthsSince(own: TermSum[], { required }: TargetItem, today: string) {
  const first = (counts: Counts) =>
    own
      .filter(({ status }) => counts(status))
      .reduce<string | null>((day, { issuedOn }) => (day && day < issuedOn ? day : issuedOn), null);
  const months = (day: string | null) => (day ? 100 * wholeMonths(day, today) : 0);
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
function markOf(marks: LatestMark[], parts: readonly string[], counts: Counts): number | null {
  const ofPart = marks.filter(({ part, status }) => parts.includes(part) && isAccepted(status));
  const later = (one: LatestMark, other: LatestMark) => (one.order > other.order ? one : other);
  const [last] = ofPart.length > 0 ? [ofPart.reduce(later)] : [];
  const counted = ofPart.filter(({ status }) => counts(status));
  if (!last || counted.length === 0) return null;
  return Math.min(counted.reduce(later).score, last.score);
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
