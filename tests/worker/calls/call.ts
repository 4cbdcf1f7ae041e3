import type { Access } from "#app/api/endpoint.server.ts";
import type { ErrorCode } from "#app/errors.ts";
import type { World } from "#tests/worker/world.ts";

/** The faults of a request, in the order of docs/api.md, with the code of the refusal. */
export const FAULTS = {
  method: "method_not_allowed",
  crossSite: "cross_site",
  size: "too_large",
  type: "unsupported_type",
  session: "unauthorized",
  ownHours: "own_hours",
  role: "admin_only",
  missing: "not_found",
  body: "invalid",
  conflict: "already_verified",
} as const satisfies Record<string, ErrorCode>;
export type Fault = keyof typeof FAULTS;

/** A row of the tables of calls. The rest is said by its endpoint (`Call`). */
export interface CallRow {
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
  /** A valid body; with `conflict` one that is answered 409. */
  body?: (world: World, faults?: Fault[]) => unknown;
  /** Invalid bodies, with the field and the message. */
  badBodies?: [body: unknown, path: string, message: string, code?: ErrorCode][];
  /** The faults that this call can have. */
  faults: Fault[];
  /** The codes of its faults, where they are others than those of `FAULTS`. */
  codes?: Partial<Record<Fault, ErrorCode>>;
  /** The fields of the JSON; of a call that answers with a file, its text. */
  shape: unknown;
  isFile?: true;
}

/** A call of the tables, with the description of its endpoint. */
export interface Call extends CallRow {
  access: Access;
  /** The status of success. */
  status: number;
  /** The methods of its address, as `Allow` lists them. */
  allow: string;
  /** The parameters of its query. */
  parameters: string[];
}

export const USER = {
  id: "number",
  email: "string",
  name: "string",
  employeeNumber: "string",
  isAdmin: "boolean",
  createdAt: "string",
  emailConfirmedAt: "string",
};
export const UNVERIFIED = {
  verified: "boolean",
  verifiedBy: "null",
  verifiedAt: "null",
  verifiedVia: "null",
  confirmedAt: "null",
  status: "string",
  createdAt: "string",
  details: {},
};
export const WORK = {
  id: "number",
  date: "string",
  location: "string",
  method: "string",
  hours: "number",
  broughtForward: "boolean",
};
export const ENTRY = { userId: "number", ...WORK, ...UNVERIFIED };
export const ROPE_HOURS = {
  id: "number",
  userId: "number",
  startDate: "string",
  endDate: "string",
  location: "string",
  skills: "string",
  hours: "number",
  ...UNVERIFIED,
};
export const SUPERVISOR = {
  id: "number",
  name: "string",
  email: "string",
  phone: "string",
  certificationLevel: "string",
  role: "null",
  company: "string",
};

/** The history of a record of the world: its request was not made through the app, so its audit log is empty. */
export const HISTORY = { request: "null", log: [], requestEvents: [], intact: "boolean", notTold: "boolean" };

export const EMAIL = "Please enter a valid email address";
export const LEVEL = "Choose Level I, Level II or Level III";
export const ODD_IDS = ["0", "-1", "1.5", "abc", "1e3", "%20", "9007199254740993", "99999999999999999999", "1%00"];
export const NO_TOKEN = "00000000-0000-4000-8000-000000000000";
export const ODD_TOKENS = ["abc", "1", "%27--", "%0A", "%C3%A9", `${NO_TOKEN}x`, "null"];

export const ODD_RECORDS = (path: string, more = "") => ODD_IDS.map((id) => `${path}/${id}${more}`);
export const POST_FAULTS: Fault[] = ["method", "crossSite", "size", "type"];

export const METHOD_MESSAGE =
  "Method must be one of ET, RFT, MT, PT, RT, UT_THK, UTSW, PMI, LSI, VT, UT, PAUT, TOFD, ACFM, ECA, LT, AE, IR, GW, MFL";
