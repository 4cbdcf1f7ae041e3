import { addDays, daysBetween, formatDate } from "#app/calendar-date.ts";
import type { TargetUnit as Unit } from "#app/db/enumerations.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { SOON_DAYS } from "#app/records/certificates/certificate.kind.ts";
import { formatHours } from "#app/records/hours.ts";
import { hasField } from "#app/records/kind.ts";
import { counted } from "#app/ui/counted.ts";
import type { StateName } from "#app/ui/page.tsx";
import { type ItemProgress, type Part, type PartProgress, partOf, type TargetProgress } from "./progress.ts";

/** The units of targets as they stand after a number. */
const SIGNS = {
  ...{ hours: "h", days: "days", months: "months", elapsedMonths: "months" },
  ...{ valid: "", score: "of 100", average: "of 100" },
} as const satisfies Record<Unit, string>;

function signOf(unit: Unit, hundredths: number): string {
  return SIGNS[unit].endsWith("s") && hundredths === 100 ? SIGNS[unit].slice(0, -1) : SIGNS[unit];
}

/** Hundredths of a unit without the unit: `195.0` hours or days, and whole months. */
export function amountText(unit: Unit, hundredths: number): string {
  if (unit === "months" || unit === "elapsedMonths") return String(Math.round(hundredths / 100));
  return unit === "hours" || unit === "days" ? formatHours(hundredths) : String(hundredths / 100);
}

/** Hundredths of a unit with it: `195.0 h`, `1 month`. */
export function amountWithUnit(unit: Unit, hundredths: number): string {
  return unit === "valid" ? "valid" : `${amountText(unit, hundredths)} ${signOf(unit, hundredths)}`;
}

/** A number of a scale, without needless decimals: `210 h`, `0.5 h`. */
export function scaleText(unit: Unit, hundredths: number): string {
  return `${hundredths / 100} ${signOf(unit, hundredths)}`;
}

/** Whether an item has a scale: an amount of hours, days or months. */
export function isMeasured({ unit, kind }: Pick<ItemProgress, "unit" | "kind">): boolean {
  return hasField(kindNamed(kind), "hours") || unit === "elapsedMonths";
}

/** When what must be valid expires, or expired; `today` is the technician's date. */
export function endText(endsOn: string, today: string): string {
  const days = daysBetween(today, endsOn);
  if (days < 0) return `expired ${formatDate(endsOn)}`;
  if (days === 0) return "expires today";
  return days <= SOON_DAYS ? `expires in ${counted(days, "day")}` : `to ${formatDate(endsOn)}`;
}

/** A number of a target's summary: how much of what, and its state in words. */
export interface Figure {
  name: string;
  /** `212` and `630 h`. */
  amount: string;
  of: string;
  /** Parts of the whole, which are at most 1 together. */
  verified: number;
  waiting: number;
  /** Into how many parts the gauge is divided: quarters of a measure, else one for each thing that is asked for. */
  divisions: number;
  /** `half`: under way, a ring filled to `percent`. */
  mark: StateName | "half" | "over";
  percent: number;
  text: string;
}

type State = Pick<Figure, "mark" | "text">;

/** The parts of a target as its summary names them. */
export const SHORT_NAMES: Record<Part, string> = {
  training: "Training",
  experience: "Experience",
  examinations: "Exams",
  vision: "Vision",
};

/** Returns a figure for each part of a target: the amount that is least far, if the part has several. */
export function figuresOf({ items, parts }: TargetProgress, today: string): Figure[] {
  return parts.flatMap((part) => {
    const own = items.filter((item) => partOf(item) === part.part);
    const measured = own.filter(isMeasured);
    const since = leastFar(measured.filter(({ unit }) => unit === "elapsedMonths"));
    const amount = leastFar(measured.filter(({ unit }) => unit !== "elapsedMonths"));
    const counts = own.filter((item) => !isMeasured(item));
    return [
      ...(amount ? [measure(SHORT_NAMES[part.part], amount)] : []),
      ...(since ? [measure("Months", since)] : []),
      ...(counts.length > 0 ? [count(part, counts, today)] : []),
    ];
  });
}

