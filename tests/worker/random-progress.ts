import { addDays } from "#app/calendar-date.ts";
import type { NotCounted, Part, PartProgress } from "#app/certification/progress.ts";
import type { TargetItem } from "#app/certification/targets.table.ts";
import { METHODS, STATUSES, type Status } from "#app/db/enumerations.ts";
import { pick, randomFrom } from "#demo/random.ts";

const LIVE = STATUSES.filter((status) => status !== "deleted");

/** Random logs and targets, and a count of their progress that shares no code with the app: record by record, day by day. */

/** A record of hours, with what progress depends on. */
export interface LoggedRecord {
  kind: "entry" | "rope_hour" | "training";
  /** The level of training; the level that an entry was worked as. */
  level?: string | null;
  /** The purpose of rope hours. */
  purpose?: string | null;
  date: string;
  method: string | null;
  hours: number;
  status: Status;
  broughtForward: boolean;
}

/** A certificate, an examination or a vision test. */
export interface LoggedCertificate {
  category: string;
  issuedOn: string;
  expiresOn: string | null;
  method: string | null;
  level: string | null;
  part: string | null;
  standard?: string | null;
  /** In hundredths. */
  score: number | null;
  status: Status;
}

export interface RandomTarget {
  since: string | null;
  items: TargetItem[];
}

export interface RandomLog {
  records: LoggedRecord[];
  certificates?: LoggedCertificate[];
  targets: RandomTarget[];
}

/** A log of up to 60 records around `today`, with long days, and up to four targets. */
export function randomLog(seed: number, today: string): RandomLog {
  const next = randomFrom(seed);
  const upTo = (most: number) => Math.floor(next() * (most + 1));
  const first = 400 - upTo(390); // so that some logs have many long days
  const day = () => addDays(today, upTo(first + 20) - first);
  const records = Array.from({ length: upTo(60) }, (): LoggedRecord => {
    const kind = next() < 0.7 ? "entry" : next() < 0.6 ? "rope_hour" : "training";
    return {
      kind,
      date: next() < 0.1 ? addDays(day(), -800) : day(),
      method: kind === "entry" || (kind === "training" && next() < 0.9) ? pick(next, METHODS) : null,
      level: kind === "rope_hour" ? null : pick(next, [null, "Level I", "Level II"] as const),
      purpose: kind === "rope_hour" ? pick(next, [null, "work", "training"] as const) : null,
      hours: next() < 0.05 ? 26 : (10 + upTo(1200)) / 100,
      status: pick(next, LIVE),
      broughtForward: kind === "entry" && next() < 0.05,
    };
  });
  const certificates = Array.from({ length: upTo(25) }, () => randomCertificate(next, today));
  const targets = Array.from({ length: upTo(4) }, () => ({
    since: next() < 0.3 ? null : day() > today ? today : addDays(today, -upTo(first)),
    items: Array.from({ length: 1 + upTo(5) }, () => randomItem(next)),
  }));
  return { records, certificates, targets };
}

/** Few methods, levels and parts, so that some logs have every part of an examination. */
const TESTED = ["MT", "UTSW"] as const;
const LEVELS_TESTED = ["Level I", "Level II"] as const;
/** Two spellings of one standard, another one, and one that is both. */
const STANDARDS_TYPED = [
  "ISO 9712:2021",
  "din en iso 9712",
  "SNT-TC-1A",
  "SNT-TC-1A / ISO 9712",
  "WP-01 Rev 3",
] as const;
const STANDARDS_ASKED = { "ISO 9712": /9712/, "SNT-TC-1A (2020)": /SNT/, "wp 01": /WP/, IRATA: /IRATA/ };
const PARTS_TESTED = ["general", "specific", "practical"] as const;

function randomCertificate(next: () => number, today: string): LoggedCertificate {
  const category = pick(next, ["examination", "examination", "certificate", "near_vision", "colour_vision"] as const);
  const isVision = category.endsWith("vision");
  const issuedOn = next() < 0.1 ? "2024-02-29" : addDays(today, 5 - Math.floor(next() * 1_500));
  return {
    category,
    issuedOn,
    expiresOn: next() < 0.5 ? null : addDays(issuedOn, Math.floor(next() * 1_500)),
    method: isVision || next() < 0.2 ? null : pick(next, TESTED),
    level: isVision || next() < 0.2 ? null : pick(next, LEVELS_TESTED),
    part: category === "examination" ? pick(next, PARTS_TESTED) : null,
    standard: next() < 0.1 ? null : pick(next, STANDARDS_TYPED),
    score: category === "examination" && next() < 0.9 ? 6_000 + Math.floor(next() * 4_001) : null,
    status: next() < 0.6 ? "verified" : pick(next, LIVE),
  };
}

