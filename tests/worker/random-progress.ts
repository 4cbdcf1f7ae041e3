import type { NotCounted } from "#app/certification/progress.ts";
import type { TargetItem } from "#app/certification/targets.table.ts";
import { METHODS, STATUSES, type Status, TARGET_UNITS } from "#app/db/enumerations.ts";
import { addDays } from "#app/ui/calendar-date.ts";
import { pick, randomFrom } from "#demo/random.ts";

const LIVE = STATUSES.filter((status) => status !== "deleted");

/** Random logs and targets, and a count of their progress that shares no code with the app: record by record, day by day. */

/** A record of either kind, with what progress depends on. */
export interface LoggedRecord {
  kind: "entry" | "rope_hour";
  date: string;
  method: string | null;
  hours: number;
  status: Status;
  broughtForward: boolean;
}

export interface RandomTarget {
  since: string | null;
  items: TargetItem[];
}

export interface RandomLog {
  records: LoggedRecord[];
  targets: RandomTarget[];
}

/** A log of up to 60 records around `today`, with long days, and up to four targets. */
export function randomLog(seed: number, today: string): RandomLog {
  const next = randomFrom(seed);
  const upTo = (most: number) => Math.floor(next() * (most + 1));
  const first = 400 - upTo(390); // so that some logs have many long days
  const day = () => addDays(today, upTo(first + 20) - first);
  const records = Array.from({ length: upTo(60) }, (): LoggedRecord => {
    const kind = next() < 0.8 ? "entry" : "rope_hour";
    return {
      kind,
      date: day(),
      method: kind === "entry" ? pick(next, METHODS) : null,
      hours: next() < 0.05 ? 26 : (10 + upTo(1200)) / 100,
      status: pick(next, LIVE),
      broughtForward: kind === "entry" && next() < 0.05,
    };
  });
  const targets = Array.from({ length: upTo(4) }, () => ({
    since: next() < 0.3 ? null : day() > today ? today : addDays(today, -upTo(first)),
    items: Array.from({ length: 1 + upTo(3) }, () => randomItem(next)),
  }));
  return { records, targets };
}

function randomItem(next: () => number): TargetItem {
  const kind = next() < 0.8 ? "entry" : "rope_hour";
  const unit = pick(next, kind === "entry" ? TARGET_UNITS : (["hours", "months"] as const));
  const methods = METHODS.filter(() => next() < 0.4);
  const required = unit === "months" ? 100 * (1 + Math.floor(next() * 8)) : 1 + Math.floor(next() * 20_000);
  return {
    title: "Item",
    clause: "",
    unit,
    kind,
    required,
    methods: kind === "entry" ? (methods.length > 0 ? methods : ["MT"]) : [],
  };
}

/** The statements that store a log, in one batch. */
export function storeLog(db: D1Database, userId: number, { records, targets }: RandomLog): D1PreparedStatement[] {
  const isVerified = "value ->> 'status' = 'verified'";
  return [
    db
      .prepare(
        `INSERT INTO records (user_id, kind, date, end_date, location, method, hours, brought_forward, fields, verified,
            verified_by, verified_at, verified_via, requested_at, declined_at, search, created_at)
          SELECT ?, value ->> 'kind', value ->> 'date', iif(value ->> 'kind' = 'rope_hour', date(value ->> 'date', '20 days'), NULL),
            'Rig', value ->> 'method', CAST(round(value ->> 'hours' * 100) AS INTEGER), value ->> 'broughtForward',
            iif(value ->> 'kind' = 'rope_hour', '{"skills":"Rescue"}', '{}'), ${isVerified}, iif(${isVerified}, 'Ola', NULL),
            iif(${isVerified}, 1, NULL), iif(${isVerified}, 'link', NULL), iif(value ->> 'status' = 'requested', 1, NULL),
            iif(value ->> 'status' = 'declined', 1, NULL), '', 0 FROM json_each(?)`,
      )
      .bind(userId, JSON.stringify(records)),
    db
      .prepare(
        `INSERT INTO targets (user_id, title, standard, source, since, submission, created_at)
          SELECT ?, key, '', '', value ->> 'since', key, 0 FROM json_each(?) ORDER BY key`,
      )
      .bind(userId, JSON.stringify(targets)),
    db
      .prepare(
        `INSERT INTO target_items SELECT targets.id, item.key, item.value ->> 'title', '', item.value ->> 'unit',
          item.value ->> 'kind', item.value -> 'methods', item.value ->> 'required'
          FROM json_each(?) AS target JOIN targets ON user_id = ? AND submission = CAST(target.key AS TEXT)
          JOIN json_each(target.value -> 'items') AS item`,
      )
      .bind(JSON.stringify(targets), userId),
  ];
}

interface Counted {
  verified: number;
  waiting: number;
  remaining: number;
  estimate: string | null;
  notCounted: NotCounted[];
}

/** Counts an item's progress over the records of a log. Amounts are in hundredths. */
export function countProgress(item: TargetItem, since: string | null, records: LoggedRecord[], today: string): Counted {
  const own = records.filter(
    ({ kind, method }) => kind === item.kind && (method === null || (item.methods as string[]).includes(method)),
  );
  const reasons = new Map<NotCounted["reason"], NotCounted>();
  const leaveOut = (reason: NotCounted["reason"], count: number, hundredths: number) => {
    const sum = reasons.get(reason) ?? { reason, records: 0, hundredths: 0 };
    reasons.set(reason, { reason, records: sum.records + count, hundredths: sum.hundredths + hundredths });
  };
  const counted = own.filter(({ date, status, hours, broughtForward }) => {
    const reason =
      (date > today && "in_the_future") ||
      (since !== null && date < since && "before_since") ||
      (status === "declined" && "declined") ||
      (item.unit === "months" && broughtForward && "brought_forward");
    if (reason) leaveOut(reason, 1, Math.round(hours * 100));
    return !reason;
  });
  const { verified, all, cut, cutRecords } = measure(item, counted);
  if (cut > 0) leaveOut("over_12_hours_a_day", cutRecords, cut);
  const remaining = item.required > verified ? item.required - verified : 0;
  const recent = own.filter(
    ({ date, status, broughtForward }) =>
      status === "verified" && !broughtForward && date <= today && date >= addDays(today, -89),
  );
  const pace = measure(item, recent).verified;
  const days = Math.ceil((remaining * 90) / (item.unit === "months" && pace > 300 ? 300 : pace));
  const order = ["in_the_future", "before_since", "declined", "over_12_hours_a_day", "brought_forward"];
  return {
    verified,
    waiting: all - verified,
    remaining,
    estimate: remaining === 0 || pace === 0 || days > 3650 ? null : addDays(today, days),
    notCounted: [...reasons.values()].sort((one, other) => order.indexOf(one.reason) - order.indexOf(other.reason)),
  };
}

/** What records come to in an item's unit, and the hours above 12 a day. */
function measure({ unit }: TargetItem, records: LoggedRecord[]) {
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
    total.verified += Math.min(1200, sum(day.filter(isVerified))) + sum(brought.filter(isVerified));
    total.all += Math.min(1200, sum(day)) + sum(brought);
    const over = Math.max(0, sum(day) - 1200);
    total.cut += over;
    if (over > 0) total.cutRecords += day.length;
  }
  return { ...total, verified: Math.floor(total.verified / 7), all: Math.floor(total.all / 7) };
}
