import { addDays, daysBetween, yearsBefore } from "#app/calendar-date.ts";
import type { Level, Method, Status } from "#app/db/enumerations.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { SOON_DAYS } from "#app/records/certificates/certificate.kind.ts";
import { hasField, isCourse, isOfOneDay } from "#app/records/kind.ts";
import { othersTurn } from "#app/server/others-turn.ts";
import { amountsOf, cutOff, ESTIMATE_DAYS_MAX } from "./amounts.ts";
import { certificateAmounts, withNames } from "./certificate-progress.ts";
import {
  countOf,
  earliest,
  type LongDaySum,
  latest,
  type MonthSum,
  type ProgressRows,
  sumOf,
  withoutMonths,
} from "./progress-rows.ts";
import type { Target, TargetItem } from "./targets.table.ts";

/**
 * Why records of an item's methods do not count. A record has one reason, the first of these that applies. Nobody knows
 * in which months hours were worked that were brought forward. `other_level`: they were worked as another level than the
 * item asks for, or the record does not say as what. `other_standard`: a certificate or examination is to another standard
 * than the item asks for. `failed_part`: an average counts only if every part is passed.
 */
const REASONS = [
  "in_the_future",
  "before_since",
  "too_old",
  "declined",
  "other_level",
  "training_hours",
  "over_12_hours_a_day",
  "brought_forward",
  "failed_part",
  "other_standard",
] as const;
export type Reason = (typeof REASONS)[number];

export interface NotCounted {
  reason: Reason;
  /** How many records; of those of `over_12_hours_a_day` the other hours count. */
  records: number;
  hundredths: number;
}

/** How far an item of a target is. All amounts are in hundredths of its unit, all hours in hundredths. */
export interface ItemProgress extends TargetItem {
  verified: number;
  /** Logged and not verified; none of it is in `verified`. */
  waiting: number;
  /** Of `waiting` what a supervisor is asked to verify. */
  requested: number;
  /** Of what must be valid: the last day on which it is, or was; null if it does not end. */
  endsOn: string | null;
  /** Of those that wait: the records for which no supervisor has been asked. */
  toAsk: { records: number; hundredths: number };
  /** What is not verified yet: waiting hours do not reduce it. */
  remaining: number;
  /** The day on which the last 90 days' pace reaches the figure; null if it is reached, or if nobody can tell. */
  estimate: string | null;
  notCounted: NotCounted[];
}

/** Records that would count by their date, but that no item of the target asks for. */
interface OutsideTarget {
  kind: string;
  method: Method | null;
  records: number;
  hundredths: number;
}

/** The parts that every standard asks for, in the order of its table. */
export const PARTS = ["training", "experience", "examinations", "vision"] as const;
export type Part = (typeof PARTS)[number];

/**
 * How far a part of a target is. `met`: all that it asks for is verified; `ends_soon`: the same, and some of it ends soon.
 * `requested`: it is met once the supervisors who were asked have verified it; `waiting`: once others are asked, too.
 * `missing`: something is not even logged. `none`: it asks for nothing.
 */
export const PART_STATES = ["met", "ends_soon", "requested", "waiting", "missing", "none"] as const;
export type PartState = (typeof PART_STATES)[number];

export interface PartProgress {
  part: Part;
  state: PartState;
  /** The first day on which something that must be valid ends, if the part is met. */
  endsOn: string | null;
}

export interface TargetProgress {
  target: Target;
  items: ItemProgress[];
  parts: PartProgress[];
  outside: OutsideTarget[];
}

/** The last days from which an estimate is made, today included. */
const PACE_DAYS = 90;

/** Fewer records, or records of fewer days from the first to the last one, are no pace. */
const PACE_RECORDS_MIN = 4;
const PACE_SPAN_MIN = 28;

export function firstPaceDay(today: string): string {
  return addDays(today, 1 - PACE_DAYS);
}

/** How many items are added up before other requests have their turn. */
const AT_ONCE = 5;

/**
 * How far each item of some targets is (docs/decisions/0056-progress-in-hundredths.md). `today` is the technician's date.
 * Other requests have their turn in between: 1,000 items of a log of 20,000 records take 300 ms.
 */