const BLANK = {
  ...{ title: "Item", clause: "", methods: [], category: null, part: null, level: null, withinYears: null },
  ...{ workedAs: null, standard: null },
};

function randomItem(next: () => number): TargetItem {
  const at = next();
  const withinYears = next() < 0.3 ? pick(next, [1, 2, 5] as const) : null;
  const level = next() < 0.5 ? null : pick(next, LEVELS_TESTED);
  if (at > 0.65) {
    const unit = pick(next, ["valid", "valid", "score", "average", "elapsedMonths"] as const);
    const methods = next() < 0.3 ? [] : next() < 0.5 ? [...TESTED] : [pick(next, TESTED)];
    const standard = next() < 0.6 ? null : pick(next, Object.keys(STANDARDS_ASKED));
    const of = { ...BLANK, kind: "certificate", unit, methods, level, standard };
    if (unit === "score") return { ...of, part: pick(next, PARTS_TESTED), required: 7_000 };
    if (unit === "average") return { ...of, required: 8_000 };
    const required = unit === "valid" ? 100 : 100 * (1 + Math.floor(next() * 40));
    if (unit === "elapsedMonths") return { ...of, category: "certificate", required };
    const category = pick(next, ["certificate", "near_vision", "colour_vision"] as const);
    return category === "certificate"
      ? { ...of, category, required, withinYears }
      : { ...of, category, required, withinYears, methods: [], level: null, standard: null };
  }
  const kind = at < 0.4 ? "entry" : at < 0.5 ? "rope_hour" : "training";
  const units = { entry: ["hours", "days", "months"], rope_hour: ["hours", "months"], training: ["hours", "days"] };
  const unit = pick(next, units[kind]) as TargetItem["unit"];
  const methods = METHODS.filter(() => next() < 0.4);
  return {
    ...BLANK,
    unit,
    kind,
    required:
      unit === "months"
        ? 100 * (1 + Math.floor(next() * 8))
        : 1 + Math.floor(next() * (kind === "training" ? 4_000 : 20_000)),
    methods: kind === "rope_hour" ? [] : methods.length > 0 || kind === "training" ? methods : ["MT"],
    level: kind === "training" ? level : null,
    category: kind === "rope_hour" && next() < 0.5 ? "work" : null,
    workedAs: kind === "entry" && next() < 0.4 ? pick(next, LEVELS_TESTED) : null,
    withinYears,
  };
}

/** The statements that store a log, in one batch. */
export function storeLog(
  db: D1Database,
  userId: number,
  { records, certificates = [], targets }: RandomLog,
): D1PreparedStatement[] {
  const isVerified = "value ->> 'status' = 'verified'";
  return [
    db
      .prepare(
        `INSERT INTO records (user_id, kind, date, end_date, location, method, hours, brought_forward, fields, verified,
            verified_by, verified_at, verified_via, requested_at, declined_at, search, created_at, level, subtype)
          SELECT ?, value ->> 'kind', value ->> 'date', iif(value ->> 'kind' = 'entry', NULL, date(value ->> 'date', '20 days')),
            iif(value ->> 'kind' = 'training', NULL, 'Rig'), value ->> 'method', CAST(round(value ->> 'hours' * 100) AS INTEGER), value ->> 'broughtForward',
            iif(value ->> 'kind' = 'entry', iif(value ->> 'level' IS NULL, '{}',
              json_object('details', json_object('workedAs', value ->> 'level'))), json_object('skills', 'Rescue', 'course', 'UT', 'organization', 'NI',
              'details', iif(value ->> 'purpose' IS NULL, json('{}'), json_object('purpose', value ->> 'purpose')))), ${isVerified}, iif(${isVerified}, 'Ola', NULL),
            iif(${isVerified}, 1, NULL), iif(${isVerified}, 'link', NULL), iif(value ->> 'status' = 'requested', 1, NULL),
            iif(value ->> 'status' = 'declined', 1, NULL), '', 0, value ->> 'level', value ->> 'purpose' FROM json_each(?)`,
      )
      .bind(userId, JSON.stringify(records)),
    db
      .prepare(
        `INSERT INTO records (user_id, kind, date, end_date, method, level, subtype, part, score, standard, fields, verified,
            verified_by, verified_at, verified_via, requested_at, declined_at, search, created_at)
          SELECT ?, 'certificate', value ->> 'issuedOn', value ->> 'expiresOn', value ->> 'method', value ->> 'level',
            value ->> 'category', value ->> 'part', value ->> 'score', value ->> 'standard', '{"title":"Paper"}', ${isVerified},
            iif(${isVerified}, 'Ola', NULL), iif(${isVerified}, 1, NULL), iif(${isVerified}, 'link', NULL),
            iif(value ->> 'status' = 'requested', 1, NULL), iif(value ->> 'status' = 'declined', 1, NULL), '', 0
          FROM json_each(?) ORDER BY key`,
      )
      .bind(userId, JSON.stringify(certificates)),
    db
      .prepare(
        `INSERT INTO targets (user_id, title, standard, source, since, submission, created_at)
          SELECT ?, key, '', '', value ->> 'since', key, 0 FROM json_each(?) ORDER BY key`,
      )
      .bind(userId, JSON.stringify(targets)),
    db
      .prepare(
        `INSERT INTO target_items (target_id, position, title, clause, unit, record_kind, methods, required, category, part,
            level, within_years, worked_as, standard)
          SELECT targets.id, item.key, item.value ->> 'title', '', item.value ->> 'unit',
          item.value ->> 'kind', item.value -> 'methods', item.value ->> 'required', item.value ->> 'category',
          item.value ->> 'part', item.value ->> 'level', item.value ->> 'withinYears', item.value ->> 'workedAs',
          item.value ->> 'standard'
          FROM json_each(?) AS target JOIN targets ON user_id = ? AND submission = CAST(target.key AS TEXT)
          JOIN json_each(target.value -> 'items') AS item`,
      )
      .bind(JSON.stringify(targets), userId),
  ];
}

