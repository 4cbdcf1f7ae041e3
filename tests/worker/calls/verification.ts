import { type CallRow, NO_TOKEN, ODD_TOKENS, POST_FAULTS, UNVERIFIED, WORK } from "./call.ts";

type Notice = Pick<CallRow, "path" | "oddPaths">;

const DISOWN: Notice = {
  path: ({ disownToken }, faults = []) => `/api/disown/${faults.includes("missing") ? NO_TOKEN : disownToken}`,
  oddPaths: ODD_TOKENS.map((token) => `/api/disown/${token}`),
};
const CONFIRM: Notice = {
  ...DISOWN,
  path: ({ confirmToken }, faults = []) => `/api/confirm/${faults.includes("missing") ? NO_TOKEN : confirmToken}`,
  oddPaths: ODD_TOKENS.map((token) => `/api/confirm/${token}`),
};

/** The fields of the notice of a link. */
const NOTICE = {
  supervisor: { name: "string" },
  records: [
    {
      type: "string",
      user: { name: "string", employeeNumber: "string" },
      entry: {
        ...WORK,
        ...UNVERIFIED,
        verifiedBy: "string",
        verifiedAt: "string",
        verifiedVia: "string",
      },
      certification: "null",
      basis: "null",
    },
  ],
};

const NOT_A_RECORD = [{ records: [{ type: "entry" }] }, "records.0.id", "id must be a number"] as const;
const NO_RECORDS = [{ records: [] }, "records", "Choose at least one record"] as const;

/** The calls of a supervisor's links. */
export const VERIFICATION: CallRow[] = [
  { method: "GET", ...DISOWN, faults: ["method", "missing"], shape: NOTICE },
  { method: "GET", ...CONFIRM, faults: ["method", "missing"], shape: NOTICE },
  {
    method: "POST",
    ...CONFIRM,
    body: () => ({}),
    badBodies: [[...NOT_A_RECORD], [...NO_RECORDS]],
    faults: [...POST_FAULTS, "missing", "body"],
    shape: { message: "string", confirmed: "number" },
  },
  {
    method: "POST",
    ...DISOWN,
    body: () => ({ reason: "I was on leave" }),
    badBodies: [
      [{ reason: "x".repeat(501) }, "reason", "Reason must be at most 500 characters"],
      [...NOT_A_RECORD],
      [...NO_RECORDS],
    ],
    faults: [...POST_FAULTS, "missing", "body"],
    shape: { message: "string", disowned: "number" },
  },
  {
    method: "POST",
    path: () => "/api/supervisor-inbox",
    body: () => ({ email: "ola@example.org" }),
    badBodies: [[{}, "email", "Please enter a valid email address"]],
    faults: [...POST_FAULTS, "body"],
    shape: { message: "string" },
  },
  {
    method: "GET",
    path: ({ token, usedToken }, faults = []) => {
      // A missing record belongs to no user, so a link can have only one of these two faults.
      if (faults.includes("missing") && !faults.includes("ownHours")) return `/api/verify/${NO_TOKEN}`;
      return `/api/verify/${faults.includes("conflict") ? usedToken : token}`;
    },
    oddPaths: ODD_TOKENS.map((token) => `/api/verify/${token}`),
    faults: ["method", "missing", "conflict"],
    codes: { conflict: "already_answered" },
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
    body: () => ({ supervisorName: "Ola Hansen" }),
    badBodies: [
      [{}, "supervisorName", "Name is required"],
      [{ supervisorName: " \u200b" }, "supervisorName", "Name is required"],
      [{ supervisorName: 7 }, "supervisorName", "Name is required"],
      [{ supervisorName: "x".repeat(201) }, "supervisorName", "Name must be at most 200 characters"],
      [
        { supervisorName: "Ola Hansen", shown: 7 },
        "shown",
        "shown must be text, or a list of objects with type, id and hash",
      ],
    ],
    faults: [...POST_FAULTS, "ownHours", "missing", "body", "conflict"],
    codes: { conflict: "already_answered" },
    shape: {
      message: "string",
      entry: { ...WORK, ...UNVERIFIED, verifiedBy: "string", verifiedAt: "string", verifiedVia: "string" },
    },
  },
  {
    method: "POST",
    path: ({ token, usedToken }, faults = []) => {
      if (faults.includes("missing") && !faults.includes("ownHours")) return `/api/verify/${NO_TOKEN}/decline`;
      return `/api/verify/${faults.includes("conflict") ? usedToken : token}/decline`;
    },
    oddPaths: ODD_TOKENS.map((token) => `/api/verify/${token}/decline`),
    body: () => ({ supervisorName: "Ola Hansen", reason: "It was another day" }),
    badBodies: [
      [{ reason: "It was another day" }, "supervisorName", "Name is required"],
      [{ supervisorName: "Ola Hansen" }, "reason", "Give a reason"],
      [{ supervisorName: "Ola Hansen", reason: " \u200b" }, "reason", "Give a reason"],
      [{ supervisorName: "Ola Hansen", reason: "x".repeat(501) }, "reason", "Reason must be at most 500 characters"],
    ],
    faults: [...POST_FAULTS, "ownHours", "missing", "body", "conflict"],
    codes: { conflict: "already_answered" },
    shape: { message: "string" },
  },
  {
    method: "POST",
    path: ({ token, usedToken }, faults = []) => {
      if (faults.includes("missing") && !faults.includes("ownHours")) return `/api/verify/${NO_TOKEN}/unknown`;
      return `/api/verify/${faults.includes("conflict") ? usedToken : token}/unknown`;
    },
    oddPaths: ODD_TOKENS.map((token) => `/api/verify/${token}/unknown`),
    faults: ["method", "crossSite", "size", "ownHours", "missing", "conflict"],
    codes: { conflict: "already_answered" },
    shape: { message: "string" },
  },
];