export async function progressOf(
  targets: readonly Target[],
  { months, longDays, issued }: ProgressRows,
  today: string,
): Promise<TargetProgress[]> {
  const sums = withoutMonths(months);
  const days = longDays.filter(({ date, status }) => date <= today && status !== "declined");
  const certificates = withNames(issued);
  const first = firstPaceDay(today);
  const recentDays = days.filter(({ date, status }) => date >= first && status === "verified");
  const all: TargetProgress[] = [];
  let done = 0;
  for (const target of targets) {
    const items: ItemProgress[] = [];
    const since = target.since ?? "";
    const logged = { sums, months, days: days.filter(({ date }) => date >= since), recentDays, today };
    for (const item of target.items) {
      if (done > 0 && done % AT_ONCE === 0) await othersTurn();
      items.push(
        hasField(kindNamed(item.kind), "hours")
          ? itemProgress(item, since, logged)
          : certificateProgress(item, certificateAmounts(item, target.items, certificates, today)),
      );
      done += 1;
    }
    const parts = PARTS.map((part) => partProgress(part, items, today));
    all.push({ target, items, parts, outside: outsideOf(target, sums, today) });
  }
  return all;
}

/** The part of a target that an item belongs to. A certificate that is asked for stands for the level before. */
export function partOf({ kind, unit, category }: Pick<TargetItem, "kind" | "unit" | "category">): Part {
  if (isCourse(kindNamed(kind))) return "training";
  if (unit === "score" || unit === "average") return "examinations";
  return category?.endsWith("vision") ? "vision" : "experience";
}

function partProgress(part: Part, all: ItemProgress[], today: string): PartProgress {
  const items = all.filter((item) => partOf(item) === part);
  const reaches = (amount: (item: ItemProgress) => number) =>
    items.every((item) => item.verified + amount(item) >= item.required);
  if (items.length === 0) return { part, state: "none", endsOn: null };
  if (!reaches(() => 0)) {
    const state = reaches(({ requested }) => requested)
      ? "requested"
      : reaches(({ waiting }) => waiting)
        ? "waiting"
        : "missing";
    return { part, state, endsOn: null };
  }
  const [endsOn = null] = items.flatMap(({ endsOn }) => (endsOn ? [endsOn] : [])).sort();
  return { part, state: endsOn && endsOn <= addDays(today, SOON_DAYS) ? "ends_soon" : "met", endsOn };
}

function certificateProgress(item: TargetItem, amounts: ReturnType<typeof certificateAmounts>): ItemProgress {
  const { failed, ofOtherStandards, ...rest } = amounts;
  const notCounted: NotCounted[] = [
    { reason: "failed_part", records: failed, hundredths: 0 },
    { reason: "other_standard", records: ofOtherStandards, hundredths: 0 },
  ];
  return {
    ...item,
    ...rest,
    toAsk: { records: 0, hundredths: 0 },
    remaining: Math.max(0, item.required - rest.verified),
    notCounted: notCounted.filter(({ records }) => records > 0),
  };
}

/** The records that would count by their date, but that no item of a target asks for. */
function outsideOf(target: Target, sums: MonthSum[], today: string): OutsideTarget[] {
  const since = target.since ?? "";
  const isCounted = ({ from }: MonthSum) => from >= since && from <= today;
  const kinds = new Set(target.items.map(({ kind }) => kind));
  const outside = sums.filter(
    (row) =>
      kinds.has(row.kind) &&
      isCounted(row) &&
      row.status !== "declined" &&
      !target.items.some((item) => counts(item, row)),
  );
  return groupOutside(outside);
}

/** Whether an item asks for records like this one. */
function counts(item: TargetItem, { kind, method, level }: Pick<MonthSum, "kind" | "method" | "level">): boolean {
  const isOfMethod = method === null ? item.methods.length === 0 : item.methods.includes(method);
  return item.kind === kind && isOfMethod && (item.level === null || item.level === level);
}

/** Whether an item asks for hours worked as another level. The months of a level are those worked as exactly that one. */
function isOtherLevel({ workedAs }: TargetItem, { level }: { level: Level | null }): boolean {
  return workedAs !== null && level !== workedAs;
}

/** Whether an item leaves out rope hours of training: IRATA does, SPRAT does not. */
function isTrainingOnly(item: TargetItem, { purpose }: Pick<MonthSum, "purpose">): boolean {
  return item.category === "work" && purpose === "training";
}

interface Logged {
  /** The same as `months`, without the months, which only an item that counts months needs. */
  sums: MonthSum[];
  months: MonthSum[];
  /** The long days that count towards the target by their date, and those that are verified and set the pace. */
  days: LongDaySum[];
  recentDays: LongDaySum[];
  today: string;
}

