import { displayName } from "#app/accounts/user.ts";
import { type ListName, METHODS, type Method, type Via } from "#app/db/enumerations.ts";
import { formLocation } from "#app/records/entry/brought-forward.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { confirmedText, dayOfConfirmation, type Evidence, evidenceTexts } from "#app/records/evidence.ts";
import { toHundredths } from "#app/records/hours.ts";
import { STATEMENT } from "#app/records/signature-block.tsx";
import { formatDate } from "#app/ui/calendar-date.ts";
import type { FormProof } from "./form-proof.server.ts";

export interface FormUser {
  name: string | null;
  email: string;
  employeeNumber: string | null;
}

/** The fields of every record that a form needs, named as in the JSON calls. */
interface FormRecord extends Evidence {
  id: number;
  location: string;
  hours: number;
  verified: boolean;
  verifiedBy: string | null;
  verifiedVia?: Via | null;
  /** The domain of the address that was asked. */
  domain?: string | null;
  /** The day on which its mailbox confirmed a verification by link; without a server's answer, the instant in JSON. */
  confirmedOn?: string | null;
  confirmedAt?: string | Date | null;
  broughtForward?: boolean;
}

/** An OJT entry, as in `GET /api/entries`. */
export interface FormEntry extends FormRecord {
  date: string;
  method: Method;
  broughtForward?: boolean;
}

/** Rope hours, as in `GET /api/rope-hours`. */
export interface FormRopeHours extends FormRecord {
  startDate: string;
  endDate: string;
  skills: string;
}

export interface FormRow {
  id: number;
  /** The calendar date, or the first and the last, `YYYY-MM-DD`. */
  days: string[];
  /** The cells of `Form.texts`. */
  texts: string[];
  /** The index of its column in `Form.columns`. */
  column: number;
  hundredths: number;
  supervisor: string;
  /** How the verification came, and the domain of the supervisor's address, if that was noted. */
  via?: Via;
  domain?: string;
  /** What else a reader should know (app/records/evidence.ts). */
  notes?: string[];
}

/** The content of a form, for the PDF and the print page. */
export interface Form {
  kind: ListName;
  title: string;
  employeeName: string;
  employeeNumber: string;
  /** The heads of the columns: of the date, of each text, of the hours, of the supervisor. */
  dates: string;
  texts: string[];
  columns: string[];
  supervisors: string;
  /** Verified records, oldest first. */
  rows: FormRow[];
  statement: string;
  signature: string;
  /** The calendar date on which it was made. */
  day: string;
  /** The code of the form itself (spec section 9). */
  code: string | null;
  /** What lets anyone check this form. Null for one that was not exported with a code. */
  proof: FormProof | null;
}

/**
 * The form of spec section 9: verified entries only, oldest first.
 * @param today the user's current date, `YYYY-MM-DD`
 */
export function experienceForm(
  user: FormUser,
  entries: readonly FormEntry[],
  today: string,
  proof: FormProof | null = null,
): Form {
  return {
    kind: "entries",
    title: "Experience Hours (OJT)",
    dates: "Job Date",
    texts: ["Job Location"],
    columns: METHODS.map(methodLabel),
    rows: rowsOf(user, entries, (entry) => ({
      days: [entry.date],
      texts: [formLocation(entry)],
      column: METHODS.indexOf(entry.method),
    })),
    code: "100-FORM-95 Rev 0",
    ...signedBy(user, today, proof),
  };
}

/** The same for rope hours. */
export function ropeHoursForm(
  user: FormUser,
  ropeHours: readonly FormRopeHours[],
  today: string,
  proof: FormProof | null = null,
): Form {
  return {
    kind: "rope_hours",
    title: "Rope Hours",
    dates: "Period",
    texts: ["Location", "Skills"],
    columns: ["Hours"],
    rows: rowsOf(user, ropeHours, ({ startDate, endDate, location, skills }) => ({
      days: [startDate, endDate],
      texts: [location, skills],
      column: 0,
    })),
    code: null,
    ...signedBy(user, today, proof),
  };
}

function signedBy(user: FormUser, day: string, proof: FormProof | null) {
  const signature = displayName(user);
  const employeeNumber = user.employeeNumber ?? "";
  return {
    employeeName: signature,
    employeeNumber,
    supervisors: "Supervisor",
    statement: STATEMENT,
    signature,
    day,
    proof,
  };
}

/** @param cellsOf the cells that differ between the kinds */
function rowsOf<Record extends FormRecord>(
  user: FormUser,
  records: readonly Record[],
  cellsOf: (record: Record) => Pick<FormRow, "days" | "texts" | "column">,
): FormRow[] {
  const rows = records
    .filter(({ verified }) => verified)
    .map((record): FormRow => {
      const { id, hours, verifiedBy, verifiedVia: via, domain } = record;
      const confirmedOn = record.confirmedOn ?? (record.confirmedAt && dayOfConfirmation(record.confirmedAt));
      const notes = [
        ...(via === "link" && confirmedOn ? [`${confirmedText(domain ?? null, confirmedOn)}.`] : []),
        ...evidenceTexts(record, verifiedBy, user.name),
      ];
      return {
        id,
        ...cellsOf(record),
        hundredths: toHundredths(hours),
        supervisor: verifiedBy ?? "",
        ...(via && { via }),
        ...(via === "mailbox" && domain && { domain }),
        ...(notes.length > 0 && { notes }),
      };
    });
  return rows.sort(oldestFirst);
}

function oldestFirst({ days: [one = ""], id }: FormRow, { days: [other = ""], id: otherId }: FormRow): number {
  if (one !== other) return one < other ? -1 : 1;
  return id - otherId;
}

/** The date of a row as it is shown: `21 Nov 2026`, or `3 Nov 2026 to 21 Nov 2026`. */
export function datesOf({ days }: FormRow): string {
  return days.map(formatDate).join(" to ");
}
