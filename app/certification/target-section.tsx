import { Fragment, type ReactNode } from "react";
import { addDays, formatDate, formatMonth } from "#app/calendar-date.ts";
import type { ProgressPage } from "#app/certification/progress.server.ts";
import { type RecordsLink, recordsLinks } from "#app/certification/progress-links.ts";
import { METHODS, type TargetUnit as Unit } from "#app/db/enumerations.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { SOON_DAYS } from "#app/records/certificates/certificate.kind.ts";
import { formatHours } from "#app/records/hours.ts";
import { hasField, isCourse } from "#app/records/kind.ts";
import { State, type StateName } from "#app/ui/page.tsx";
import { isOjtHours, leastHours } from "./amounts.ts";
import {
  amountText,
  amountWithUnit,
  endText,
  isMeasured,
  leastExperience,
  SHORT_NAMES,
  scaleText,
  withoutFigures,
} from "./figures.ts";
import { FourParts } from "./four-parts.tsx";
import { NOTICE } from "./presets/preset.ts";
import {
  type ItemProgress,
  type Part,
  type PartProgress,
  type PartState,
  partOf,
  type Reason,
  type TargetProgress,
} from "./progress.ts";

/** The scale of a chart, in its unit: where it ends, and how far apart its long and short graduations are. */
export interface Scale {
  end: number;
  long: number;
  short: number;
}

/** Where a gauge ends: at what is required, or at a round number above what was reached, if that is more. */
export function gaugeEnd(required: number, reached: number): number {
  if (reached <= required) return required;
  const half = roundStep(reached / 4) / 2;
  return exact(Math.ceil(exact(reached / half)) * half);
}

/** The scale of a chart from 0 up, with about three long graduations. It ends at a long one. */
export function chartScale(highest: number): Scale {
  const long = roundStep(Math.max(highest, 12) / 3);
  return { end: exact(Math.max(1, Math.ceil(exact(highest / long))) * long), long, short: exact(long / 5) };
}

/** The number nearest to a step that is 1, 2 or 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const part = step / power;
  return exact((part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10) * power);
}

/** Without the last digits of floating-point arithmetic: 0.1 * 3 is 0.3. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}

/** A part of a whole as an SVG length, at most all of it: `33.33%`. */
export function percent(part: number, whole: number): string {
  return `${Math.round(Math.min(part / whole, 1) * 10_000) / 100}%`;
}

/** Returns the verified part of a figure in words, the amount apart: `60.0 of 210.0 h verified`, or `24.0 h verified, 12.0 h needed`. */
function verifiedText(unit: Unit, required: number, verified: number): [amount: string, words: string] {
  return verified > required
    ? [amountWithUnit(unit, verified), `verified, ${amountWithUnit(unit, required)} needed`]
    : [amountText(unit, verified), `of ${amountWithUnit(unit, required)} verified`];
}

/** Says which hours are logged and not verified, and whether a supervisor was asked for all of it, for some or for none. */
function waitingText(unit: Unit, waiting: number, requested: number): string {
  if (requested >= waiting) return `${amountWithUnit(unit, waiting)} requested`;
  const some = requested > 0 ? `, of which ${amountText(unit, requested)} requested` : "";
  return `${amountWithUnit(unit, waiting)} not verified yet${some}`;
}

/** A link to records in the log, as the text `all` if it is one; else one for each method. */
function RecordsLinks({ all, links }: { all: string; links: RecordsLink[] }) {
  const [first, second] = links;
  if (!second) return <a href={first?.href}>{all}</a>;
  return (
    <>
      {`${all}: `}
      {links.map(({ text, href }, index) => (
        <Fragment key={text}>
          {index > 0 && ", "}
          <a href={href}>{text}</a>
        </Fragment>
      ))}
    </>
  );
}

interface OtherTargetsProps extends Pick<ProgressPage, "hasNewer" | "older"> {
  path: string;
  className?: string;
}

