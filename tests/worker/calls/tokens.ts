import { type CallRow, ODD_RECORDS, POST_FAULTS } from "./call.ts";

export const TOKEN = {
  id: "number",
  name: "string",
  access: "string",
  createdAt: "string",
  lastUsedAt: "null",
  expiresOn: "string",
};

/** The calls of API tokens. */
export const TOKENS: CallRow[] = [
  {
    method: "GET",
    path: () => "/api/tokens",
    faults: ["method", "session"],
    shape: [TOKEN],
  },
  {
    method: "POST",
    path: () => "/api/tokens",
    body: () => ({ name: "Payroll", access: "read" }),
    badBodies: [
      [{ access: "read" }, "name", "Name is required"],
      [{ name: " \u3164", access: "read" }, "name", "Name is required"],
      [{ name: "x".repeat(201), access: "read" }, "name", "Name must be at most 200 characters"],
      [{ name: "Payroll" }, "access", "Access must be read or write"],
      [{ name: "Payroll", access: "admin" }, "access", "Access must be read or write"],
      ...[20261231, "2026-02-30", "31.12.2026", ""].map((expiresOn): [object, string, string] => [
        { name: "Payroll", access: "read", expiresOn },
        "expiresOn",
        "The last day must be a date, YYYY-MM-DD",
      ]),
      [
        { name: "Payroll", access: "read", expiresOn: "2026-01-01" },
        "expiresOn",
        "This day is over. Choose a later last day.",
      ],
      [
        { name: "Payroll", access: "read", expiresOn: "9999-12-31" },
        "expiresOn",
        "A token works for five years at most. Choose an earlier last day.",
      ],
      [[], "", "A token is an object with name, access and, if you like, expiresOn"],
    ],
    faults: [...POST_FAULTS, "session", "body"],
    shape: { ...TOKEN, token: "string" },
  },
  {
    method: "DELETE",
    path: ({ readTokenId }, faults = []) => `/api/tokens/${faults.includes("missing") ? 999_999 : readTokenId}`,
    othersPath: ({ othersTokenId }) => `/api/tokens/${othersTokenId}`,
    oddPaths: ODD_RECORDS("/api/tokens"),
    faults: ["method", "crossSite", "session", "missing"],
    shape: { message: "string" },
  },
];

/** The calls of service tokens, which all admins see. */
export const SERVICE_TOKENS: CallRow[] = [
  {
    method: "GET",
    path: (_world, faults = []) => `/api/admin/tokens${faults.includes("body") ? "?limit=0" : ""}`,
    faults: ["method", "session", "role", "body"],
    shape: [{ ...TOKEN, user: { id: "number", name: "string", email: "string" } }],
  },
  {
    method: "POST",
    path: () => "/api/admin/tokens",
    body: () => ({ name: "HR", access: "read" }),
    badBodies: [
      [{ access: "read" }, "name", "Name is required"],
      [{ name: "HR", access: "write" }, "access", "Access must be read"],
      [{ name: "HR", access: "read", expiresOn: "soon" }, "expiresOn", "The last day must be a date, YYYY-MM-DD"],
    ],
    faults: [...POST_FAULTS, "session", "role", "body"],
    shape: { ...TOKEN, token: "string" },
  },
  {
    method: "DELETE",
    path: ({ serviceTokenId }, faults = []) =>
      `/api/admin/tokens/${faults.includes("missing") ? 999_999 : serviceTokenId}`,
    oddPaths: ODD_RECORDS("/api/admin/tokens"),
    faults: ["method", "crossSite", "session", "role", "missing"],
    shape: { message: "string" },
  },
];
