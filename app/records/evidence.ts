import { daysBetween, formatDate } from "#app/calendar-date.ts";
import { isLink } from "#app/mail/links.ts";
import { DAY_MAX, formatHours, longPeriodText } from "./hours.ts";
import { BROUGHT_FORWARD } from "./kind.ts";

/*
 * Facts that a reader of verified hours should know besides the hours. The supervisor's page, the form and the check
 * page use the same words. None of them is a verdict.
 */

/** A technician as a supervisor or a reader of a form sees them. */
export interface Person {
  name: string | null;
  employeeNumber: string | null;
}

/** A supervisor's statement about their certificate. */
export interface Stated {
  scheme?: string | undefined;
  /** As they typed them. */
  methods?: string[] | undefined;
  level?: string | undefined;
  number?: string | undefined;
  /** The last day on which it is valid, `YYYY-MM-DD`. */
  validUntil?: string | undefined;
}

/** A technician's entry about a supervisor, as it was when they sent the request. */
export interface Entered {
  level: string | null;
  company: string | null;
}

interface Statement {
  /** Its name on the record's page, and in messages about it. */
  label: string;
  /** The question of the supervisor's form. */
  question: string;
  /** Its name in the rows hash. */
  hashed: string;
  /** The text of a form where none was made. */
  missing: string;
  /** The explanation below the rows of a form. */
  explained: string;
  /** Its meaning, for the documents of the API. */
  says: string;
  /** The choices of the supervisor's form, with what a form prints. */
  choices: Record<string, { label: string; printed: string }>;
}

/**
 * The choices by which a supervisor may state how they know the work, by their names in bodies and facts. The
 * supervisor's form, the event, the form and its rows hash, the check and the API follow from this table.
 */
export const STATEMENTS = {
  basis: {
    label: "Ground",
    question: "On what ground?",
    hashed: "ground",
    missing: "ground not stated",
    explained: "on site, not on site, from job reports: the ground that the supervisor stated",
    says: "On what ground the supervisor verified, if they stated it",
    choices: {
      present: { label: "I supervised this work on site", printed: "supervised on site" },
      remote: { label: "I supervised it, not on site", printed: "supervised, not on site" },
      records: {
        label: "For the employer, from job reports or time sheets",
        printed: "from job reports or time sheets",
      },
    },
  },
} as const satisfies Record<string, Statement>;

type StatementName = keyof typeof STATEMENTS;

export const STATEMENT_NAMES = Object.keys(STATEMENTS) as StatementName[]; // its keys are these

/** A supervisor's statements: null for one that was not made, undefined where that is not known or erased. */
export type Statements = { [Name in StatementName]?: string | null | undefined };

/** Returns what `make` makes of each statement, by its name. */
export function ofStatements<Made>(
  make: (statement: Statement, name: StatementName) => Made,
): Record<StatementName, Made> {
  return Object.fromEntries(STATEMENT_NAMES.map((name) => [name, make(STATEMENTS[name], name)])) as Record<
    StatementName,
    Made
  >; // of each name
}

