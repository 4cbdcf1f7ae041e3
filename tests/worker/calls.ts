import { anEntry, aRopeHours, aSupervisor, PASSWORD } from "./people.ts";
import type { World } from "./world.ts";

/** The faults of a request, in the order in which product.md has them refused. */
export const FAULTS = {
  method: 405,
  crossSite: 403,
  size: 413,
  type: 415,
  session: 401,
  ownHours: 403,
  role: 403,
  missing: 404,
  body: 400,
  conflict: 409,
} as const;
export type Fault = keyof typeof FAULTS;

export interface Call {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /**
   * The call's address; with `missing` that of something that does not exist, with `conflict` of something already
   * used.
   */
  path: (world: World, faults?: Fault[]) => string;
  /** Addresses of another user's records. */
  othersPath?: (world: World) => string;
  /** Addresses with an invalid id or token. */
  oddPaths?: string[];
  allow: string;
  access: "private" | "public" | "admin";
  /** A valid body; with `conflict` one that is answered 409. */
  body?: (world: World, faults?: Fault[]) => unknown;
  /** Invalid bodies, with the field and the message. */
  badBodies?: [body: unknown, path: string, message: string][];
  /** The faults that this call can have. */
  faults: Fault[];
  status: number;
  shape: unknown;
}

const USER = {
  id: "number",
  email: "string",
  name: "string",
  employeeNumber: "string",
  isAdmin: "boolean",
  createdAt: "string",
};
const UNVERIFIED = { verified: "boolean", verifiedBy: "null", verifiedAt: "null", createdAt: "string" };
const WORK = { id: "number", date: "string", location: "string", method: "string", hours: "number" };
const ENTRY = { userId: "number", ...WORK, ...UNVERIFIED };
const ROPE_HOURS = {
  ...{ id: "number", userId: "number", startDate: "string", endDate: "string" },
  ...{ location: "string", skills: "string", hours: "number", ...UNVERIFIED },
};
const SUPERVISOR = {
  id: "number",
  name: "string",
  email: "string",
  phone: "string",
  certificationLevel: "string",
  company: "string",
};

/** The history of a record of the world: its request was not made through the app, so its audit log is empty. */
const HISTORY = { request: "null", log: [], intact: "boolean" };

const EMAIL = "Please enter a valid email address";
const LEVEL = "Certification level must be Level I, Level II, Level III";
const ODD_IDS = ["0", "-1", "1.5", "abc", "1e3", "%20", "9007199254740993", "99999999999999999999", "1%00"];
const NO_TOKEN = "00000000-0000-4000-8000-000000000000";
const ODD_TOKENS = ["abc", "1", "%27--", "%0A", "%C3%A9", `${NO_TOKEN}x`, "null"];

const ODD_RECORDS = (path: string, more = "") => ODD_IDS.map((id) => `${path}/${id}${more}`);
const POST_FAULTS: Fault[] = ["method", "crossSite", "size", "type"];

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

