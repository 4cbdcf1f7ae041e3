import { type Call, ENTRY, NO_TOKEN, ODD_IDS, ODD_TOKENS, POST_FAULTS, ROPE_HOURS, UNVERIFIED, WORK } from "./call.ts";

/** The request to verify an entry: made by POST, withdrawn by DELETE. */
const REQUEST: Pick<Call, "path" | "othersPath" | "oddPaths" | "allow" | "access"> = {
  path: ({ entryId, verifiedId }, faults = []) =>
    `/api/verify-request/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? verifiedId : entryId}`,
  othersPath: ({ othersEntryId }) => `/api/verify-request/${othersEntryId}`,
  oddPaths: ODD_IDS.map((id) => `/api/verify-request/${id}`),
  allow: "POST, DELETE",
  access: "private",
};

/** The request to verify rope hours: made by POST, withdrawn by DELETE. */
const REQUEST_ROPE: Pick<Call, "path" | "othersPath" | "oddPaths" | "allow" | "access"> = {
  path: ({ ropeId, verifiedRopeId }, faults = []) =>
    `/api/verify-request-rope/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? verifiedRopeId : ropeId}`,
  othersPath: ({ othersRopeId }) => `/api/verify-request-rope/${othersRopeId}`,
  oddPaths: ODD_IDS.map((id) => `/api/verify-request-rope/${id}`),
  allow: "POST, DELETE",
  access: "private",
};

/** The calls of verification: a technician's requests, and a supervisor's link. */
export const VERIFICATION: Call[] = [
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
    status: 200,
    shape: { ...ENTRY, verificationToken: "string", verificationUrl: "string", emailed: "boolean" },
  },
  {
    method: "DELETE",
    ...REQUEST,
    faults: ["method", "crossSite", "session", "missing", "conflict"],
    status: 200,
    shape: ENTRY,
  },
  {
    method: "GET",
    path: ({ token, usedToken }, faults = []) => {
      // A missing record belongs to no user, so a link can have only one of these two faults.
      if (faults.includes("missing") && !faults.includes("ownHours")) return `/api/verify/${NO_TOKEN}`;
      return `/api/verify/${faults.includes("conflict") ? usedToken : token}`;
    },
    oddPaths: ODD_TOKENS.map((token) => `/api/verify/${token}`),
    allow: "GET, HEAD, POST",
    access: "public",
    faults: ["method", "missing", "conflict"],
    status: 200,
    shape: { type: "string", user: { name: "string", employeeNumber: "string" }, entry: { ...WORK, ...UNVERIFIED } },
  },
  {
    method: "POST",
    path: ({ token, usedToken }, faults = []) => {
      // A missing record belongs to no user, so a link can have only one of these two faults.
      if (faults.includes("missing") && !faults.includes("ownHours")) return `/api/verify/${NO_TOKEN}`;
      return `/api/verify/${faults.includes("conflict") ? usedToken : token}`;
    },
    oddPaths: ODD_TOKENS.map((token) => `/api/verify/${token}`),
    allow: "GET, HEAD, POST",
    access: "public",
    body: () => ({ supervisorName: "Ola Hansen" }),
    badBodies: [
      [{}, "supervisorName", "Name is required"],
      [{ supervisorName: " \u200b" }, "supervisorName", "Name is required"],
      [{ supervisorName: 7 }, "supervisorName", "Name is required"],
      [{ supervisorName: "x".repeat(201) }, "supervisorName", "Name must be at most 200 characters"],
      [{ supervisorName: "Ola Hansen", shown: 7 }, "shown", "shown must be text"],
    ],
    faults: [...POST_FAULTS, "ownHours", "missing", "body", "conflict"],
    status: 200,
    shape: {
      message: "string",
      entry: { ...WORK, verified: "boolean", verifiedBy: "string", verifiedAt: "string", createdAt: "string" },
    },
  },
  {
    method: "POST",
    path: ({ token, usedToken }, faults = []) => {
      // As above.
      if (faults.includes("missing") && !faults.includes("ownHours")) return `/api/verify/${NO_TOKEN}/decline`;
      return `/api/verify/${faults.includes("conflict") ? usedToken : token}/decline`;
    },
    oddPaths: ODD_TOKENS.map((token) => `/api/verify/${token}/decline`),
    allow: "POST",
    access: "public",
    body: () => ({ supervisorName: "Ola Hansen", reason: "Not my shift" }),
    badBodies: [
      [{ reason: "No" }, "supervisorName", "Name is required"],
      [{ supervisorName: "Ola Hansen" }, "reason", "Give a reason"],
      [{ supervisorName: "Ola Hansen", reason: " \u200b" }, "reason", "Give a reason"],
      [{ supervisorName: "Ola Hansen", reason: "x".repeat(501) }, "reason", "Reason must be at most 500 characters"],
    ],
    faults: [...POST_FAULTS, "ownHours", "missing", "body", "conflict"],
    status: 200,
    shape: { message: "string" },
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
    status: 200,
    shape: { ...ROPE_HOURS, verificationToken: "string", verificationUrl: "string", emailed: "boolean" },
  },
  {
    method: "DELETE",
    ...REQUEST_ROPE,
    faults: ["method", "crossSite", "session", "missing", "conflict"],
    status: 200,
    shape: ROPE_HOURS,
  },
];
