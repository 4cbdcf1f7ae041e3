import { displayName } from "#app/accounts/user.ts";
import { formatDate } from "#app/calendar-date.ts";
import type { FormName, Method, Via } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import {
  answerTexts,
  asTyped,
  confirmedText,
  type Evidence,
  enteredText,
  explainedNotes,
  formLocation,
  lateText,
  statedText,
  technicianAsTyped,
  termText,
  timingOf,
  utcDay,
  workTexts,
} from "#app/records/evidence.ts";
import { daysOfHours, formatHours, HOURS_OF_A_DAY, toHundredths } from "#app/records/hours.ts";
import { choiceLabel, levelText } from "#app/records/kind.ts";
import type { FormProof } from "./form-proof.server.ts";
import { FORMS, type FormDefinition, type LeftOut, leftOutText } from "./forms.ts";

export interface FormUser {
  name: string | null;
  email: string;
  employeeNumber: string | null;
}

/** A record of a type that a form has, with its fields as in the JSON calls. */
export interface FormRecord extends Evidence {
  id: number;
  /** The name of its kind; that of the form without it. */
  type?: string;
  verified: boolean;
  verifiedBy: string | null;
  verifiedVia?: Via | null;
  /** The domain of the requested address. */
  domain?: string | null;
  /** The day on which its mailbox confirmed a verification by link; without a server's answer, the instant in JSON. */
  confirmedOn?: string | null;
  confirmedAt?: string | Date | null;
  /** As the page shows it that the supervisor saw; null where the request is gone. */
  verificationId?: string | null;
  /** The level as which it was worked; on a form of all details it is one of them. */
  workedAs?: string | undefined;
  details?: { readonly [name: string]: string };
  [field: string]: unknown;
}

export interface FormRow {
  id: number;
  /** The calendar date, or the first and the last, `YYYY-MM-DD`. */
  days: string[];
  /** The cells of `Form.texts`. A line break divides the values of a cell. */
  texts: string[];
  /** The index of its column in `Form.columns`. */
  column: number;
  /** Null for a record without hours. */
  hundredths: number | null;
  /** Its type, on a form of several types. */
  type?: string;
  supervisor: string;
  /** How the verification came, and the domain of the supervisor's address, if that was noted. */
  via: Via;
  domain?: string;
  /** The day in UTC on which it was verified, and the ID of the verification. */
  verifiedOn?: string;
  verificationId?: string;
  /** The supervisor's statement, and the technician's entry about them, in one line each. */
  stated?: string;
  entered?: string;
  /** Notes for a reader about the verifier (app/records/evidence.ts). */
  notes?: string[];
  /** The level as which it was worked, where no text of the form has it. */
  workedAs?: string;
  /** Notes for a reader about the work: that it was logged late, or that its day is long. */
  remarks?: string[];
}

/** The content of a form, for the PDF and the print page. */
export interface Form {
  name: FormName;
  title: string;
  employeeName: string;
  employeeNumber: string;
  /** The heads of the columns: of the date, of each text, of the hours, of the supervisor. */
  dates: string;
  texts: string[];
  columns: string[];
  supervisors: string;
  /** Verified records, in the order of the form's types, each oldest first. */
  rows: FormRow[];
  /** Which verified records it has, where these are not all. */
  part: string | null;
  /** Which records it leaves out, and what the notes of its rows mean. */
  explained: string[];
  statement: string;
  signature: string;
  /** The calendar date on which it was made. */
  day: string;
  /** The code of the form itself (spec section 9). */
  code: string | null;
  /** The code and statement by which anyone can check this form. Null for one that was not exported with a code. */
  proof: FormProof | null;
}

/** Which verified records an export has: those of a period, by their first day, and those that one supervisor verified. */
export interface Chosen {
  from: string | null;
  to: string | null;
  isOfOneSupervisor: boolean;
  /** The names that this supervisor typed on them (`typedNames`); null once the export is closed. */
  supervisor: string | null;
}

/** How many of them are named. */
const NAMES_MAX = 3;

