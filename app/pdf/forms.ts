import { FORM_METHODS, type FormName, type Method } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours } from "#app/records/hours.ts";
import type { Toast } from "#app/server/flash.ts";

/** The statement that the technician signs, on screen and on the form (spec sections 2 and 9). */
export const STATEMENT = "The above is true and accurate to the best of my knowledge.";

/*
 * The forms (spec section 9 for the first), one definition each. The PDF, the print page, the export, its statement and
 * the check page read them: to add a form, add its name to `FORM_NAMES` and a definition here.
 */

/** A value in a cell, below the one before it. */
interface Part {
  /** The name of a field or a detail of the record. */
  of: string;
  /** Before the value, where the head of the column does not say what it is. */
  label?: string;
  /** How the value is written; as it is without it. */
  as?: "method" | "level" | "choice" | "term" | "revoked" | "days" | "mark";
}

export interface FormDefinition {
  title: string;
  /** The code of the form itself. */
  code: string | null;
  /** The types of its records, in their order. */
  types: readonly [string, ...string[]];
  /** The JSON calls that list them. */
  calls: readonly string[];
  /** The log below which it is printed and exported. */
  log: string;
  /** The purpose of the form, where the user chooses one. */
  hint: string;
  /** How the name of its file begins. */
  file: string;
  /** The head of the dates, and their width in millimetres. */
  dates: { head: string; width: number };
  texts: readonly { head: string; parts: readonly Part[] }[];
  /** The columns of hours: one for each of `methods`, or one of all hours. Each has this width. */
  hours: { columns: readonly string[]; width: number };
  /** The NDT methods that have a column. Records of others are left out, and the form says so (`leftOutText`). */
  methods?: readonly Method[];
  /** The supervisor's column. */
  supervisors: { head: string; width: number };
  /** The statement that the technician signs. */
  statement: string;
  /** Whether it prints details of its records. */
  hasDetails?: true;
  /** Whether it has records of several days, which count to a choice of dates by the first. */
  hasPeriods?: true;
  /** The message of an export without a verified record (spec section 8 for the first). */
  nothing: { title: string; text: string };
}

const PLACE = { of: "location" };
const EMPLOYER = { of: "employer", label: "Employer" };
const JOB = { of: "jobNumber", label: "Job No." };
const NO_ENTRIES = {
  title: "No verified entries",
  text: "You need at least one verified entry to export as PDF.",
};

export const FORMS: Record<FormName, FormDefinition> = {
  ojt: {
    title: "Experience Hours (OJT)",
    code: "100-FORM-95 Rev 0",
    types: ["entry"],
    calls: ["/api/entries"],
    log: "/profile",
    hint: "Hours by NDT method, in a column each",
    file: "OJT_Log",
    dates: { head: "Job Date", width: 23 },
    texts: [{ head: "Job Location", parts: [PLACE] }],
    hours: { columns: FORM_METHODS.map(methodLabel), width: 12 },
    methods: FORM_METHODS,
    supervisors: { head: "Supervisor", width: 66 },
    statement: STATEMENT,
    nothing: NO_ENTRIES,
  },
  "detailed-log": {
    title: "Detailed Log (OJT)",
    code: null,
    types: ["entry"],
    calls: ["/api/entries"],
    log: "/profile",
    hint: "The same hours with every detail of the job: employer, job number, technique, procedure, equipment",
    file: "OJT_Detailed_Log",
    dates: { head: "Job Date", width: 23 },
    texts: [
      { head: "Location and Employer", parts: [PLACE, EMPLOYER, JOB] },
      {
        head: "Method and Object",
        parts: [
          { of: "method", as: "method" },
          { of: "technique", label: "Technique" },
          { of: "sector", label: "Sector" },
          { of: "testObject", label: "Object" },
        ],
      },
      {
        head: "Procedure and Role",
        parts: [
          { of: "procedure", label: "Procedure" },
          { of: "equipment", label: "Equipment" },
          { of: "workedAs", label: "Worked as" },
          { of: "role", label: "Role", as: "choice" },
        ],
      },
      { head: "Note", parts: [{ of: "note" }] },
    ],
    hours: { columns: ["Hours"], width: 15 },
    supervisors: { head: "Supervisor", width: 66 },
    statement: STATEMENT,
    hasDetails: true,
    nothing: NO_ENTRIES,
  },
  "rope-access-log": {
    title: "Rope Access Log",
    code: null,
    types: ["rope_hour"],
    calls: ["/api/rope-hours"],
    log: "/rope-hours",
    hint: "Rope hours with the fields of SPRAT’s and IRATA’s log books",
    file: "Rope_Log",
    dates: { head: "Period", width: 28 },
    hasPeriods: true,
    texts: [
      { head: "Location and Employer", parts: [PLACE, EMPLOYER, JOB] },
      {
        head: "Work and Tasks",
        parts: [{ of: "skills" }, { of: "tasks", label: "Tasks" }, { of: "purpose", label: "Purpose", as: "choice" }],
      },
      {
        head: "Industry and Structure",
        parts: [
          { of: "industry", label: "Industry" },
          { of: "structure", label: "Structure" },
          { of: "note", label: "Note" },
        ],
      },
    ],
    hours: { columns: ["Hours"], width: 17 },
    supervisors: { head: "Supervisor", width: 66 },
    statement: STATEMENT,
    hasDetails: true,
    nothing: {
      title: "No verified rope hours",
      text: "You need at least one verified record of rope hours to export.",
    },
  },
  "training-and-certificates": {
    title: "Training and Certificates",
    code: null,
    types: ["training", "certificate"],
    calls: ["/api/training", "/api/certificates"],
    log: "/training",
    hint: "Organized training with its hours and days, then certificates, examinations and vision tests",
    file: "Training_Certificates",
    dates: { head: "Date or Period", width: 28 },
    hasPeriods: true,
    texts: [
      {
        head: "Training Course or Document",
        parts: [
          { of: "course" },
          { of: "title" },
          { of: "category", as: "choice" },
          { of: "standard", label: "Standard" },
        ],
      },
      {
        head: "Given or Issued by",
        parts: [
          { of: "organization" },
          { of: "issuer" },
          { of: "instructor", label: "Instructor" },
          { of: "administeredBy", label: "Tested by" },
          { of: "originalLocation", label: "Original" },
        ],
      },
      {
        head: "Method and Level",
        parts: [
          { of: "method", as: "method" },
          { of: "level", as: "level" },
          { of: "part", label: "Part", as: "choice" },
          { of: "basis", label: "Certified by", as: "choice" },
          { of: "scope", label: "Scope" },
          { of: "distance", label: "Distance" },
          { of: "corrected", label: "With glasses or lenses", as: "choice" },
        ],
      },
      {
        head: "Number and Result",
        parts: [
          { of: "hours", label: "Duration", as: "days" },
          { of: "number", label: "No." },
          { of: "score", label: "Score", as: "mark" },
          { of: "attempt", label: "Attempt" },
          { of: "expiresOn", as: "term" },
          { of: "revokedOn", as: "revoked" },
          { of: "revokedReason", label: "Reason" },
        ],
      },
    ],
    hours: { columns: ["Hours"], width: 15 },
    supervisors: { head: "Verified by", width: 66 },
    statement: STATEMENT,
    nothing: {
      title: "Nothing verified",
      text: "You need at least one verified course, certificate or test to export.",
    },
  },
};