interface Counted {
  verified: number;
  waiting: number;
  requested: number;
  endsOn: string | null;
  remaining: number;
  estimate: string | null;
  notCounted: NotCounted[];
}

/** Counts an item's progress over the records of a log. Amounts are in hundredths. */
export function countProgress(item: TargetItem, since: string | null, records: LoggedRecord[], today: string): Counted {
  const own = records.filter(
    ({ kind, method, level = null }) =>
      kind === item.kind &&
      (method === null ? item.methods.length === 0 : (item.methods as string[]).includes(method)) &&
      (item.level === null || item.level === level),
  );
  const isOfOtherLevel = ({ level = null }: LoggedRecord) => item.workedAs !== null && item.workedAs !== level;
  const isTraining = ({ purpose }: LoggedRecord) => item.category === "work" && purpose === "training";
  const reasons = new Map<NotCounted["reason"], NotCounted>();
  const leaveOut = (reason: NotCounted["reason"], count: number, hundredths: number) => {
    const sum = reasons.get(reason) ?? { reason, records: 0, hundredths: 0 };
    reasons.set(reason, { reason, records: sum.records + count, hundredths: sum.hundredths + hundredths });
  };
  const counted = own.filter((record) => {
    const { date, status, hours, broughtForward } = record;
    const reason =
      (date > today && "in_the_future") ||
      (since !== null && date < since && "before_since") ||
      (item.withinYears !== null && anniversary(date, item.withinYears) < today && "too_old") ||
      (status === "declined" && "declined") ||
      (isOfOtherLevel(record) && "other_level") ||
      (isTraining(record) && "training_hours") ||
      (item.unit === "months" && broughtForward && "brought_forward");
    if (reason) leaveOut(reason, 1, Math.round(hours * 100));
    return !reason;
  });
  const { verified, all, cut, cutRecords } = measure(item, counted);
  const { all: asked } = measure(
    item,
    counted.filter(({ status }) => status !== "pending"),
  );
  if (cut > 0) leaveOut("over_12_hours_a_day", cutRecords, cut);
  const remaining = item.required > verified ? item.required - verified : 0;
  const recent = own.filter(
    (record) =>
      !isOfOtherLevel(record) &&
      !isTraining(record) &&
      record.status === "verified" &&
      !record.broughtForward &&
      record.date <= today &&
      record.date >= addDays(today, -89),
  );
  const dates = recent.map(({ date }) => date).sort();
  const isPace = dates.length >= 4 && addDays(dates[0] ?? "", 28) <= (dates.at(-1) ?? "");
  const pace = measure(item, recent).verified;
  const days = Math.ceil((remaining * 90) / (item.unit === "months" && pace > 300 ? 300 : pace));
  const order = ["in_the_future", "before_since", "too_old", "declined"];
  order.push("other_level", "training_hours", "over_12_hours_a_day", "brought_forward");
  return {
    verified,
    waiting: all - verified,
    requested: asked - verified,
    endsOn: null,
    remaining,
    estimate: remaining === 0 || !isPace || days > 3650 ? null : addDays(today, days),
    notCounted: [...reasons.values()].sort((one, other) => order.indexOf(one.reason) - order.indexOf(other.reason)),
  };
}