/** The statements among these values that were made. */
export function madeStatements(values: Statements): Statements {
  return Object.fromEntries(STATEMENT_NAMES.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
}

/** A statement as a form prints it; undefined if it was not made. */
export function printedStatement(name: StatementName, value: string | null | undefined): string | undefined {
  const { choices }: Statement = STATEMENTS[name];
  return choices[value ?? ""]?.printed;
}

/** The notes about a verified record, if it has any. */
export interface Evidence extends Statements {
  /** The technician as the supervisor saw them, if the form names another name or number. */
  verifiedFor?: Person | null;
  /** The hours of all OJT entries of the technician on the record's date, in hundredths, if they are `LONG_DAY` or more. */
  dayHundredths?: number | null;
  /** Of a certificate: the verified work in its method until the form was made, in a sentence. */
  continuity?: string | null;
  /**
   * The supervisor's statement when they verified it: null if they stated nothing, undefined if it is unknown or
   * erased.
   */
  certification?: Stated | null | undefined;
  /**
   * The name of the supervisor of the request, where the verifier typed another: null once that name is erased, and
   * undefined where there is none.
   */
  asked?: string | null | undefined;
  /** The technician's entry about that supervisor at the time of the request; null if it is erased. */
  entered?: Entered | null | undefined;
  /** When it was logged and verified. */
  createdAt?: Date | string | null;
  verifiedAt?: Date | string | null;
  /** Whether it stands for hours of earlier years. */
  broughtForward?: boolean;
}

/** Characters that are neither letters nor digits. */
const NOT_OF_A_NAME = /[^\p{L}\p{N}\p{M}]/gu;

/** Cyrillic and Greek letters, small ones, that look like a Latin one, as small letters or as capitals. */
const LATIN_LETTERS = new Map(
  ["аaвbеeзzіiјjкkмmнhоoрpсcтtуyхxѕsһhԁdԛqԝw", "αaβbεeζzηhιiκkμmνnοoρpτtυyχx"].flatMap((pairs) =>
    (pairs.match(/../gu) ?? []).map(([letter = "", latin = ""]): [string, string] => [letter, latin]),
  ),
);

/** Text as it looks: without case, in one form of Unicode, letters of other scripts as the Latin ones. */
function latinLook(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  const letters = [...text.normalize("NFKC").toLowerCase()].map((letter) => LATIN_LETTERS.get(letter) ?? letter);
  return letters.join("").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}

/** A name as it looks: letters and digits alone. */
function lookOf(name: string | null): string {
  return latinLook(name ?? "").replace(NOT_OF_A_NAME, "");
}

/** The words with which a form, a check page or an email says how a verification came. */
const WORDS_OF_MARKS = /mail ?box|verified|confirmed|authori[sz]ed|supervised|asked:|(?<!\p{L})by link(?!\p{L})/u;

/** Whether typed text has a domain, or a word of a mark, so that a reader could take it for what the product says. */
function isClaim(text: string): boolean {
  const look = latinLook(text);
  return WORDS_OF_MARKS.test(look) || text.split(/\s+/).some(isLink) || look.split(/\s+/).some(isLink);
}

/**
 * Returns typed text as a form and a check page show it: a claim in quotation marks, anything else unchanged. The text
 * that is stored, signed and hashed is the text as it was typed.
 */
export function asTyped(text: string): string {
  return isClaim(text) ? `“${text.replace(/[“”„‟"＂]/g, "'")}”` : text;
}

/** The technician's name as `asTyped`. Without a name it is their address, which is no claim by itself (spec section 9). */
export function technicianAsTyped(name: string): string {
  return /^[^\s@]+@[^\s@]+$/.test(name) ? name : asTyped(name);
}

/** Whether two people have one name, or two that look alike. */
export function isSameName(one: string | null, other: string | null): boolean {
  const [first, second] = [lookOf(one), lookOf(other)];
  return first !== "" && first === second;
}

/** Whether a supervisor has the name of the technician whom a form names, or of the one whom they saw. */
export function hasTechniciansName(
  supervisor: string | null,
  name: string | null,
  { verifiedFor }: Pick<Evidence, "verifiedFor">,
): boolean {
  return isSameName(supervisor, name) || isSameName(supervisor, verifiedFor?.name ?? null);
}

export function isSamePerson(one: Person, other: Person): boolean {
  return one.name === other.name && one.employeeNumber === other.employeeNumber;
}

/** A person in one line: `Anna Experienced, E-1`. */
export function personText({ name, employeeNumber }: Person): string {
  return [name ?? "a technician without a name", employeeNumber].filter(Boolean).join(", ");
}

export const SAME_NAME = "The supervisor has the technician’s name.";

/** The hours of a date that has `LONG_DAY` or more, in words. */
export function longDayText(hundredths: number): string {
  return `${formatHours(hundredths)} h on this date${hundredths > DAY_MAX ? ", more than 24" : ""}`;
}

/**
 * Says that a verification by link was confirmed from the supervisor's mailbox: `link, confirmed from fjord.example on 25 Nov
 * 2026`. It is said in the same words on the record, on the form and on the check page.
 * @param day the calendar date in UTC
 */
export function confirmedText(domain: string | null, day: string): string {
  return `link, confirmed from ${domain ?? "the supervisor’s mailbox"} on ${formatDate(day)}`;
}

/** The calendar date of an instant, in UTC: the same on paper for every reader. */
export function utcDay(at: Date | string): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Returns in words when a certificate or test expires, seen from this day: `valid to 1 Jan 2027`, `expired on 1 Jan 2026`. */
export function termText(expiresOn: string, day: string): string {
  return `${expiresOn < day ? "expired on" : "valid to"} ${formatDate(expiresOn)}`;
}

/** An entry's location on the form, with the mark. */
export function formLocation({ location, broughtForward }: { location: string; broughtForward?: boolean }): string {
  return broughtForward ? `${location} (${BROUGHT_FORWARD.toLowerCase()})` : location;
}

/**
 * A supervisor's certificate in one line, as they stated it: `PCN Level III in MT, PT, No. 12345, valid to 1 Jan 2027`. One that
 * could be taken for a mark is labelled: `Stated certificate: PCN, No. “firm.example”`.
 */
export function certificationText({ scheme, methods = [], level, number, validUntil }: Stated): string {
  const written = (text: string | undefined) => text && asTyped(text);
  const text = [
    [written(scheme), written(level), methods.length > 0 && `in ${methods.map(asTyped).join(", ")}`]
      .filter(Boolean)
      .join(" "),
    number && `No. ${asTyped(number)}`,
    validUntil && `valid to ${formatDate(validUntil)}`,
  ]
    .filter(Boolean)
    .join(", ");
  return [scheme, ...methods, level, number].some((part) => part && isClaim(part))
    ? `Stated certificate: ${text}`
    : text;
}

/**
 * Returns in one line what supervisors stated about themselves, and what they left out: `PCN Level III; ground not
 * stated`.
 */
export function statedText({ certification, ...evidence }: Evidence, type: string): string | null {
  const parts = [
    certification && certificationText(certification),
    isWork(type) && certification !== undefined && !certification?.level && "level not stated",
    ...(isWork(type) ? STATEMENT_NAMES : []).map((name) =>
      evidence[name] === null ? STATEMENTS[name].missing : printedStatement(name, evidence[name]),
    ),
  ];
  return parts.filter(Boolean).join("; ") || null;
}

/** The days of a record that show how soon it was logged and verified: its own last day, and those of both, in UTC. */
interface Timing {
  worked: string;
  logged: string;
  verified: string;
  /** Whether the record stands for hours of earlier years, of which the day of logging says nothing. */
  isBroughtForward: boolean;
}

/**
 * Returns the technician's entry about the supervisor in one line: `Level II, Northgate`. A level that the supervisor
 * stated too is left out. Forms print the line in italics.
 */
export function enteredText({ certification, entered }: Evidence): string | null {
  const level = entered?.level === certification?.level ? null : entered?.level;
  return [level, entered?.company && asTyped(entered.company)].filter(Boolean).join(", ") || null;
}

/** The timing of a record that is worked until the day `worked`; null where its instants are not known. */
export function timingOf(
  { createdAt, verifiedAt }: Evidence,
  worked: string,
  isBroughtForward: boolean,
): Timing | null {
  if (!createdAt || !verifiedAt) return null;
  return { worked, logged: utcDay(createdAt), verified: utcDay(verifiedAt), isBroughtForward };
}

/**
 * Returns how many days after `day` another is. One day before it counts as the same: it is in the technician's time
 * zone, the other one in UTC.
 */
function daysAfter(day: string, other: string): number {
  const days = daysBetween(day, other);
  return days === -1 ? 0 : days;
}

/** A record that was logged later than this many days after its last day says so on a form. */
export const LATE_DAYS = 7;

/**
 * Returns the note about a record that was logged late, or before its day: `logged 36 days later`. Null for any other
 * record.
 */
export function lateText({ worked, logged, isBroughtForward }: Timing): string | null {
  const days = daysAfter(worked, logged);
  if (isBroughtForward || (days >= 0 && days <= LATE_DAYS)) return null;
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? "day" : "days"}`;
  return days < 0 ? `logged ${count} earlier` : `logged ${count} later`;
}

/** The event from which days are counted, for records that are not work. */
const COUNTED_FROM: Record<string, string> = { training: "the course", certificate: "the issue" };

/** Whether records of a type are hours of work. */
const isWork = (type: string) => COUNTED_FROM[type] === undefined;

const countedFrom = (type: string) => COUNTED_FROM[type] ?? "the work";

/** Explains the notes of a form with these records: a line for each sort of note. */
export function explainedNotes(records: readonly Evidence[]): string[] {
  const has = (isSo: (record: Evidence) => unknown) => records.some((record) => isSo(record));
  return [
    ...(has(({ broughtForward }) => broughtForward)
      ? ["previous experience: hours of earlier years in one sum, up to the date of the line"]
      : []),
    ...STATEMENT_NAMES.flatMap((name) => (has((record) => record[name]) ? [STATEMENTS[name].explained] : [])),
    ...(has(({ asked }) => asked !== undefined)
      ? ["asked: the supervisor whom the technician had asked, where another name was typed"]
      : []),
    ...(has(({ verifiedFor }) => verifiedFor) ? ["verified for: the name and number that the supervisor saw"] : []),
  ];
}

/** The timing of a record of a type in a sentence, with the years. */
export function timingText({ worked, logged, verified, isBroughtForward }: Timing, type: string): string {
  if (isBroughtForward) return `${BROUGHT_FORWARD}, verified ${formatDate(verified)}`;
  const after = (day: string) => daysText(daysAfter(worked, day), countedFrom(type));
  return `Logged ${formatDate(logged)}, ${after(logged)}; verified ${formatDate(verified)}, ${after(verified)}`;
}

function daysText(days: number, from: string): string {
  if (days === 0) return `the day of ${from}`;
  return `${Math.abs(days)} ${Math.abs(days) === 1 ? "day" : "days"} ${days < 0 ? "before" : "after"} ${from}`;
}

/**
 * Returns in a sentence what an answer shares with the technician's sessions, or null. It is a fact, not a verdict:
 * everyone on a rig shares one line.
 */
export function sharedText(facts: { sameNetwork?: boolean | null; sameBrowser?: boolean | null }): string | null {
  const both = [facts.sameNetwork && "network", facts.sameBrowser && "browser"].filter(Boolean).join(" and ");
  return both ? `Answered from the same ${both} as the technician’s.` : null;
}

/** The sentences about who verified a record, for a form that names the technician `name`. */
export function answerTexts(evidence: Evidence, supervisor: string | null, name: string | null): string[] {
  const { asked, verifiedFor } = evidence;
  return [
    ...(asked === undefined
      ? []
      : [`asked: ${asked === null ? "another supervisor, whose name is erased" : asTyped(asked)}`]),
    ...(verifiedFor ? [`verified for ${asTyped(personText(verifiedFor))}`] : []),
    ...(hasTechniciansName(supervisor, name, evidence) ? [SAME_NAME] : []),
  ];
}

/** The sentences about the work of a verified record with these fields. */
export function workTexts({ dayHundredths, continuity }: Evidence, fields: { [field: string]: unknown }): string[] {
  const longPeriod = longPeriodText(fields, true);
  return [dayHundredths && longDayText(dayHundredths), longPeriod, continuity].filter(
    (text) => typeof text === "string",
  );
}
