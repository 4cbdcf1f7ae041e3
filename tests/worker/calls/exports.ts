import { UNKNOWN_CODE } from "#tests/worker/stored-export.ts";
import { type CallRow, ODD_IDS, POST_FAULTS } from "./call.ts";

export const LISTED = {
  id: "number",
  form: "string",
  from: "null",
  to: "null",
  part: "null",
  code: "string",
  url: "string",
  madeAt: "string",
  records: "number",
  hours: "number",
  checks: "number",
  checkedAt: "null",
  closedAt: "null",
};

const FORM_MESSAGE = "form must be ojt or detailed-log or rope-access-log or training-and-certificates";

/** The calls of exports: a technician's, and the check that anyone makes. */
export const EXPORTS: CallRow[] = [
  {
    method: "GET",
    path: () => "/api/exports",
    faults: ["method", "session"],
    shape: [LISTED],
  },
  {
    method: "POST",
    path: () => "/api/exports",
    body: () => ({ form: "ojt" }),
    badBodies: [
      [{}, "form", FORM_MESSAGE],
      [{ form: "entries" }, "form", FORM_MESSAGE],
      [{ form: ["ojt"] }, "form", FORM_MESSAGE],
    ],
    faults: [...POST_FAULTS, "session", "body"],
    shape: {
      id: "number",
      code: "string",
      url: "string",
      madeAt: "string",
      statement: "string",
      form: {
        name: "string",
        title: "string",
        employeeName: "string",
        employeeNumber: "string",
        dates: "string",
        texts: ["string"],
        columns: ["string"],
        supervisors: "string",
        rows: [
          {
            id: "number",
            days: ["string"],
            texts: ["string"],
            column: "number",
            hundredths: "number",
            supervisor: "string",
            via: "string",
            notes: ["string"],
          },
        ],
        part: "null",
        explained: ["string"],
        statement: "string",
        signature: "string",
        day: "string",
        code: "string",
        proof: {
          code: "string",
          url: "string",
          statement: "string",
          checkpoint: "null",
          qr: { size: "number", path: "string" },
          statementQr: { size: "number", path: "string" },
        },
      },
    },
  },
  {
    method: "DELETE",
    path: ({ exportId }, faults = []) => `/api/exports/${faults.includes("missing") ? 999_999 : exportId}`,
    oddPaths: ODD_IDS.map((id) => `/api/exports/${id}`),
    faults: ["method", "crossSite", "session", "missing"],
    shape: { ...LISTED, code: "null", url: "null", closedAt: "string" },
  },
  {
    method: "GET",
    path: ({ exportCode }, faults = []) => `/api/check/${faults.includes("missing") ? UNKNOWN_CODE : exportCode}`,
    faults: ["method", "missing"],
    shape: {
      form: "string",
      madeAt: "string",
      technician: { name: "string", employeeNumber: "null" },
      stillVerified: { total: "number" },
      states: { unchanged: "number", changed: "number", disowned: "number", deleted: "number" },
      totals: { MT: "number", total: "number" },
      records: [
        {
          type: "string",
          date: "string",
          location: "string",
          method: "string",
          hours: "number",
          broughtForward: "boolean",
          supervisor: "string",
          via: "string",
          domain: "null",
          state: "string",
          withdrawnAt: "null",
          createdAt: "null",
          verifiedAt: "null",
          certification: "null",
          confirmedAt: "null",
        },
      ],
      statement: "null",
    },
  },
];
