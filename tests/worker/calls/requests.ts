import { type CallRow, ENTRY, ODD_IDS, POST_FAULTS, ROPE_HOURS } from "./call.ts";

/** The request to verify an entry: made by POST, withdrawn by DELETE. */
const REQUEST: Pick<CallRow, "path" | "othersPath" | "oddPaths"> = {
  path: ({ entryId, verifiedId }, faults = []) =>
    `/api/verify-request/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? verifiedId : entryId}`,
  othersPath: ({ othersEntryId }) => `/api/verify-request/${othersEntryId}`,
  oddPaths: ODD_IDS.map((id) => `/api/verify-request/${id}`),
};

/** The request to verify rope hours: made by POST, withdrawn by DELETE. */
const REQUEST_ROPE: Pick<CallRow, "path" | "othersPath" | "oddPaths"> = {
  path: ({ ropeId, verifiedRopeId }, faults = []) =>
    `/api/verify-request-rope/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? verifiedRopeId : ropeId}`,
  othersPath: ({ othersRopeId }) => `/api/verify-request-rope/${othersRopeId}`,
  oddPaths: ODD_IDS.map((id) => `/api/verify-request-rope/${id}`),
};

/** A technician's requests for several records. */
const REQUESTS: Pick<CallRow, "path" | "othersPath"> = {
  path: () => "/api/verification-requests",
};

/** One of them. */
const ONE_REQUEST: Pick<CallRow, "path" | "oddPaths"> = {
  path: ({ requestId }, faults = []) =>
    `/api/verification-requests/${faults.includes("missing") ? 999_999 : requestId}`,
  oddPaths: ODD_IDS.map((id) => `/api/verification-requests/${id}`),
};

const OWN_REQUEST = {
  id: "number",
  supervisor: { id: "null", name: "string", email: "string" },
  verificationToken: "string",
  verificationUrl: "string",
  emailed: "boolean",
  reminders: "boolean",
  emailedReason: "null",
  createdAt: "string",
  expiresAt: "string",
  endedAt: "null",
  openedAt: "null",
  items: [{ type: "string", id: "number", state: "string", reason: "null" }],
};

/** The calls of a technician's verification requests. */
export const REQUEST_CALLS: CallRow[] = [
  {
    method: "POST",
    ...REQUESTS,
    body: ({ supervisorId, entryId, verifiedId }, faults = []) => ({
      supervisorId: faults.includes("missing") ? 999_999 : supervisorId,
      records: [{ type: "entry", id: faults.includes("conflict") ? verifiedId : entryId }],
    }),
    badBodies: [
      [{ supervisorId: 1 }, "records", "records must be a list"],
      [{ supervisorId: 1, records: [] }, "records", "Choose at least one record"],
      [{ supervisorId: 1, records: [{ type: "x", id: 1 }] }, "records.0.type", "type must name a kind of record"],
      [{ records: [{ type: "entry", id: 1 }] }, "supervisorId", "Choose a supervisor"],
    ],
    // Without a valid body nothing in it can be missing.
    faults: [...POST_FAULTS, "session", "body", "conflict"],
    shape: {
      ...OWN_REQUEST,
      supervisor: { id: "number", name: "string", email: "string" },
      emailedReason: "string",
    },
  },
  {
    method: "GET",
    ...REQUESTS,
    faults: ["method", "session"],
    shape: [OWN_REQUEST],
  },
  {
    method: "GET",
    ...ONE_REQUEST,
    faults: ["method", "session", "missing"],
    shape: OWN_REQUEST,
  },
  {
    method: "PATCH",
    ...ONE_REQUEST,
    body: () => ({ reminders: false }),
    badBodies: [
      [{}, "reminders", "reminders must be true or false"],
      [{ reminders: "no" }, "reminders", "reminders must be true or false"],
    ],
    faults: [...POST_FAULTS, "session", "missing", "body"],
    shape: OWN_REQUEST,
  },
  {
    method: "DELETE",
    ...ONE_REQUEST,
    faults: ["method", "crossSite", "session", "missing"],
    shape: { ...OWN_REQUEST, endedAt: "string" },
  },
  {
    method: "POST",
    path: ({ requestId, endedRequestId }, faults = []) =>
      `/api/verification-requests/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? endedRequestId : requestId}/remind`,
    oddPaths: ODD_IDS.map((id) => `/api/verification-requests/${id}/remind`),
    faults: ["method", "crossSite", "session", "missing", "conflict"],
    codes: { conflict: "request_ended" },
    shape: { ...OWN_REQUEST, emailedReason: "string" },
  },
  {
    method: "POST",
    ...REQUEST,
    body: ({ supervisorId }) => ({ supervisorId }),
    badBodies: [
      [{}, "supervisorId", "Choose a supervisor"],
      [{ supervisorId: 0 }, "supervisorId", "Choose a supervisor"],
      [{ supervisorId: 1.5 }, "supervisorId", "Choose a supervisor"],
      [{ supervisorId: "abc" }, "supervisorId", "Choose a supervisor"],
    ],
    faults: [...POST_FAULTS, "session", "missing", "body", "conflict"],
    shape: {
      ...ENTRY,
      verificationToken: "string",
      verificationUrl: "string",
      emailed: "boolean",
      emailedReason: "string",
    },
  },
  {
    method: "DELETE",
    ...REQUEST,
    faults: ["method", "crossSite", "session", "missing", "conflict"],
    shape: ENTRY,
  },
  {
    method: "POST",
    ...REQUEST_ROPE,
    body: ({ supervisorId }) => ({ supervisorId }),
    badBodies: [
      [{}, "supervisorId", "Choose a supervisor"],
      [{ supervisorId: "abc" }, "supervisorId", "Choose a supervisor"],
    ],
    faults: [...POST_FAULTS, "session", "missing", "body", "conflict"],
    shape: {
      ...ROPE_HOURS,
      verificationToken: "string",
      verificationUrl: "string",
      emailed: "boolean",
      emailedReason: "string",
    },
  },
  {
    method: "DELETE",
    ...REQUEST_ROPE,
    faults: ["method", "crossSite", "session", "missing", "conflict"],
    shape: ROPE_HOURS,
  },
];