/** Returns the sum of records in an item's unit, and the hours above 12 a day. */
function measure({ unit, kind }: TargetItem, records: LoggedRecord[]) {
  const sum = (list: LoggedRecord[]) => list.reduce((total, { hours }) => total + Math.round(hours * 100), 0);
  const isVerified = ({ status }: LoggedRecord) => status === "verified";
  const none = { cut: 0, cutRecords: 0 };
  if (unit === "months") {
    const months = (list: LoggedRecord[]) => 100 * new Set(list.map(({ date }) => date.slice(0, 7))).size;
    return { verified: months(records.filter(isVerified)), all: months(records), ...none };
  }
  if (unit === "hours") return { verified: sum(records.filter(isVerified)), all: sum(records), ...none };
  const total = { verified: 0, all: 0, ...none };
  for (const date of new Set(records.map(({ date }) => date))) {
    const day = records.filter((record) => record.date === date && !record.broughtForward);
    const brought = records.filter((record) => record.date === date && record.broughtForward);
    const most = kind === "entry" ? 1200 : Number.POSITIVE_INFINITY; // a course is not work of one day
    total.verified += Math.min(most, sum(day.filter(isVerified))) + sum(brought.filter(isVerified));
    total.all += Math.min(most, sum(day)) + sum(brought);
    const over = kind === "entry" ? Math.max(0, sum(day) - 1200) : 0;
    total.cut += over;
    if (over > 0) total.cutRecords += day.length;
  }
  return { ...total, verified: Math.floor(total.verified / 7), all: Math.floor(total.all / 7) };
}

/** The last day of some years that begin on a date: those that begin on 29 February end on 28 February. */
function anniversary(date: string, years: number): string {
  const [year = 0, ...rest] = date.split("-");
  const end = Number(year) + years;
  const isLeap = end % 4 === 0 && (end % 100 !== 0 || end % 400 === 0);
  return `${end}-${rest.join("-") === "02-29" && !isLeap ? "02-28" : rest.join("-")}`;
}

/** Counts the progress of an item that asks for certificates or marks, record by record. */
export function countCertificates(
  item: TargetItem,
  items: TargetItem[],
  certificates: LoggedCertificate[],
  today: string,
): Counted {
  const hasTerm = item.unit === "valid" || item.unit === "elapsedMonths";
  const isHigher = (level: string | null) => hasTerm && level === "Level II" && item.level === "Level I";
  const isOf = ({ method, level, category, issuedOn, status, part }: LoggedCertificate) =>
    (item.unit !== "score" || part === item.part) &&
    category === (item.category ?? "examination") &&
    (method === null ? item.methods.length === 0 : (item.methods as string[]).includes(method)) &&
    (!item.level || item.level === level || isHigher(level)) &&
    issuedOn <= today &&
    status !== "declined";
  const wanted = certificates.filter(isOf);
  const pattern = Object.entries(STANDARDS_ASKED).find(([name]) => name === item.standard)?.[1];
  const own = wanted.filter(({ standard }) => !pattern || pattern.test((standard ?? "").toUpperCase()));
  const others = wanted.filter((one) => !own.includes(one) && (hasTerm || one.score !== null)).length;
  const steps = [["verified"], ["verified", "requested"], ["verified", "requested", "pending"]].map((statuses) =>
    own.filter(({ status }) => statuses.includes(status)),
  );
  const [verified = 0, asked = 0, all = 0] = steps.map((some) => amountOfSome(item, items, some, own, today));
  const first = (steps[0] ?? []).map(({ issuedOn }) => issuedOn).sort()[0];
  const ends = (some: LoggedCertificate[] = []) => some.map((one) => lastDay(one, item.withinYears)).sort();
  const end = ends(steps[0]).at(-1) ?? "";
  const endsOn = item.unit === "valid" ? (end >= today ? end : (ends(steps[2]).at(-1) ?? "")) : "";
  const isCounting = item.unit === "elapsedMonths" && first !== undefined && verified < item.required;
  const failed = item.unit === "average" ? failedParts(item, items, own).length : 0;
  return {
    verified,
    waiting: all - verified,
    requested: asked - verified,
    endsOn: /^\d/.test(endsOn) ? endsOn : null,
    remaining: Math.max(0, item.required - verified),
    estimate: isCounting ? firstDayWith(first, item.required / 100) : null,
    notCounted: [
      { reason: "failed_part" as const, records: failed, hundredths: 0 },
      { reason: "other_standard" as const, records: others, hundredths: 0 },
    ].filter(({ records }) => records > 0),
  };
}

