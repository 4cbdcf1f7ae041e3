import { displayName } from "#app/accounts/user.ts";
import { METHODS, type Method, VIAS, type Via } from "#app/db/enumerations.ts";
import { formLocation } from "#app/records/entry/brought-forward.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { STATEMENT } from "#app/records/signature-block.tsx";
import { formatDate } from "#app/ui/calendar-date.ts";
import type { FormProof } from "./form-proof.server.ts";

export interface FormUser {
  name: string | null;
  email: string;
  employeeNumber: string | null;
}

/** The fields of an OJT entry that the form needs, named as in `GET /api/entries`. */
export interface FormEntry {
  id: number;
  date: string;
  location: string;
  method: Method;
  hours: number;
  verified: boolean;
  verifiedBy: string | null;
  verifiedVia?: Via | null;
  /** The domain of the address that was asked. */
  domain?: string | null;
  broughtForward?: boolean;
}

export interface FormRow {
  id: number;
  /** `YYYY-MM-DD`, and `date` as it is shown. */
  day: string;
  date: string;
  location: string;
  /** A cell for each method: the hours in the entry's own, the others empty. */
  hours: string[];
  supervisor: string;
  /** How the verification came, if that was noted. */
  via?: Via;
  domain?: string;
}

/** The legend of the marks that say how a verification came. */
export const VIA_LEGENDS: Record<Via, string> = { mailbox: "by mailbox", link: "by link" };

/** The marks that a form needs a legend for. */
export function viasOf({ rows }: ExperienceForm): Via[] {
  return VIAS.filter((via) => rows.some((row) => row.via === via));
}

/** The content of the Experience Hours form as text, for the PDF and the print page. */
export interface ExperienceForm {
  title: string;
  employeeName: string;
  employeeNumber: string;
  methods: string[];
  rows: FormRow[];
  /** A total for each method, and of all methods, with its unit. */
  totals: string[];
  total: string;
  statement: string;
  signature: string;
  day: string;
  date: string;
  code: string;
  /** What the mark beside a supervisor means. */
  legend: string;
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
): ExperienceForm {
  const verified = entries.filter((entry) => entry.verified).sort(oldestFirst);
  return {
    title: "Experience Hours (OJT)",
    employeeName: displayName(user),
    employeeNumber: user.employeeNumber ?? "",
    methods: METHODS.map(methodLabel),
    rows: verified.map(rowOf),
    totals: METHODS.map((method) => formatHours(totalOf(verified.filter((entry) => entry.method === method)))),
    total: `${formatHours(totalOf(verified))} h`,
    statement: STATEMENT,
    signature: displayName(user),
    day: today,
    date: formatDate(today),
    code: "100-FORM-95 Rev 0",
    legend: "Verified by the supervisor named",
    proof,
  };
}

function oldestFirst(a: FormEntry, b: FormEntry): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1;
  return a.id - b.id;
}

function rowOf(entry: FormEntry): FormRow {
  const { id, date, method, hours, verifiedBy, verifiedVia } = entry;
  return {
    id,
    day: date,
    date: formatDate(date),
    location: formLocation(entry),
    hours: METHODS.map((column) => (column === method ? formatHours(toHundredths(hours)) : "")),
    supervisor: verifiedBy ?? "",
    ...(verifiedVia && { via: verifiedVia }),
  };
}

/** In hundredths of an hour, so that the sum is exact. */
function totalOf(entries: readonly FormEntry[]): number {
  return entries.reduce((sum, { hours }) => sum + toHundredths(hours), 0);
}
