import { expect } from "vitest";
import { type Call, ENTRY, ODD_RECORDS, POST_FAULTS, ROPE_HOURS, SUPERVISOR, USER } from "./call.ts";
import { TARGET } from "./certification.ts";
import { LISTED } from "./exports.ts";
import { TOKEN } from "./tokens.ts";

/** The preview of one record of a method. */
const viewOf = (method: string) => ({
  ...{ id: "number", kind: "string", columns: ["string"], mapping: ["string"], dateOrder: "string", ambiguous: "null" },
  rows: [
    {
      ...{ row: "number", cells: ["string"] },
      records: [{ date: "string", location: "string", method: "string", hours: "number", details: {} }],
    },
  ],
  ...{ values: { method: {} }, unknown: { method: [] }, people: [], person: "null" },
  sums: { total: "number", method: { [method]: "number" }, stated: "null" },
  ...{ errors: [], duplicates: [], skip: [], count: "number", ready: "number" },
});

const REQUEST = {
  ...{ id: "number", supervisorName: "string", supervisorEmail: "string", verificationToken: "string" },
  ...{ createdAt: "string", askedAt: "string", expiresAt: "string", openedAt: "null", endedAt: "null" },
  items: [{ type: "string", id: "number", state: "string", reason: "null" }],
};

/** The calls of imports and exports. */
export const TRANSFER: Call[] = [
  {
    method: "POST",
    path: () => "/api/imports",
    allow: "POST",
    access: "private",
    body: () => ({ text: "Date,Location,Method,Hours\n2026-11-20,Rig,MT,2" }),
    badBodies: [[{}, "text", "text is required"]],
    faults: [...POST_FAULTS, "session", "body"],
    status: 201,
    shape: viewOf("MT"),
  },
  {
    method: "PATCH",
    path: ({ importId, appliedImportId }, faults = []) =>
      `/api/imports/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? appliedImportId : importId}`,
    oddPaths: ODD_RECORDS("/api/imports"),
    allow: "PATCH, DELETE",
    access: "private",
    body: () => ({ dateOrder: "dmy" }),
    badBodies: [
      [{ dateOrder: "x" }, "dateOrder", "dateOrder must be ymd, dmy or mdy"],
      [{ values: { method: 1 } }, "values.method", "values.method must be an object"],
      [{ person: "" }, "person", "person must be a name of the file, or null"],
      [{ mapping: [] }, "mapping", "mapping must have 4 items, one for each column"],
    ],
    faults: [...POST_FAULTS, "session", "missing", "body", "conflict"],
    status: 200,
    shape: viewOf("PT"),
  },
  {
    method: "DELETE",
    path: ({ importId }, faults = []) => `/api/imports/${faults.includes("missing") ? 999_999 : importId}`,
    oddPaths: ODD_RECORDS("/api/imports"),
    allow: "PATCH, DELETE",
    access: "private",
    faults: ["method", "crossSite", "session", "missing"],
    status: 200,
    shape: { removed: "number", kept: "number" },
  },
  {
    method: "POST",
    path: ({ importId }, faults = []) => `/api/imports/${faults.includes("missing") ? 999_999 : importId}/apply`,
    oddPaths: ODD_RECORDS("/api/imports", "/apply"),
    allow: "POST",
    access: "private",
    faults: ["method", "crossSite", "session", "missing"],
    status: 200,
    shape: { created: "number", skipped: "number" },
  },
  {
    method: "GET",
    path: () => "/api/export.csv",
    allow: "GET, HEAD",
    access: "private",
    faults: ["method", "session"],
    status: 200,
    shape: expect.stringMatching(
      /^\ufeff?Date,Location,Method,Hours,Brought forward,Employer,.*,Note,Verified by,Verified at,Verified via\r\n/,
    ),
    isFile: true,
  },
  {
    method: "GET",
    path: () => "/api/export.json",
    allow: "GET, HEAD",
    access: "private",
    faults: ["method", "session"],
    status: 200,
    shape: {
      account: USER,
      entries: [ENTRY],
      ropeHours: [ROPE_HOURS],
      supervisors: [SUPERVISOR],
      requests: [REQUEST],
      auditLog: [],
      ...{ targets: [TARGET], exports: [LISTED], tokens: [TOKEN] },
    },
  },
  {
    method: "GET",
    path: () => "/api/admin/export.csv",
    allow: "GET, HEAD",
    access: "admin",
    faults: ["method", "session", "role"],
    status: 200,
    shape: expect.stringMatching(/^\ufeff?Name,Email,Employee Number,Registered,Role\r\n/),
    isFile: true,
  },
];