function lastDay({ issuedOn, expiresOn }: LoggedCertificate, years: number | null): string {
  const days = [expiresOn ?? "never", years === null ? "never" : anniversary(issuedOn, years)].sort();
  return days[0] ?? "never";
}

/** Returns the amount of some of the certificates. `own` are all of them, of which the latest examination counts. */
function amountOfSome(
  item: TargetItem,
  items: TargetItem[],
  some: LoggedCertificate[],
  own: LoggedCertificate[],
  today: string,
): number {
  if (item.unit === "valid") return some.some((one) => lastDay(one, item.withinYears) >= today) ? 100 : 0;
  if (item.unit === "elapsedMonths")
    return Math.max(0, ...some.map(({ issuedOn }) => 100 * monthsUntil(issuedOn, today)));
  if (item.unit === "score") return markIn(item.part, some, own) ?? 0;
  const marks = PARTS_TESTED.map((part) => markIn(part, some, own));
  if (marks.includes(null) || failedParts(item, items, own, some).length > 0) return 0;
  return Math.floor(marks.reduce<number>((sum, mark) => sum + (mark ?? 0), 0) / 3);
}

function markIn(part: string | null, some: LoggedCertificate[], own: LoggedCertificate[]): number | null {
  const latest = (list: LoggedCertificate[]) =>
    list
      .filter((one) => one.part === part && one.score !== null)
      .reduce<LoggedCertificate | null>((last, one) => (last && last.issuedOn > one.issuedOn ? last : one), null);
  const [counted, last] = [latest(some), latest(own)];
  return counted && last ? Math.min(counted.score ?? 0, last.score ?? 0) : null;
}

function failedParts(item: TargetItem, items: TargetItem[], own: LoggedCertificate[], some = own) {
  return PARTS_TESTED.filter((part) => {
    const same = (one: TargetItem) =>
      one.level === item.level && one.standard === item.standard && String(one.methods) === String(item.methods);
    const mark = markIn(part, some, own);
    return (
      mark !== null &&
      items.some((one) => one.unit === "score" && one.part === part && same(one) && mark < one.required)
    );
  });
}

/** Counts how many months after a day have passed, one by one. */
function monthsUntil(from: string, today: string): number {
  let months = 0;
  while (firstDayWith(from, months + 1) <= today) months += 1;
  return months;
}

/** The same day of a later month, or the first of the one after if the month is too short. */
function firstDayWith(from: string, months: number): string {
  let [year = 0, month = 1] = from.split("-").map(Number);
  for (let passed = 0; passed < months; passed += 1) {
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
  }
  const text = `${year}-${String(month).padStart(2, "0")}-${from.slice(8)}`;
  const isDay = new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
  return isDay ? text : month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, "0")}-01`;
}

/** The state of each part of a target, from the count of its items. */
export function countParts(items: { item: TargetItem; counted: Counted }[], today: string): PartProgress[] {
  const partOf = ({ kind, unit, category }: TargetItem): Part => {
    if (kind === "training") return "training";
    if (["score", "average"].includes(unit)) return "examinations";
    return category === "near_vision" || category === "colour_vision" ? "vision" : "experience";
  };
  return (["training", "experience", "examinations", "vision"] as const).map((part) => {
    const own = items.filter(({ item }) => partOf(item) === part);
    const missing = (more: "requested" | "waiting" | null) =>
      own.filter(({ item, counted }) => counted.verified + (more ? counted[more] : 0) < item.required).length;
    if (own.length === 0) return { part, state: "none", endsOn: null };
    if (missing("waiting") > 0) return { part, state: "missing", endsOn: null };
    if (missing("requested") > 0) return { part, state: "waiting", endsOn: null };
    if (missing(null) > 0) return { part, state: "requested", endsOn: null };
    const ends = own.flatMap(({ counted }) => counted.endsOn ?? []).sort();
    const endsOn = ends[0] ?? null;
    return { part, state: endsOn && endsOn <= addDays(today, 90) ? "ends_soon" : "met", endsOn };
  });
}