/** The forms that are printed below a log, the one that its button exports first. */
export function formsBelow(log: string): FormName[] {
  return (Object.keys(FORMS) as FormName[]).filter((name) => FORMS[name].log === log); // its keys are the names
}

/** The results of an export, in the words of spec section 8. */
export const EXPORTED: Toast = {
  kind: "success",
  title: "PDF exported",
  text: "Your verified hours have been exported as PDF.",
};

/** The text about a file of which the server made no export. */
export const WITHOUT_CODE = "This file has no code, so it cannot be checked online. Export again to get one.";

export const EXPORTED_WITHOUT_CODE: Toast = { ...EXPORTED, text: `${EXPORTED.text} ${WITHOUT_CODE}` };

export const FAILED: Toast = { kind: "error", title: "Error", text: "Failed to export PDF. Please try again." };

/** Returns the toast about a refused export, where the server gives the reason in a sentence of its own. */
export const refused = (text: string): Toast => ({ ...FAILED, text });

/** The choice of records to export, as the call takes it. An empty text chooses nothing. */
export interface Choice {
  form: FormName;
  from?: string | null;
  to?: string | null;
  supervisorId?: string | number | null;
}

/** Verified records that a form has no column for, as `FormDefinition.methods` says. */
export interface LeftOut {
  records: number;
  hundredths: number;
}

/** Returns the text about the records that are left out, for a form, its check page and a refused export. */
export function leftOutText({ records, hundredths }: LeftOut): string {
  const [count, are] = records === 1 ? ["1 verified record", "It is"] : [`${records} verified records`, "They are"];
  return `Not on this form: ${count} of other methods, ${formatHours(hundredths)} h. ${are} on the ${FORMS["detailed-log"].title}.`;
}

/**
 * Returns the message of an export that has no record (spec section 8), or none of the dates and the supervisor that
 * were chosen.
 */
export function nothingVerified({ form, from, to, supervisorId }: Choice): Toast {
  const { title, text } = FORMS[form].nothing;
  const chosen = [(from || to) && "these dates", supervisorId && "this supervisor"].filter(Boolean).join(" and ");
  return { kind: "error", title, text: chosen ? `No verified record of this form has ${chosen}.` : text };
}

/** The same where a form leaves out all that is verified, as it says itself (`leftOutText`). */
export const allLeftOut = (leftOut: string): Toast => refused(`${leftOut} Export that form instead.`);