/** The way to the targets that are not on this page, if there are any. */
export function OtherTargets({ path, className, hasNewer, older }: OtherTargetsProps) {
  if (!hasNewer && older === null) return null;
  return (
    <p className={className}>
      {hasNewer && <a href={path}>Newest targets</a>}{" "}
      {older !== null && <a href={`${path}?target=${older}`}>Older targets</a>}
    </p>
  );
}

interface Row {
  key: string;
  text: string;
  links: RecordsLink[];
  records: number;
  hundredths: number;
}

const NOT_COUNTED = "What does not count, and why";

/** Shows which records do not count towards a target, why, and where those records are. */
function NotCountedTable({ rows, onPaper }: { rows: Row[]; onPaper: boolean }) {
  return (
    <table className="numbers reasons" aria-label={NOT_COUNTED}>
      <thead>
        <tr>
          <th scope="col">Reason</th>
          <th scope="col">Records</th>
          <th scope="col">Hours</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, text, links, records, hundredths }) => (
          <tr key={key}>
            <th scope="row">
              {text} {!onPaper && <RecordsLinks all="Show records" links={links} />}
            </th>
            <td>{records}</td>
            <td>{formatHours(hundredths)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The hours that no item asks for: of all methods together, and of a kind without methods. */
function outsideRows({ target: { since }, outside }: TargetProgress, today: string): Row[] {
  return [...new Set(outside.map(({ kind }) => kind))].map((kind) => {
    const own = outside.filter((row) => row.kind === kind);
    const methods = METHODS.filter((method) => own.some((row) => row.method === method));
    return {
      key: kind,
      text: `${isCourse(kindNamed(kind)) ? "Training of methods or levels" : "Methods"} that are not part of this target.`,
      links: recordsLinks({ kind, methods, since, today, reason: "over_12_hours_a_day" }),
      records: own.reduce((sum, { records }) => sum + records, 0),
      hundredths: own.reduce((sum, { hundredths }) => sum + hundredths, 0),
    };
  });
}

/** The hours of each item's own methods that do not count. */
function itemRows({ target: { since }, items }: TargetProgress, today: string): Row[] {
  return items.flatMap(({ title, kind, methods, withinYears, notCounted }, index) =>
    notCounted
      .filter(({ reason }) => !IN_ITS_LINE.includes(reason))
      .map(({ reason, records, hundredths }) => ({
        key: `${index} ${reason}`,
        text: `${title}: ${REASON_TEXTS[reason](since)}`,
        links: recordsLinks({ kind, methods, since, withinYears, today, reason }),
        records,
        hundredths,
      })),
  );
}

/** The reasons that stand in the line of a certificate or mark. */
const IN_ITS_LINE: readonly Reason[] = ["failed_part", "other_standard"];

const REASON_TEXTS: Record<Reason, (since: string | null) => string> = {
  in_the_future: () => "dated in the future.",
  before_since: (since) => `dated before ${since ? formatDate(since) : "this target"}.`,
  too_old: () => "too long ago.",
  declined: () => "declined by a supervisor.",
  over_12_hours_a_day: () => "more than 12 hours on one day.",
  other_level: () => "worked as another level, or the record does not say as what.",
  training_hours: () => "rope hours of training.",
  failed_part: () => "a part is failed.",
  other_standard: () => "to another standard.",
  brought_forward: () => "previous experience, so their months are not known.",
};

interface ItemGaugeProps {
  /** What is measured, for screen readers: `UT`. */
  title: string;
  unit: Unit;
  /** In hundredths of the unit, like the next two. */
  required: number;
  verified: number;
  waiting: number;
}

/**
 * How far an item of a target is: what is verified solid, what waits hatched, and a pointer at what is required, which the scale
 * runs past where more is reached. It has no view box: across it is in percent and down in pixels, so that its text is as large
 * as the page's at every width. The style sheet draws the graduations.
 */
export function ItemGauge({ title, unit, required, verified, waiting }: ItemGaugeProps) {
  const end = gaugeEnd(required, verified + waiting);
  const at = (amount: number) => percent(amount, end);
  const pointer = required / end;
  const words = `${title}: ${verifiedText(unit, required, verified).join(" ")}, ${amountText(unit, waiting)} not verified yet`;
  return (
    <svg className="gauge" height="63" role="img" aria-label={words}>
      <rect className="track" y="10" width="100%" height="20" />
      {waiting > 0 && <rect className="requested" x={at(verified)} y="10.5" width={at(waiting)} height="19" />}
      {verified > 0 && <rect className="verified" y="10" width={at(verified)} height="20" />}
      <svg x={at(required)} aria-hidden="true">
        <path d="M-6 0H6L0 9zM-.5 9v32h1V9z" />
      </svg>
      {pointer > 0.2 && <text y="42">0</text>}
      <text className="required" x={at(required)} y="42" textAnchor={anchor(pointer)}>
        {scaleText(unit, required)}
      </text>
      {pointer < 0.7 && (
        <text x="100%" y="42" textAnchor="end">
          {end / 100}
        </text>
      )}
    </svg>
  );
}

/** Text at the pointer never leaves the gauge. */
function anchor(pointer: number): "start" | "middle" | "end" {
  if (pointer > 0.85) return "end";
  return pointer < 0.15 ? "start" : "middle";
}

/** How far away an estimate still names a part of a month, in days. */
const NEAR = 120;

/** An estimate as roughly as it is known: `mid-December 2026`, and `March 2027` if it is more than four months away. */
export function estimateText(date: string, today: string): string {
  const month = formatMonth(date);
  if (date > addDays(today, NEAR)) return month;
  const day = Number(date.slice(8));
  return `${day <= 10 ? "early" : day <= 20 ? "mid" : "late"}-${month}`.replace(/^(early|late)-/, "$1 ");
}

interface TargetItemProps {
  item: ItemProgress;
  since: string | null;
  today: string;
  onPaper: boolean;
}

/** The states of a part, as marks and in words. */
const PART_STATES: Record<Exclude<PartState, "none">, readonly [StateName, string]> = {
  met: ["done", "Met"],
  ends_soon: ["ends", "Met, expires soon"],
  requested: ["requested", "Requested"],
  waiting: ["requested", "Logged, not verified yet"],
  missing: ["pending", "In progress"],
};

const PART_NAMES: Record<Part, string> = { ...SHORT_NAMES, examinations: "Examinations" };

/** The words of a certificate's item after its title: `86 of 70`, `valid, expires in 41 days`. */
function readingOf({ unit, required, verified, waiting, endsOn, notCounted }: ItemProgress, today: string): string {
  const all = verified + waiting;
  if (unit === "valid") {
    const end = endsOn && endText(endsOn, today);
    return all > 0 ? ["valid", end].filter(Boolean).join(", ") : (end ?? "nothing logged yet");
  }
  const asked = `at least ${required / 100}`;
  if (notCounted.some(({ reason }) => reason === "failed_part")) return `a part is failed, ${asked}`;
  return all > 0 ? `${amountText(unit, Math.max(verified, all))}, ${asked}` : `nothing logged yet, ${asked}`;
}

/** The items of a part that are no hours: a mark each, and what is still missing. */
function CertificateItems({ items, today }: { items: ItemProgress[]; today: string }) {
  return (
    <ul className="marks">
      {items.map((item) => {
        const { title, clause, standard, required, verified, waiting, requested, endsOn, notCounted } = item;
        const others = notCounted.find(({ reason }) => reason === "other_standard")?.records;
        const isMet = verified >= required;
        const isWaiting = !isMet && verified + waiting >= required;
        const isEnding = isMet && endsOn !== null && endsOn <= addDays(today, SOON_DAYS);
        const state = isEnding ? "ends" : isMet ? "done" : isWaiting ? "requested" : "pending";
        const wait = isWaiting ? (verified + requested >= required ? ", requested" : ", not verified yet") : "";
        return (
          <li key={`${title} ${clause}`}>
            <State of={state}>
              <b>{title}</b>: {readingOf(item, today)}
              {wait}
            </State>
            {clause && <span className="hint"> {clause}</span>}
            {others && <span className="hint">{` (${others} not counted: not to ${standard})`}</span>}
          </li>
        );
      })}
    </ul>
  );
}

interface PartLineProps {
  progress: TargetProgress;
  part: PartProgress;
  today: string;
  onPaper: boolean;
}

/** A part of a target: its state, a gauge for each of its hours, and a mark for each certificate or test. */
function PartLine({ progress: { target, items: all }, part: { part, state }, today, onPaper }: PartLineProps) {
  const items = all.filter((item) => partOf(item) === part);
  const certificates = items.filter((item) => !isMeasured(item));
  if (state === "none") return null;
  const [mark, words] = PART_STATES[state];
  return (
    <li className="part">
      <h3>
        {PART_NAMES[part]} <State of={mark}>{words}</State>
      </h3>
      <ul>
        {items.filter(isMeasured).map((item) => (
          <TargetItem
            key={`${item.title} ${item.clause}`}
            item={item}
            since={target.since}
            today={today}
            onPaper={onPaper}
          />
        ))}
      </ul>
      {certificates.length > 0 && <CertificateItems items={certificates} today={today} />}
      {certificates.length > 0 && !onPaper && <a href="/certificates">Certificates and tests</a>}
    </li>
  );
}

function isInMonths(unit: Unit): boolean {
  return unit === "months" || unit === "elapsedMonths";
}

/** An item of a target: its numbers, a gauge, and the records that count. */
function TargetItem({ item, since, today, onPaper }: TargetItemProps) {
  const { title, clause, kind, unit, required, verified, waiting, requested, remaining, estimate, toAsk } = item;
  // Of months more than are asked for say nothing.
  const [amount, words] = verifiedText(unit, required, isInMonths(unit) ? Math.min(verified, required) : verified);
  return (
    <li className="item">
      <div>
        <h4>{title}</h4>
        {clause && <p className="hint">{clause}</p>}
        {!onPaper && hasField(kindNamed(kind), "hours") && (
          <p>
            <RecordsLinks all="Verified records" links={recordsLinks({ ...item, since, today })} />
          </p>
        )}
      </div>
      <div className="reading">
        <p>
          <b>{amount}</b> <span className="hint">{words}</span>
        </p>
        {waiting > 0 && <State of="requested">{waitingText(unit, waiting, requested)}</State>}{" "}
        {remaining === 0 ? (
          <State of="done">
            {isInMonths(unit) && verified > required
              ? `Target reached (${amountWithUnit(unit, verified)})`
              : "Target reached"}
          </State>
        ) : (
          <p className="hint">
            {`${amountWithUnit(unit, remaining)} to go. `}
            {unit === "elapsedMonths"
              ? estimate && `Reached on ${formatDate(estimate)}.`
              : estimate
                ? `Estimate: ${estimateText(estimate, today)}, at the pace of what was verified in the last 90 days.`
                : "No estimate: too little was verified in the last 90 days."}
          </p>
        )}
        {toAsk.records > 0 && unit !== "months" && !onPaper && (
          <p className="hint">
            {`${toAsk.records === 1 ? "1 record is" : `${toAsk.records} records are`} not with a supervisor. `}
            <a href="/requests/new">Request verification</a>
          </p>
        )}
      </div>
      <ItemGauge title={title} unit={unit} required={required} verified={verified} waiting={waiting} />
    </li>
  );
}

/** How many parts of those that a target has are met: `2 of 4 parts met`; of a target with one, whether it is met. */
export function partsMet(parts: readonly PartProgress[]): string {
  const own = parts.filter(({ state }) => state !== "none");
  const met = own.filter(({ state }) => state === "met" || state === "ends_soon");
  if (own.length === 1) return met.length === 1 ? "Met" : "Not met yet";
  return `${met.length} of ${own.length} parts met`;
}

/** What is to go, what of it waits, and what the target has no figures for. */
function Sentence({ progress }: { progress: TargetProgress }) {
  const item = leastExperience(progress);
  const none = withoutFigures(progress.parts);
  const hours = progress.items.filter(isOjtHours);
  // The hours of all items together, as the log says them: one that is least far can be a part of a longer one.
  const toGo =
    item && isOjtHours(item) ? leastHours(hours.map((one) => ({ ...one, amount: one.remaining }))) : item?.remaining;
  const hasMore = item && toGo;
  return (
    <p>
      {hasMore && <b>{`${amountWithUnit(item.unit, toGo)} to go. `}</b>}
      <span className="hint">
        {hasMore && item.waiting > 0 && `${waitingParts(item)} `}
        {none && `No figures for ${none}: your certification body or employer sets them. `}
        {NOTICE}
      </span>
    </p>
  );
}

/** `50.0 h requested, 18.5 h pending.` */
function waitingParts({ unit, waiting, requested }: ItemProgress): string {
  const pending = waiting - requested;
  const texts = [
    requested > 0 && `${amountWithUnit(unit, requested)} requested`,
    pending > 0 && `${amountWithUnit(unit, pending)} pending`,
  ];
  return `${texts.filter(Boolean).join(", ")}.`;
}

/** The longest source that is printed: a preset has a page of them. */
const PRINTED_MAX = 120;

function paperSource(source: string): string {
  return source.length > PRINTED_MAX
    ? "Where these figures come from: on the screen, under Progress."
    : `Source: ${source}`;
}

interface TargetSectionProps {
  progress: TargetProgress;
  today: string;
  /** Without links, which lead nowhere on paper. */
  onPaper?: boolean;
}

/** A target: how far its parts are, and behind that its items, what does not count, and where its figures come from. */
export function TargetSection({ progress, today, onPaper = false }: TargetSectionProps) {
  const { target, items, parts } = progress;
  const { id, title, since, standard, edition, source } = target;
  const heading = `target-${id}`;
  const rows = [...outsideRows(progress, today), ...itemRows(progress, today)];
  const sources = [
    standard && `Standard: ${standard}${edition && `, edition: ${edition}`}.`,
    source && (onPaper ? paperSource(source) : source),
    items.some(({ estimate }) => estimate) &&
      "An estimate counts verified hours of the last 90 days alone; it is no promise.",
  ].filter(Boolean);
  const Part = onPaper ? OpenPart : FoldedPart;
  return (
    <section className="target" aria-labelledby={heading}>
      <header className="head">
        <h2 id={heading}>{title}</h2>
        <b>{partsMet(parts)}</b>
      </header>
      <p className="apart">
        <span className="hint">{since && `Since ${formatDate(since)}`}</span>
        {!onPaper && <a href={`/progress/targets/${id}`}>Edit target</a>}
      </p>
      <FourParts progress={progress} today={today} />
      <Sentence progress={progress} />
      <Part title="The parts in detail">
        <ul>
          {parts.map((part) => (
            <PartLine key={part.part} progress={progress} part={part} today={today} onPaper={onPaper} />
          ))}
        </ul>
      </Part>
      {rows.length > 0 && (
        <Part title={NOT_COUNTED}>
          <NotCountedTable rows={rows} onPaper={onPaper} />
        </Part>
      )}
      {sources.length > 0 && (
        <Part title="Where these figures come from">
          <p className="hint">{sources.join(" ")}</p>
        </Part>
      )}
    </section>
  );
}

interface FoldProps {
  title: string;
  children: ReactNode;
}

function FoldedPart({ title, children }: FoldProps) {
  return (
    <details>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

function OpenPart({ title, children }: FoldProps) {
  return (
    <>
      <h3>{title}</h3>
      {children}
    </>
  );
}