/** The names that one supervisor typed on records, as one text: `Ola Hansen, O. Hansen`. */
export function typedNames(records: readonly { supervisor: string }[]): string | null {
  const names = [...new Set(records.map(({ supervisor }) => supervisor))];
  const more = names.length - NAMES_MAX;
  return names.length === 0 ? null : names.slice(0, NAMES_MAX).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/**
 * The form of this name: verified records only, oldest first (spec section 9).
 * @param today the user's current date, `YYYY-MM-DD`
 */
export function makeForm(
  name: FormName,
  user: FormUser,
  records: readonly FormRecord[],
  today: string,
  proof: FormProof | null = null,
  chosen: Chosen | null = null,
): Form {
  const verified = records.filter(({ verified }) => verified);
  const own = verified.filter((record) => hasColumn(name, record));
  const others = verified.filter((record) => !own.includes(record));
  const rows = rowsOf(name, user, own, today);
  const leftOut = { records: others.length, hundredths: sumOf(others) };
  return formOfRows(name, user, { rows, explained: explanationsOf(own, leftOut) }, today, proof, chosen);
}

/** Returns the explanations below the rows of these records. */
export function explanationsOf(records: readonly FormRecord[], leftOut: LeftOut | null): string[] {
  const explained = explainedNotes(records);
  return leftOut?.records ? [leftOutText(leftOut), ...explained] : explained;
}

/** The same, of rows and explanations that were made before. */
export function formOfRows(
  name: FormName,
  user: FormUser,
  { rows, explained }: Pick<Form, "rows" | "explained">,
  today: string,
  proof: FormProof | null,
  chosen: Chosen | null,
): Form {
  const { title, code, dates, texts, hours, supervisors, statement } = FORMS[name];
  const signature = technicianAsTyped(displayName(user));
  // The first form has its columns by its code. The others print none that is empty.
  const shown = texts.flatMap((_, index) => (code || rows.some((row) => row.texts[index]) ? [index] : []));
  return {
    name,
    title,
    employeeName: signature,
    employeeNumber: asTyped(user.employeeNumber ?? ""),
    dates: dates.head,
    texts: shown.map((index) => texts[index]?.head ?? ""),
    columns: code || rows.some(({ hundredths }) => hundredths !== null) ? [...hours.columns] : [],
    supervisors: supervisors.head,
    rows: rows.map((row) => ({ ...row, texts: shown.map((index) => row.texts[index] ?? "") })),
    part: chosen && partText(name, chosen),
    explained,
    statement,
    signature,
    day: today,
    code,
    proof,
  };
}

/** Returns in words which records a form has: null for all. It is also on the check page and in the list of exports. */
export function partText(form: FormName, { from, to, isOfOneSupervisor, supervisor }: Chosen): string | null {
  const period = [
    ...[from && `from ${formatDate(from)}`, to && `to ${formatDate(to)}`],
    (from || to) && FORMS[form].hasPeriods && "by their first day",
  ];
  const by = isOfOneSupervisor && `verified by ${supervisor === null ? "one supervisor" : asTyped(supervisor)}`;
  const parts = [period.filter(Boolean).join(" "), by].filter(Boolean);
  return parts.length === 0 ? null : `Only records ${parts.join(", ")}`;
}

/** Whether a form has a column for the method of a record, if its columns are methods. */
function hasColumn(name: FormName, { method }: FormRecord): boolean {
  return FORMS[name].methods?.some((one) => one === method) ?? true;
}

const sumOf = (records: readonly FormRecord[]) =>
  records.reduce((sum, { hours }) => sum + (typeof hours === "number" ? toHundredths(hours) : 0), 0);

function rowsOf(name: FormName, user: FormUser, records: readonly FormRecord[], day: string): FormRow[] {
  const form = FORMS[name];
  const typeOf = ({ type }: FormRecord) => Math.max(0, form.types.indexOf(type ?? ""));
  const rows = records.map((record) => ({ row: rowOf(form, user, record, day), type: typeOf(record) }));
  rows.sort((one, other) => one.type - other.type || oldestFirst(one.row, other.row));
  return rows.map(({ row }) => row);
}

/** The row of a verified record of a form that is made on this day. */
export function rowOf(form: FormDefinition, user: FormUser, record: FormRecord, day: string): FormRow {
  const { id, hours, verifiedBy, verifiedAt, verificationId, domain, type = form.types[0] } = record;
  const via = record.verifiedVia ?? "link";
  const confirmedOn = record.confirmedOn ?? (record.confirmedAt && utcDay(record.confirmedAt));
  const stated = statedText(record, type);
  const entered = enteredText(record);
  const notes = [
    ...(via === "link" && confirmedOn ? [confirmedText(domain ?? null, confirmedOn)] : []),
    ...answerTexts(record, verifiedBy, user.name),
  ];
  const workedAs = form.hasDetails ? undefined : (record.workedAs ?? record.details?.workedAs);
  const remarks = remarksOf(record, daysOf(record).at(-1) ?? "");
  return {
    id,
    days: daysOf(record),
    texts: form.texts.map((column) => cellOf(column, record, day)),
    column: form.methods?.indexOf(record.method as Method) ?? 0, // an entry's
    hundredths: typeof hours === "number" ? toHundredths(hours) : null,
    ...(form.types.length > 1 && { type }),
    supervisor: asTyped(verifiedBy ?? ""),
    via,
    ...(via === "mailbox" && domain && { domain }),
    ...(verifiedAt && { verifiedOn: utcDay(verifiedAt) }),
    ...(verificationId && { verificationId }),
    ...(stated && { stated }),
    ...(entered && { entered }),
    ...(notes.length > 0 && { notes }),
    ...(workedAs && { workedAs: asTyped(workedAs) }),
    ...(remarks.length > 0 && { remarks }),
  };
}

/** Returns the notes for a reader about the work of a record, whose last day is `worked`. */
function remarksOf(record: FormRecord, worked: string): string[] {
  const timing = timingOf(record, worked, record.broughtForward === true);
  const late = timing && lateText(timing);
  return [...(late ? [late] : []), ...workTexts(record, record)];
}

/** The date or the period of a record of any type. */
export function daysOf(record: { [field: string]: unknown }): string[] {
  const { date, startDate, issuedOn, endDate } = record;
  const days = [date ?? startDate ?? issuedOn, endDate].filter((day) => typeof day === "string" && day !== "");
  return [...new Set(days as string[])]; // as the line above says
}

function cellOf({ parts }: FormDefinition["texts"][number], record: FormRecord, day: string): string {
  return parts
    .flatMap(({ of, label, as }) => {
      const value = record[of] ?? record.details?.[of];
      if (value === undefined || value === null || value === "") return [];
      const text =
        of === "location"
          ? formLocation({ ...record, location: asTyped(String(value)) })
          : written(value, as, record, day);
      return [label ? `${label}: ${text}` : text];
    })
    .join("\n");
}

type WrittenAs = FormDefinition["texts"][number]["parts"][number]["as"];

function written(value: unknown, as: WrittenAs, { standard }: FormRecord, day: string): string {
  if (as === "level") return levelText(String(value), typeof standard === "string" ? standard : null);
  if (as === "method") return methodLabel(value as Method); // the field of that type
  if (as === "term") return termText(String(value), day);
  if (as === "revoked") return `Revoked ${formatDate(String(value))}`;
  if (as === "mark") return `${value} of 100`;
  // Product, "Beyond the spec".
  if (as === "days") return `${formatHours(daysOfHours(toHundredths(Number(value))))} days of ${HOURS_OF_A_DAY} h`;
  return as === "choice" ? choiceLabel(String(value)) : asTyped(String(value));
}

function oldestFirst({ days: [one = ""], id }: FormRow, { days: [other = ""], id: otherId }: FormRow): number {
  if (one !== other) return one < other ? -1 : 1;
  return id - otherId;
}

/** The date of a row as it is shown: `21 Nov 2026`, or `3 Nov 2026 to 21 Nov 2026`, which has two lines in the PDF. */
export function datesOf({ days }: FormRow, to = " to "): string {
  return days.map(formatDate).join(to);
}