/** The amount of experience that is least far, which the sentence below the summary is about; undefined without one. */
export function leastExperience({ items }: TargetProgress): ItemProgress | undefined {
  return leastFar(
    items.filter((item) => partOf(item) === "experience" && isMeasured(item) && item.unit !== "elapsedMonths"),
  );
}

function leastFar(items: readonly ItemProgress[]): ItemProgress | undefined {
  const share = ({ verified, required }: ItemProgress) => verified / required;
  return items.reduce<ItemProgress | undefined>(
    (least, item) => (least && share(least) <= share(item) ? least : item),
    undefined,
  );
}

/** Returns the verified and the waiting part of a whole, at most all of it. */
function shares(verified: number, waiting: number, whole: number) {
  const done = Math.min(verified / whole, 1);
  // Never 100 before all is verified.
  return { verified: done, waiting: Math.min(waiting / whole, 1 - done), percent: Math.floor(done * 100) };
}

function measure(name: string, { unit, required, verified, waiting }: ItemProgress): Figure {
  const share = shares(verified, waiting, required);
  return {
    name,
    amount: String(verified / 100),
    of: scaleText(unit, required),
    ...share,
    divisions: 4,
    ...measureState(
      unit,
      verified >= required,
      verified + waiting >= required,
      verified + waiting,
      share.percent,
      waiting,
    ),
  };
}

function measureState(
  unit: Unit,
  isMet: boolean,
  isLogged: boolean,
  all: number,
  percent: number,
  waiting: number,
): State {
  if (isMet) return { mark: "done", text: "Met" };
  if (isLogged) return { mark: "requested", text: `${amountWithUnit(unit, waiting)} not verified yet` };
  return all === 0 ? NOTHING : underWay(percent);
}

const NOTHING: State = { mark: "pending", text: "Nothing logged yet" };

function underWay(percent: number): State {
  return { mark: "half", text: `In progress, ${percent}\u00a0%` };
}

/** How many certificates, tests or marks of a part are verified. The average of marks is met with them, or named. */
function count({ part }: PartProgress, own: ItemProgress[], today: string): Figure {
  const marks = own.filter(({ unit }) => unit !== "average");
  const items = marks.length > 0 ? marks : own;
  const isMet = ({ verified, required }: ItemProgress) => verified >= required;
  const met = items.filter(isMet).length;
  const waiting = items.filter((item) => !isMet(item) && item.verified + item.waiting >= item.required).length;
  const [only] = items;
  const name = part !== "experience" ? SHORT_NAMES[part] : items.length === 1 && only ? only.title : "Certificates";
  const share = shares(met, waiting, items.length);
  return {
    name,
    amount: String(met),
    of: String(items.length),
    ...share,
    divisions: items.length,
    ...countState(items, { met, waiting, percent: share.percent, isAverageMet: own.every(isMetAverage) }, today),
  };
}

const isMetAverage = ({ unit, verified, required }: ItemProgress) => unit !== "average" || verified >= required;

interface Counted {
  met: number;
  waiting: number;
  percent: number;
  isAverageMet: boolean;
}

function countState(items: ItemProgress[], { met, waiting, percent, isAverageMet }: Counted, today: string): State {
  const [first = null] = items.flatMap(({ endsOn }) => endsOn ?? []).sort();
  if (met === items.length && isAverageMet) {
    if (first === null) return { mark: "done", text: "Met" };
    return { mark: first <= addDays(today, SOON_DAYS) ? "ends" : "done", text: `Met, ${endText(first, today)}` };
  }
  if (met === items.length) return { mark: "pending", text: "Composite too low" };
  if (waiting > 0) return { mark: "requested", text: `${waiting} not verified yet` };
  if (first !== null && first < today) return { mark: "over", text: `Expired ${formatDate(first)}` };
  return items.every(({ verified, waiting }) => verified + waiting === 0) ? NOTHING : underWay(percent);
}

/** The parts that a target has no figure for, in words; null if it has all four. */
export function withoutFigures(parts: readonly PartProgress[]): string | null {
  const none = parts.filter(({ state }) => state === "none").map(({ part }) => SHORT_NAMES[part].toLowerCase());
  return none.length === 0 ? null : new Intl.ListFormat("en-GB").format(none);
}