function itemProgress(
  item: TargetItem,
  since: string,
  { sums, months, days: allDays, recentDays, today }: Logged,
): ItemProgress {
  const own = sums.filter((row) => counts(item, row));
  const ofItem = (rows: LongDaySum[]) =>
    item.unit === "days" && isOfOneDay(kindNamed(item.kind))
      ? rows.filter((row) => item.methods.includes(row.method) && !isOtherLevel(item, row))
      : [];
  const earliest = item.withinYears ? yearsBefore(today, item.withinYears) : "";
  const first = earliest > since ? earliest : since;
  const days = ofItem(earliest ? allDays.filter(({ date }) => date >= earliest) : allDays);
  const until = own.filter(({ from }) => from <= today);
  const dated = until.filter(({ from }) => from >= first);
  const hasNoMonths = (row: MonthSum) => item.unit === "months" && row.broughtForward === 1;
  const accepted = dated.filter(({ status }) => status !== "declined");
  const isOther = (row: MonthSum) => isOtherLevel(item, row) || isTrainingOnly(item, row);
  const isLeftOut = (row: MonthSum) => hasNoMonths(row) || isOther(row);
  const counted = accepted.filter((row) => !isLeftOut(row));
  const isCounted = (row: MonthSum) => row.from >= first && row.status !== "declined" && !isLeftOut(row);
  const withMonths = item.unit === "months" ? months.filter((row) => counts(item, row) && row.from <= today) : [];
  const rows = item.unit === "months" ? withMonths.filter(isCounted) : counted;
  const { verified, waiting } = amountsOf(item, rows, days);
  const isNotPending = ({ status }: { status: Status }) => status !== "pending";
  const { waiting: requested } = amountsOf(item, rows.filter(isNotPending), days.filter(isNotPending));
  const cut = cutOff(days);
  const toAsk = counted.filter(({ status }) => status === "pending");
  const remaining = Math.max(0, item.required - verified);
  const notCounted = [
    notCountedOf(
      "in_the_future",
      own.filter(({ from }) => from > today),
    ),
    notCountedOf(
      "before_since",
      until.filter(({ from }) => from < since),
    ),
    notCountedOf(
      "too_old",
      until.filter(({ from }) => from >= since && from < first),
    ),
    notCountedOf(
      "declined",
      dated.filter(({ status }) => status === "declined"),
    ),
    notCountedOf(
      "other_level",
      accepted.filter((row) => isOtherLevel(item, row)),
    ),
    notCountedOf(
      "training_hours",
      accepted.filter((row) => isTrainingOnly(item, row)),
    ),
    { reason: "over_12_hours_a_day" as const, records: cut.records, hundredths: cut.verified + cut.waiting },
    notCountedOf(
      "brought_forward",
      accepted.filter((row) => hasNoMonths(row) && !isOther(row)),
    ),
  ];
  return {
    ...item,
    verified,
    waiting,
    requested,
    endsOn: null,
    toAsk: { records: countOf(toAsk), hundredths: sumOf(toAsk) },
    remaining,
    estimate: estimateOf(item, remaining, {
      months: (item.unit === "months" ? withMonths : until).filter((row) => !isOther(row)),
      recentDays: ofItem(recentDays),
      today,
    }),
    notCounted: notCounted.filter(({ records }) => records > 0),
  };
}

function notCountedOf(reason: Reason, rows: MonthSum[]): NotCounted {
  return { reason, records: countOf(rows), hundredths: sumOf(rows) };
}

/**
 * Continues the verified hours of the last 90 days, whether or not the target counts them all: a pace is the person's. Hours
 * that are not verified yet are left out, because nobody knows when they will be. Null if the records are too few for a pace.
 */
function estimateOf(
  item: TargetItem,
  remaining: number,
  { months, recentDays, today }: Pick<Logged, "months" | "recentDays" | "today">,
): string | null {
  if (remaining === 0) return null;
  const since = firstPaceDay(today);
  const recent = months.filter(
    ({ status, from, broughtForward }) => status === "verified" && from >= since && !broughtForward,
  );
  const [first, last] = [earliest(recent), latest(recent)];
  if (!first || !last || countOf(recent) < PACE_RECORDS_MIN || daysBetween(first, last) < PACE_SPAN_MIN) return null;
  const { verified } = amountsOf(item, recent, recentDays);
  // 90 days touch four months, and no more than three can be added in that time.
  const pace = item.unit === "months" ? Math.min(verified, 300) : verified;
  const days = Math.ceil((remaining * PACE_DAYS) / pace);
  return pace === 0 || days > ESTIMATE_DAYS_MAX ? null : addDays(today, days);
}

function groupOutside(rows: MonthSum[]): OutsideTarget[] {
  const sums = new Map<string, OutsideTarget>();
  for (const { kind, method, records, hundredths } of rows) {
    const sum = sums.get(`${kind} ${method}`) ?? { kind, method, records: 0, hundredths: 0 };
    sums.set(`${kind} ${method}`, {
      ...sum,
      records: sum.records + records,
      hundredths: sum.hundredths + hundredths,
    });
  }
  return [...sums.values()];
}