/** Every API call, with its description in product.md. */
export const CALLS: Call[] = [
  {
    method: "GET",
    path: () => "/api/user",
    allow: "GET, HEAD, PATCH, DELETE",
    access: "private",
    faults: ["method", "session"],
    status: 200,
    shape: USER,
  },
  {
    method: "PATCH",
    path: () => "/api/user",
    allow: "GET, HEAD, PATCH, DELETE",
    access: "private",
    body: () => ({ name: "Kari Aas", employeeNumber: "NDT-8" }),
    badBodies: [
      [{ name: "K" }, "name", "Name must be at least 2 characters"],
      [{ name: 7 }, "name", "Name must be text"],
      [{ name: "x".repeat(201) }, "name", "Name must be at most 200 characters"],
      [{ employeeNumber: true }, "employeeNumber", "Employee number must be text"],
      [{ employeeNumber: "x".repeat(201) }, "employeeNumber", "Employee number must be at most 200 characters"],
      [[], "", "A change is an object with name or employeeNumber"],
    ],
    faults: [...POST_FAULTS, "session", "body"],
    status: 200,
    shape: USER,
  },
  {
    method: "DELETE",
    path: () => "/api/user",
    allow: "GET, HEAD, PATCH, DELETE",
    access: "private",
    body: () => ({ password: PASSWORD }),
    badBodies: [
      [{}, "password", "Password is required"],
      [{ password: "" }, "password", "Password is required"],
      [{ password: 12345678 }, "password", "Password is required"],
      [{ password: "a wrong password" }, "password", "That is not your current password"],
    ],
    faults: [...POST_FAULTS, "session", "body"],
    status: 200,
    shape: { message: "string" },
  },
  {
    method: "POST",
    path: () => "/api/user/password",
    allow: "POST",
    access: "private",
    body: () => ({ currentPassword: PASSWORD, newPassword: "a brand new password" }),
    badBodies: [
      [{ newPassword: PASSWORD }, "currentPassword", "Password is required"],
      [{ currentPassword: PASSWORD }, "newPassword", "Password must be at least 8 characters"],
      [
        { currentPassword: PASSWORD, newPassword: "x".repeat(129) },
        "newPassword",
        "Password must be at most 128 characters",
      ],
      [
        { currentPassword: "a wrong password", newPassword: "a brand new password" },
        "currentPassword",
        "That is not your current password",
      ],
    ],
    faults: [...POST_FAULTS, "session", "body"],
    status: 200,
    shape: { message: "string" },
  },
  {
    method: "GET",
    path: () => "/api/user/sessions",
    allow: "GET, HEAD, DELETE",
    access: "private",
    faults: ["method", "session"],
    status: 200,
    shape: [
      {
        reference: "string",
        isCurrent: "boolean",
        createdAt: "string",
        address: "string",
        place: "null",
        browser: "string",
      },
    ],
  },
  {
    method: "DELETE",
    path: () => "/api/user/sessions",
    allow: "GET, HEAD, DELETE",
    access: "private",
    faults: ["method", "crossSite", "session"],
    status: 200,
    shape: { message: "string" },
  },
  {
    method: "DELETE",
    path: ({ ownSession }, faults = []) =>
      `/api/user/sessions/${faults.includes("missing") ? "0123456789abcdef" : ownSession}`,
    othersPath: ({ othersSession }) => `/api/user/sessions/${othersSession}`,
    oddPaths: ["0", "abc", "%27--", "%0A", "others"].map((reference) => `/api/user/sessions/${reference}`),
    allow: "DELETE",
    access: "private",
    faults: ["method", "crossSite", "session", "missing"],
    status: 200,
    shape: { message: "string" },
  },
  {
    method: "POST",
    path: () => "/api/auth/register",
    allow: "POST",
    access: "public",
    body: (world, faults) => ({
      email: faults?.includes("conflict") ? world.owner.user.email : world.freshEmail,
      password: PASSWORD,
      name: "Kari Nordmann",
      employeeNumber: "NDT-7",
    }),
    badBodies: [
      [{ password: PASSWORD }, "email", EMAIL],
      [{ email: "kari", password: PASSWORD }, "email", EMAIL],
      [{ email: 7, password: PASSWORD }, "email", EMAIL],
      [{ email: "a@example.com" }, "password", "Password must be at least 8 characters"],
      [{ email: "a@example.com", password: "1234567" }, "password", "Password must be at least 8 characters"],
      [{ email: "a@example.com", password: PASSWORD, name: "K" }, "name", "Name must be at least 2 characters"],
      [{ email: "a@example.com", password: PASSWORD, name: 7 }, "name", "Name must be text"],
    ],
    faults: [...POST_FAULTS, "body", "conflict"],
    status: 201,
    shape: USER,
  },
  {
    method: "POST",
    path: () => "/api/auth/login",
    allow: "POST",
    access: "public",
    body: ({ owner }) => ({ email: owner.user.email, password: PASSWORD }),
    badBodies: [
      [{ password: PASSWORD }, "email", EMAIL],
      [{ email: "not an address", password: PASSWORD }, "email", EMAIL],
      [{ email: "a@example.com" }, "password", "Password is required"],
      [{ email: "a@example.com", password: "" }, "password", "Password is required"],
    ],
    faults: [...POST_FAULTS, "body"],
    status: 200,
    shape: USER,
  },
  {
    method: "POST",
    path: () => "/api/auth/logout",
    allow: "POST",
    access: "public",
    body: () => ({}),
    faults: POST_FAULTS,
    status: 200,
    shape: { message: "string" },
  },
  {
    method: "POST",
    path: () => "/api/auth/reset-password",
    allow: "POST",
    access: "public",
    body: ({ owner }) => ({ email: owner.user.email }),
    badBodies: [
      [{}, "email", EMAIL],
      [{ email: "kari" }, "email", EMAIL],
      [{ email: 7 }, "email", EMAIL],
    ],
    faults: [...POST_FAULTS, "body"],
    status: 200,
    shape: { message: "string" },
  },
  {
    method: "POST",
    path: ({ resetToken }) => `/api/auth/reset-password/${resetToken}`,
    allow: "POST",
    access: "public",
    body: () => ({ password: PASSWORD }),
    badBodies: [
      [{}, "password", "Password must be at least 8 characters"],
      [{ password: "1234567" }, "password", "Password must be at least 8 characters"],
      [{ password: 12345678 }, "password", "Password must be at least 8 characters"],
      [{ password: "x".repeat(129) }, "password", "Password must be at most 128 characters"],
    ],
    faults: [...POST_FAULTS, "body"],
    status: 200,
    shape: { message: "string" },
  },
  {
    method: "GET",
    path: () => "/api/entries",
    allow: "GET, HEAD, POST",
    access: "private",
    faults: ["method", "session"],
    status: 200,
    // The newest is the verified one.
    shape: [{ ...ENTRY, verifiedBy: "string", verifiedAt: "string" }],
  },
  {
    method: "POST",
    path: () => "/api/entries",
    allow: "GET, HEAD, POST",
    access: "private",
    body: () => [anEntry(), anEntry({ method: "UT_THK" })],
    badBodies: [
      [[], "", "Add at least one entry"],
      [anEntry({ date: undefined }), "0.date", "Date is required"],
      [[anEntry(), anEntry({ location: "" })], "1.location", "Location is required"],
      [anEntry({ method: "" }), "0.method", "Method is required"],
      [anEntry({ method: "XX" }), "0.method", "Method must be one of ET, RFT, MT, PT, RT, UT Thk., UTSW, PMI, LSI"],
      [anEntry({ hours: 0 }), "0.hours", "Hours must be greater than 0"],
      [[null], "0", "An entry is an object with date, location, method and hours"],
    ],
    faults: [...POST_FAULTS, "session", "body"],
    status: 201,
    shape: [ENTRY],
  },
  {
    method: "GET",
    path: ({ verifiedId }, faults = []) =>
      `/api/entries/${faults.includes("missing") ? 999_999 : verifiedId}/verification`,
    othersPath: ({ othersEntryId }) => `/api/entries/${othersEntryId}/verification`,
    oddPaths: ODD_IDS.map((id) => `/api/entries/${id}/verification`),
    allow: "GET, HEAD",
    access: "private",
    faults: ["method", "session", "missing"],
    status: 200,
    shape: HISTORY,
  },
  {
    method: "GET",
    path: () => "/api/supervisors",
    allow: "GET, HEAD, POST",
    access: "private",
    faults: ["method", "session"],
    status: 200,
    shape: [SUPERVISOR],
  },
  {
    method: "POST",
    path: () => "/api/supervisors",
    allow: "GET, HEAD, POST",
    access: "private",
    body: () => aSupervisor(),
    badBodies: [
      [aSupervisor({ name: " " }), "name", "Name is required"],
      [aSupervisor({ email: "ola" }), "email", "Invalid email address"],
      [aSupervisor({ phone: undefined }), "phone", "Phone is required"],
      [aSupervisor({ certificationLevel: "Level IV" }), "certificationLevel", LEVEL],
      [aSupervisor({ company: "" }), "company", "Company is required"],
    ],
    faults: [...POST_FAULTS, "session", "body"],
    status: 201,
    shape: SUPERVISOR,
  },
  {
    method: "PATCH",
    path: ({ supervisorId }, faults = []) => `/api/supervisors/${faults.includes("missing") ? 999_999 : supervisorId}`,
    othersPath: ({ othersSupervisorId }) => `/api/supervisors/${othersSupervisorId}`,
    oddPaths: ODD_RECORDS("/api/supervisors"),
    allow: "PATCH, DELETE",
    access: "private",
    body: () => ({ phone: "+47 555 99 999" }),
    badBodies: [
      [{ name: " " }, "name", "Name is required"],
      [{ email: "ola" }, "email", "Invalid email address"],
      [{ phone: null }, "phone", "Phone is required"],
      [{ certificationLevel: "Level IV" }, "certificationLevel", LEVEL],
      [{ company: "" }, "company", "Company is required"],
    ],
    faults: [...POST_FAULTS, "session", "missing", "body"],
    status: 200,
    shape: SUPERVISOR,
  },
  {
    method: "DELETE",
    path: ({ supervisorId }, faults = []) => `/api/supervisors/${faults.includes("missing") ? 999_999 : supervisorId}`,
    othersPath: ({ othersSupervisorId }) => `/api/supervisors/${othersSupervisorId}`,
    oddPaths: ODD_RECORDS("/api/supervisors"),
    allow: "PATCH, DELETE",
    access: "private",
    faults: ["method", "crossSite", "session", "missing"],
    status: 200,
    shape: { message: "string" },
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
    method: "GET",
    path: () => "/api/rope-hours",
    allow: "GET, HEAD, POST",
    access: "private",
    faults: ["method", "session"],
    status: 200,
    // The newest is the verified one.
    shape: [{ ...ROPE_HOURS, verifiedBy: "string", verifiedAt: "string" }],
  },
  {
    method: "POST",
    path: () => "/api/rope-hours",
    allow: "GET, HEAD, POST",
    access: "private",
    body: () => aRopeHours(),
    badBodies: [
      [{}, "startDate", "Please fill in all fields"],
      [aRopeHours({ location: " " }), "location", "Please fill in all fields"],
      [aRopeHours({ hours: "abc" }), "hours", "Please fill in all fields"],
      [aRopeHours({ hours: -1 }), "hours", "Hours must be 0 or more"],
      [aRopeHours({ endDate: "2026-11-16" }), "endDate", "End date must be after start date"],
      [aRopeHours({ skills: "x".repeat(2001) }), "skills", "Skills must be at most 2,000 characters"],
    ],
    faults: [...POST_FAULTS, "session", "body"],
    status: 201,
    shape: ROPE_HOURS,
  },
  {
    method: "GET",
    path: ({ verifiedRopeId }, faults = []) =>
      `/api/rope-hours/${faults.includes("missing") ? 999_999 : verifiedRopeId}/verification`,
    othersPath: ({ othersRopeId }) => `/api/rope-hours/${othersRopeId}/verification`,
    oddPaths: ODD_IDS.map((id) => `/api/rope-hours/${id}/verification`),
    allow: "GET, HEAD",
    access: "private",
    faults: ["method", "session", "missing"],
    status: 200,
    shape: HISTORY,
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
  {
    method: "PATCH",
    path: ({ entryId, verifiedId }, faults = []) =>
      `/api/entries/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? verifiedId : entryId}`,
    othersPath: ({ othersEntryId }) => `/api/entries/${othersEntryId}`,
    oddPaths: ODD_RECORDS("/api/entries"),
    allow: "PATCH, DELETE",
    access: "private",
    body: () => ({ hours: 8 }),
    badBodies: [
      [{ hours: 0 }, "hours", "Hours must be greater than 0"],
      [{ date: "2026-02-30" }, "date", "Date must be a day of the calendar, such as 2026-11-21"],
      [{ date: null }, "date", "Date is required"],
      [{ location: " " }, "location", "Location is required"],
      [{ method: "" }, "method", "Method is required"],
    ],
    faults: [...POST_FAULTS, "session", "missing", "body", "conflict"],
    status: 200,
    shape: ENTRY,
  },
  {
    method: "DELETE",
    path: ({ entryId, verifiedId }, faults = []) =>
      `/api/entries/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? verifiedId : entryId}`,
    othersPath: ({ othersEntryId }) => `/api/entries/${othersEntryId}`,
    oddPaths: ODD_RECORDS("/api/entries"),
    allow: "PATCH, DELETE",
    access: "private",
    faults: ["method", "crossSite", "session", "missing", "conflict"],
    status: 200,
    shape: { message: "string" },
  },
  {
    method: "POST",
    path: ({ deletedId }, faults = []) => `/api/entries/${faults.includes("missing") ? 999_999 : deletedId}/restore`,
    othersPath: ({ othersDeletedId }) => `/api/entries/${othersDeletedId}/restore`,
    oddPaths: ODD_RECORDS("/api/entries", "/restore"),
    allow: "POST",
    access: "private",
    body: () => ({}),
    faults: [...POST_FAULTS, "session", "missing"],
    status: 200,
    shape: ENTRY,
  },
  {
    method: "PATCH",
    path: ({ ropeId, verifiedRopeId }, faults = []) =>
      `/api/rope-hours/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? verifiedRopeId : ropeId}`,
    othersPath: ({ othersRopeId }) => `/api/rope-hours/${othersRopeId}`,
    oddPaths: ODD_RECORDS("/api/rope-hours"),
    allow: "PATCH, DELETE",
    access: "private",
    body: () => ({ skills: "Rigging" }),
    badBodies: [
      // The period ends on 2026-11-21: the rule applies to the record as it would be after the change.
      [{ startDate: "2026-11-21" }, "endDate", "End date must be after start date"],
      [{ hours: "abc" }, "hours", "Please fill in all fields"],
      [{ hours: -1 }, "hours", "Hours must be 0 or more"],
      [{ location: "" }, "location", "Please fill in all fields"],
      [{ skills: "x".repeat(2001) }, "skills", "Skills must be at most 2,000 characters"],
    ],
    faults: [...POST_FAULTS, "session", "missing", "body", "conflict"],
    status: 200,
    shape: ROPE_HOURS,
  },
  {
    method: "DELETE",
    path: ({ ropeId, verifiedRopeId }, faults = []) =>
      `/api/rope-hours/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? verifiedRopeId : ropeId}`,
    othersPath: ({ othersRopeId }) => `/api/rope-hours/${othersRopeId}`,
    oddPaths: ODD_RECORDS("/api/rope-hours"),
    allow: "PATCH, DELETE",
    access: "private",
    faults: ["method", "crossSite", "session", "missing", "conflict"],
    status: 200,
    shape: { message: "string" },
  },
  {
    method: "POST",
    path: ({ deletedRopeId }, faults = []) =>
      `/api/rope-hours/${faults.includes("missing") ? 999_999 : deletedRopeId}/restore`,
    oddPaths: ODD_RECORDS("/api/rope-hours", "/restore"),
    allow: "POST",
    access: "private",
    body: () => ({}),
    faults: [...POST_FAULTS, "session", "missing"],
    status: 200,
    shape: ROPE_HOURS,
  },
  {
    method: "GET",
    path: () => "/api/admin/users",
    allow: "GET, HEAD",
    access: "admin",
    faults: ["method", "session", "role"],
    status: 200,
    shape: [USER],
  },
  {
    method: "GET",
    path: (_world, faults = []) => `/api/admin/entries${faults.includes("body") ? "?limit=0" : ""}`,
    allow: "GET, HEAD",
    access: "admin",
    faults: ["method", "session", "role", "body"],
    status: 200,
    // The last one logged is the other technician's unverified record.
    shape: [{ ...ENTRY, user: { id: "number", name: "string", email: "string" } }],
  },
  {
    method: "GET",
    path: (_world, faults = []) => `/api/admin/rope-hours${faults.includes("body") ? "?user=0" : ""}`,
    allow: "GET, HEAD",
    access: "admin",
    faults: ["method", "session", "role", "body"],
    status: 200,
    shape: [{ ...ROPE_HOURS, user: { id: "number", name: "string", email: "string" } }],
  },
  {
    method: "DELETE",
    path: ({ othersRopeId }, faults = []) =>
      `/api/admin/rope-hours/${faults.includes("missing") ? 999_999 : othersRopeId}`,
    oddPaths: ODD_IDS.map((id) => `/api/admin/rope-hours/${id}`),
    allow: "DELETE",
    access: "admin",
    faults: ["method", "crossSite", "session", "role", "missing"],
    status: 200,
    shape: { message: "string" },
  },
  {
    method: "GET",
    path: ({ verifiedId }, faults = []) =>
      `/api/admin/entries/${faults.includes("missing") ? 999_999 : verifiedId}/verification`,
    oddPaths: ODD_IDS.map((id) => `/api/admin/entries/${id}/verification`),
    allow: "GET, HEAD",
    access: "admin",
    faults: ["method", "session", "role", "missing"],
    status: 200,
    shape: HISTORY,
  },
  {
    method: "GET",
    path: ({ verifiedRopeId }, faults = []) =>
      `/api/admin/rope-hours/${faults.includes("missing") ? 999_999 : verifiedRopeId}/verification`,
    oddPaths: ODD_IDS.map((id) => `/api/admin/rope-hours/${id}/verification`),
    allow: "GET, HEAD",
    access: "admin",
    faults: ["method", "session", "role", "missing"],
    status: 200,
    shape: HISTORY,
  },
  {
    method: "DELETE",
    path: ({ adminId, otherId }, faults = []) =>
      `/api/admin/users/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? adminId : otherId}`,
    oddPaths: ODD_IDS.map((id) => `/api/admin/users/${id}`),
    allow: "DELETE",
    access: "admin",
    faults: ["method", "crossSite", "session", "role", "missing", "conflict"],
    status: 200,
    shape: { message: "string" },
  },
  {
    method: "DELETE",
    path: ({ othersEntryId }, faults = []) =>
      `/api/admin/entries/${faults.includes("missing") ? 999_999 : othersEntryId}`,
    oddPaths: ODD_IDS.map((id) => `/api/admin/entries/${id}`),
    allow: "DELETE",
    access: "admin",
    faults: ["method", "crossSite", "session", "role", "missing"],
    status: 200,
    shape: { message: "string" },
  },
];
