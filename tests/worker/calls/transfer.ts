import { expect } from "vitest";
import { type CallRow, ENTRY, ODD_RECORDS, POST_FAULTS, ROPE_HOURS, SUPERVISOR, USER } from "./call.ts";
import { TARGET } from "./certification.ts";
import { CERTIFICATE, LATER, TRAINING } from "./evidence.ts";
import { LISTED } from "./exports.ts";
import { TOKEN } from "./tokens.ts";

/** The preview of one record of a method. */
const viewOf = (method: string) => ({
  id: "number",
  kind: "string",
  encoding: "string",
  sheet: "null",
  sheets: [],
  columns: ["string"],
  mapping: ["string"],
  dateOrder: "string",
  ambiguous: "null",
  hoursUnit: "string",
  hoursPerDay: "null",
  timeZone: "string",
  rows: [
    {
      row: "number",
      cells: ["string"],
      records: [{ date: "string", location: "string", method: "string", hours: "number", details: {} }],
    },
  ],
  values: { method: {} },
  unknown: { method: [] },
  people: [],
  person: "null",
  sums: { total: "number", method: { [method]: "number" }, stated: "null" },
  errors: [],
  notes: [],
  duplicates: [],
  possibleTotals: [],
  skip: [],
  count: "number",
  ready: "number",
});

const REQUEST = {
  id: "number",
  supervisorName: "string",
  supervisorEmail: "string",
  verificationToken: "string",
  createdAt: "string",
  requestedAt: "string",
  expiresAt: "string",
  openedAt: "null",
  endedAt: "null",
  items: [{ type: "string", id: "number", state: "string", reason: "null" }],
};

/** The fields of the file of everything. */
export const EVERYTHING = {
  account: USER,
  settings: [{ renewalEmails: "boolean" }],
  entries: [ENTRY],
  ropeHours: [ROPE_HOURS],
  training: [{ ...TRAINING, instructor: "null", method: "null", level: "null" }],
  certificates: [
    {
      ...CERTIFICATE,
      ...Object.fromEntries(
        [...["method", "level", "number", "expiresOn", "part", "score", "attempt", "originalLocation"], ...LATER].map(
          (name) => [name, "null"],
        ),
      ),
    },
  ],
  supervisors: [SUPERVISOR],
  requests: [REQUEST],
  auditLog: [],
  targets: [TARGET],
  exports: [LISTED],
  tokens: [TOKEN],
};

/** The same as an admin gets it: with a link they could verify, with a code see a form. */
export const EVERYTHING_WITHOUT_LINKS = {
  ...EVERYTHING,
  requests: [{ ...REQUEST, verificationToken: "null" }],
  exports: [{ ...LISTED, code: "null", url: "null" }],
};

/** The calls of imports and exports. */
export const TRANSFER: CallRow[] = [
  {
    method: "POST",
    path: () => "/api/imports",
    body: () => ({ text: "Date,Location,Method,Hours\n2026-11-20,Rig,MT,2" }),
    badBodies: [[{}, "text", "text is required"]],
    faults: [...POST_FAULTS, "session", "body"],
    shape: viewOf("MT"),
  },
  {
    method: "PATCH",
    path: ({ importId, appliedImportId }, faults = []) =>
      `/api/imports/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? appliedImportId : importId}`,
    oddPaths: ODD_RECORDS("/api/imports"),
    body: () => ({ dateOrder: "dmy" }),
    badBodies: [
      [{ dateOrder: "x" }, "dateOrder", "dateOrder must be ymd, dmy or mdy"],
      [{ hoursUnit: "x" }, "hoursUnit", "hoursUnit must be one of hours, minutes, days, fraction, clock, or null"],
      [{ hoursPerDay: 25 }, "hoursPerDay", "The hours of a day are a number above 0, and 24 at most"],
      [
        { timeZone: "Mars" },
        "timeZone",
        "timeZone must be the name of a time zone, such as Europe/Oslo, or asWritten, or null",
      ],
      [
        { encoding: "utf-7" },
        "encoding",
        "encoding must be windows-1252, windows-1250, windows-1251, shift_jis, macintosh",
      ],
      [{ values: { method: 1 } }, "values.method", "values.method must be an object"],
      [{ person: "" }, "person", "person must be a name of the file, or null"],
      [{ mapping: [] }, "mapping", "mapping must have 4 items, one for each column"],
    ],
    faults: [...POST_FAULTS, "session", "missing", "body", "conflict"],
    codes: { conflict: "already_imported" },
    shape: viewOf("PT"),
  },
  {
    method: "DELETE",
    path: ({ importId }, faults = []) => `/api/imports/${faults.includes("missing") ? 999_999 : importId}`,
    oddPaths: ODD_RECORDS("/api/imports"),
    faults: ["method", "crossSite", "session", "missing"],
    shape: { removed: "number", kept: "number" },
  },
  {
    method: "POST",
    path: ({ importId }, faults = []) => `/api/imports/${faults.includes("missing") ? 999_999 : importId}/apply`,
    oddPaths: ODD_RECORDS("/api/imports", "/apply"),
    faults: ["method", "crossSite", "session", "missing"],
    shape: { created: "number", skipped: "number" },
  },
  {
    method: "GET",
    path: () => "/api/export.csv",
    faults: ["method", "session"],
    shape: expect.stringMatching(
      /^\ufeff?Date,Location,Method,Hours,Brought forward,Employer,.*,Note,Verified by,Verified at,Verified via\r\n/,
    ),
    isFile: true,
  },
  {
    method: "GET",
    path: () => "/api/export.xlsx",
    faults: ["method", "session"],
    shape: expect.stringMatching(/^PK/),
    isFile: true,
  },
  {
    method: "GET",
    path: () => "/api/export.json",
    faults: ["method", "session"],
    shape: EVERYTHING,
  },
  {
    method: "GET",
    path: () => "/api/admin/export.csv",
    faults: ["method", "session", "role"],
    shape: expect.stringMatching(/^\ufeff?Name,Email,Employee Number,Registered,Role\r\n/),
    isFile: true,
  },
  {
    method: "GET",
    path: () => "/api/admin/export.xlsx",
    faults: ["method", "session", "role"],
    shape: expect.stringMatching(/^PK/),
    isFile: true,
  },
];
