import { anEntry, aRopeHours, aSupervisor, NEW_PASSWORD, PASSWORD } from "./people.ts";
import type { World } from "./world.ts";

/*
 * Who may do what: every route of app/routes.ts, each of its methods, each kind of visitor. access.test.ts asks every
 * cell of it, and fails where a route has no row here.
 *
 * To add a route, add a row under its path as routes.ts has it:
 *
 *   "api/entries/:id": {
 *     address: ({ entryId }) => `/api/entries/${entryId}`,               the owner's record, for every visitor
 *     PATCH: { cells: OWN_CALL, json: () => ({ hours: 8 }) },       a body that succeeds for the owner
 *     DELETE: { cells: OWN_CALL },
 *   },
 *
 * `cells` is what each visitor gets: a status, or `away("/auth")` for a redirect there (its query does not matter). The
 * constants below are the usual kinds. The methods that a row does not have must answer 405. What is not said may not
 * be: an answer shows nobody anything but their own words, and changes nobody's rows but their own; a GET changes
 * nothing. `shows` and `changes` name what a cell that succeeds has beyond that. A link's address gets its token from
 * `link`, and its page may show what `shows` says to whoever has the link.
 */

export const VISITORS = ["nobody", "owner", "other", "admin", "right token", "wrong token"] as const;
/**
 * Without a session: nobody has no token either (or, on a link, one that is none), somebody has the right one, or one
 * that was made up. On a link the three who are signed in have the right one. On any other address a token is shown as
 * a session, a key and a query, and must open nothing.
 */
export type Visitor = (typeof VISITORS)[number];

/** A status, or where a redirect leads, and whether it says no. */
export type Outcome = number | { to: string; isRefusal: boolean };
export type Cells = Record<Visitor, Outcome>;

/** Whose, and what of it: `owner name`. The words of each are different in every world. */
export const KINDS = ["email", "name", "record", "rest", "supervisor"] as const;
export type Word = `${"owner" | "other" | "admin"} ${(typeof KINDS)[number]}`;

export interface Call {
  cells: Cells;
  /** What is sent: fields of a form, or JSON. */
  form?: (world: World) => Record<string, string>;
  json?: (world: World) => unknown;
  /** What of other people somebody who succeeds may read. */
  shows?: Word[];
  /** Whose rows somebody who succeeds may change, beside their own. */
  changes?: ("owner" | "other")[];
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Row extends Partial<Record<Method, Call>> {
  address: string | ((world: World, token: string) => string);
  /** The address has a token in it: of an open link, of one that was used, of a reset link. */
  link?: "open" | "used" | "reset";
  /** No route has this address: any method is 404. */
  isUnknown?: true;
}

function cells(
  nobody: Outcome,
  owner: Outcome,
  other: Outcome,
  admin: Outcome,
  right: Outcome = nobody,
  wrong: Outcome = nobody,
): Cells {
  return { nobody, owner, other, admin, "right token": right, "wrong token": wrong };
}

/** The same for everybody, or for everybody who is signed in. */
function all(outcome: Outcome, stranger = outcome): Cells {
  return cells(stranger, outcome, outcome, outcome);
}

/** A redirect behind what was asked for. */
function to(path: string): Outcome {
  return { to: path, isRefusal: false };
}

/** A redirect in place of what was asked for: nothing was read, nothing was done. */
function away(path: string): Outcome {
  return { to: path, isRefusal: true };
}

// nobody, owner, other, admin; and, where it differs from nobody, the right token and the wrong one.
const PUBLIC = all(200);
const HOME = cells(200, to("/profile"), to("/profile"), to("/admin"));
const PAGE = cells(away("/auth"), 200, 200, 200);
const OWN_PAGE = cells(away("/auth"), 200, 404, 404);
const ADMIN_PAGE = cells(away("/auth"), away("/profile"), away("/profile"), 200);
const CALL = cells(401, 200, 200, 200);
const NEW_CALL = cells(401, 201, 201, 201);
const OWN_CALL = cells(401, 200, 404, 404);
const ADMIN_CALL = cells(401, 403, 403, 200);
const LINK = cells(404, 200, 200, 200, 200, 404);
const RESET_LINK = cells(400, 200, 200, 200, 200, 400);

const ALL_OF = (who: "owner" | "other" | "admin") => KINDS.map((kind): Word => `${who} ${kind}`);
/** What a supervisor is shown: the one record, and whose it is. */
const RECORD: Word[] = ["owner name", "owner record"];
const EVERYBODY = [...ALL_OF("owner"), ...ALL_OF("other"), ...ALL_OF("admin")].filter(
  (word) => !word.endsWith("supervisor"),
);

const strings = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

const SUPERVISOR_NAME = { supervisorName: "Somebody Else" };

/** The rows, by path. Where one address is not enough there are several. */
export const ACCESS: Record<string, Row | Row[]> = {
  "/": { address: "/", GET: { cells: HOME } },
  auth: [
    {
      address: "/auth",
      GET: { cells: HOME },
      POST: {
        cells: all(to("/profile")),
        form: ({ owner }) => ({ email: owner.user.email, password: PASSWORD }),
        changes: ["owner"],
      },
    },
    {
      address: "/auth?tab=register",
      GET: { cells: HOME },
      POST: {
        cells: all(to("/profile")),
        form: ({ freshEmail }) => ({ email: freshEmail, password: PASSWORD }),
      },
    },
    {
      address: "/auth",
      GET: { cells: HOME },
      POST: {
        cells: all(401),
        form: ({ admin }) => ({ email: admin.user.email, password: "a wrong password" }),
      },
    },
  ],
  logout: {
    address: "/logout",
    GET: { cells: all(to("/")) },
    POST: { cells: all(to("/")), form: () => ({}) },
  },
  profile: [
    { address: "/profile", GET: { cells: PAGE } },
    // The dialog about a record of the owner's, which is nobody else's to ask about.
    {
      address: ({ entryId }) => `/profile?request=${entryId}&link`,
      GET: { cells: cells(away("/auth"), 200, away("/profile"), away("/profile")) },
    },
  ],
  "profile/entries/:key?": {
    address: "/profile/entries/key-1",
    GET: { cells: PAGE },
    POST: {
      cells: cells(away("/auth"), to("/profile"), to("/profile"), to("/profile")),
      form: () =>
        Object.fromEntries(Object.entries(anEntry()).map(([name, value]) => [`entries[0].${name}`, `${value}`])),
    },
  },
  "profile/request/:id/:key?": [
    {
      address: ({ entryId }) => `/profile/request/${entryId}`,
      GET: { cells: OWN_PAGE },
      POST: {
        cells: cells(away("/auth"), to("/profile"), 404, 404),
        form: ({ supervisorId }) => ({ supervisor: String(supervisorId) }),
      },
    },
    // Their own record, and somebody else's supervisor.
    {
      address: ({ entryId }) => `/profile/request/${entryId}`,
      GET: { cells: OWN_PAGE },
      POST: {
        cells: cells(away("/auth"), 404, 404, 404),
        form: ({ othersSupervisorId }) => ({ supervisor: String(othersSupervisorId) }),
      },
    },
  ],
  "profile/record/:id": {
    address: ({ entryId }) => `/profile/record/${entryId}`,
    GET: { cells: OWN_PAGE },
  },
  "profile/record/:id/withdraw": {
    address: ({ entryId }) => `/profile/record/${entryId}/withdraw`,
    GET: { cells: all(to("/profile/record"), away("/auth")) },
    POST: { cells: cells(away("/auth"), to("/profile/record"), 404, 404) },
  },
  "profile/record/:id/edit": {
    address: ({ entryId }) => `/profile/record/${entryId}/edit`,
    GET: { cells: OWN_PAGE },
    // Without the hash of what it was shown the owner's form is refused, and shows the record instead.
    POST: { cells: cells(away("/auth"), 409, 404, 404), form: () => strings(anEntry()) },
  },
  "profile/record/:id/delete": {
    address: ({ entryId }) => `/profile/record/${entryId}/delete`,
    GET: { cells: OWN_PAGE },
    POST: { cells: cells(away("/auth"), to("/profile"), 404, 404), form: () => ({}) },
  },
  "profile/record/:id/restore": {
    address: ({ deletedId }) => `/profile/record/${deletedId}/restore`,
    GET: { cells: all(to("/profile"), away("/auth")) },
    POST: { cells: cells(away("/auth"), to("/profile"), 404, 404), form: () => ({}) },
  },
  "profile/print": {
    address: "/profile/print",
    GET: { cells: cells(away("/auth"), 200, away("/profile"), away("/profile")) },
  },
  "rope-hours": [
    { address: "/rope-hours", GET: { cells: PAGE } },
    {
      address: ({ ropeId }) => `/rope-hours?request=${ropeId}`,
      GET: { cells: cells(away("/auth"), 200, away("/rope-hours"), away("/rope-hours")) },
    },
  ],
  "rope-hours/new/:key?": {
    address: "/rope-hours/new/key-1",
    GET: { cells: PAGE },
    POST: {
      cells: cells(away("/auth"), to("/rope-hours"), to("/rope-hours"), to("/rope-hours")),
      form: () => ({ ...aRopeHours(), hours: "8" }),
    },
  },
  "rope-hours/request/:id/:key?": {
    address: ({ ropeId }) => `/rope-hours/request/${ropeId}`,
    GET: { cells: OWN_PAGE },
    POST: {
      cells: cells(away("/auth"), to("/rope-hours"), 404, 404),
      form: ({ supervisorId }) => ({ supervisor: String(supervisorId) }),
    },
  },
  "rope-hours/record/:id": {
    address: ({ verifiedRopeId }) => `/rope-hours/record/${verifiedRopeId}`,
    GET: { cells: OWN_PAGE },
  },
  "rope-hours/record/:id/withdraw": {
    address: ({ verifiedRopeId }) => `/rope-hours/record/${verifiedRopeId}/withdraw`,
    GET: { cells: all(to("/rope-hours/record"), away("/auth")) },
    POST: { cells: cells(away("/auth"), away("/rope-hours/record"), 404, 404) },
  },
  "rope-hours/record/:id/edit": [
    {
      address: ({ ropeId }) => `/rope-hours/record/${ropeId}/edit`,
      GET: { cells: OWN_PAGE },
      POST: { cells: cells(away("/auth"), 409, 404, 404), form: () => strings(aRopeHours()) },
    },
    {
      address: ({ verifiedRopeId }) => `/rope-hours/record/${verifiedRopeId}/edit`,
      GET: { cells: cells(away("/auth"), 409, 404, 404) },
      POST: { cells: cells(away("/auth"), 409, 404, 404), form: () => strings(aRopeHours()) },
    },
  ],
  "rope-hours/record/:id/delete": [
    {
      address: ({ ropeId }) => `/rope-hours/record/${ropeId}/delete`,
      GET: { cells: OWN_PAGE },
      POST: { cells: cells(away("/auth"), to("/rope-hours"), 404, 404), form: () => ({}) },
    },
    {
      address: ({ verifiedRopeId }) => `/rope-hours/record/${verifiedRopeId}/delete`,
      GET: { cells: cells(away("/auth"), 409, 404, 404) },
      POST: { cells: cells(away("/auth"), 409, 404, 404), form: () => ({}) },
    },
  ],
  "rope-hours/record/:id/restore": {
    address: ({ deletedRopeId }) => `/rope-hours/record/${deletedRopeId}/restore`,
    GET: { cells: all(to("/rope-hours"), away("/auth")) },
    POST: { cells: cells(away("/auth"), to("/rope-hours"), 404, 404), form: () => ({}) },
  },
  account: { address: "/account", GET: { cells: PAGE } },
  "account/details": {
    address: "/account/details",
    GET: { cells: PAGE },
    POST: { cells: all(to("/account"), away("/auth")), form: () => ({ name: "New Name", employeeNumber: "" }) },
  },
  "account/password": {
    address: "/account/password",
    GET: { cells: PAGE },
    POST: {
      cells: all(to("/account"), away("/auth")),
      form: () => ({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }),
    },
  },
  "account/sessions": [
    // Of the owner's sessions the one that nobody else can end.
    {
      address: "/account/sessions",
      GET: { cells: all(to("/account")) },
      POST: {
        cells: cells(away("/auth"), to("/account"), away("/account"), away("/account")),
        form: ({ ownSession }) => ({ session: ownSession }),
      },
    },
    {
      address: "/account/sessions",
      GET: { cells: all(to("/account")) },
      POST: { cells: all(to("/account"), away("/auth")), form: () => ({ session: "others" }) },
    },
  ],
  "account/delete": {
    address: "/account/delete",
    GET: { cells: PAGE },
    POST: {
      cells: cells(away("/auth"), to("/auth"), to("/auth"), away("/account/delete")),
      form: () => ({ password: PASSWORD }),
    },
  },
  admin: [
    {
      address: ({ otherId }) => `/admin?delete=${otherId}`,
      GET: { cells: ADMIN_PAGE, shows: EVERYBODY },
      POST: {
        cells: cells(away("/auth"), away("/profile"), away("/profile"), to("/admin")),
        form: () => ({}),
        changes: ["other"],
      },
    },
    {
      address: ({ othersEntryId }) => `/admin?tab=entries&delete=${othersEntryId}`,
      GET: { cells: ADMIN_PAGE, shows: EVERYBODY },
      POST: {
        cells: cells(away("/auth"), away("/profile"), away("/profile"), to("/admin")),
        form: () => ({}),
        changes: ["other"],
      },
    },
    {
      address: ({ othersRopeId }) => `/admin?tab=rope-hours&delete=${othersRopeId}`,
      GET: { cells: ADMIN_PAGE, shows: EVERYBODY },
      POST: {
        cells: cells(away("/auth"), away("/profile"), away("/profile"), to("/admin")),
        form: () => ({}),
        changes: ["other"],
      },
    },
  ],
  supervisors: { address: "/supervisors", GET: { cells: PAGE } },
  "supervisors/:id": {
    address: ({ supervisorId }) => `/supervisors/${supervisorId}`,
    GET: { cells: OWN_PAGE },
    POST: { cells: cells(away("/auth"), to("/supervisors"), 404, 404), form: () => aSupervisor({ phone: "1" }) },
  },
  "supervisors/:id/delete": {
    address: ({ supervisorId }) => `/supervisors/${supervisorId}/delete`,
    GET: { cells: OWN_PAGE },
    POST: { cells: cells(away("/auth"), to("/supervisors"), 404, 404), form: () => ({}) },
  },
  "verify/:token": [
    {
      address: (_world, token) => `/verify/${token}`,
      link: "open",
      GET: { cells: LINK, shows: RECORD },
      POST: {
        cells: cells(404, 403, to("/success"), to("/success"), to("/success"), 404),
        form: ({ shown }) => ({ ...SUPERVISOR_NAME, shown }),
        changes: ["owner"],
      },
    },
    {
      // A form without the hash of what was shown: the record is shown once more.
      address: (_world, token) => `/verify/${token}`,
      link: "open",
      GET: { cells: LINK, shows: RECORD },
      POST: { cells: cells(404, 403, 409, 409, 409, 404), form: () => SUPERVISOR_NAME, shows: RECORD },
    },
    {
      address: (_world, token) => `/verify/${token}`,
      link: "used",
      GET: { cells: cells(404, 409, 409, 409, 409, 404), shows: RECORD },
      POST: {
        cells: cells(404, away("/verify"), away("/verify"), away("/verify"), away("/verify"), 404),
        form: () => SUPERVISOR_NAME,
      },
    },
  ],
  success: {
    address: (_world, token) => `/success?token=${token}`,
    link: "used",
    GET: { cells: LINK, shows: RECORD },
  },
  "reset-password": {
    address: "/reset-password",
    GET: { cells: HOME },
    POST: {
      cells: all(to("/reset-password")),
      form: ({ owner }) => ({ email: owner.user.email }),
      changes: ["owner"],
    },
  },
  "reset-password/:token": {
    address: (_world, token) => `/reset-password/${token}`,
    link: "reset",
    GET: { cells: RESET_LINK },
    POST: {
      cells: RESET_LINK,
      form: () => ({ password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }),
      changes: ["other"],
    },
  },

  "api/user": {
    address: "/api/user",
    GET: { cells: CALL },
    PATCH: { cells: CALL, json: ({ otherId }) => ({ name: "New Name", id: otherId, isAdmin: true }) },
    DELETE: { cells: cells(401, 200, 200, 409), json: () => ({ password: PASSWORD }) },
  },
  "api/user/password": {
    address: "/api/user/password",
    POST: { cells: CALL, json: () => ({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD }) },
  },
  "api/user/sessions": { address: "/api/user/sessions", GET: { cells: CALL }, DELETE: { cells: CALL } },
  "api/user/sessions/:reference": {
    address: ({ ownSession }) => `/api/user/sessions/${ownSession}`,
    DELETE: { cells: OWN_CALL },
  },
  "api/auth/register": {
    address: "/api/auth/register",
    POST: {
      cells: all(201),
      json: ({ freshEmail }) => ({ email: freshEmail, password: PASSWORD, isAdmin: true, id: 1 }),
    },
  },
  "api/auth/login": [
    {
      address: "/api/auth/login",
      POST: {
        cells: PUBLIC,
        json: ({ owner }) => ({ email: owner.user.email, password: PASSWORD }),
        shows: ["owner email", "owner name"],
        changes: ["owner"],
      },
    },
    {
      address: "/api/auth/login",
      POST: {
        cells: all(401),
        json: ({ admin }) => ({ email: admin.user.email, password: "a wrong password" }),
      },
    },
  ],
  "api/auth/logout": { address: "/api/auth/logout", POST: { cells: PUBLIC, json: () => ({}) } },
  "api/auth/reset-password": {
    address: "/api/auth/reset-password",
    POST: { cells: PUBLIC, json: ({ owner }) => ({ email: owner.user.email }), changes: ["owner"] },
  },
  "api/auth/reset-password/:token": {
    address: (_world, token) => `/api/auth/reset-password/${token}`,
    link: "reset",
    POST: { cells: RESET_LINK, json: () => ({ password: NEW_PASSWORD }), changes: ["other"] },
  },
  "api/entries": {
    address: "/api/entries",
    GET: { cells: CALL },
    POST: { cells: NEW_CALL, json: ({ otherId }) => anEntry({ userId: otherId, verified: true, verifiedBy: "x" }) },
  },
  "api/entries/:id": [
    {
      address: ({ entryId }) => `/api/entries/${entryId}`,
      PATCH: { cells: OWN_CALL, json: ({ otherId }) => ({ hours: 8, userId: otherId, verified: true }) },
      DELETE: { cells: OWN_CALL },
    },
    {
      address: ({ verifiedId }) => `/api/entries/${verifiedId}`,
      PATCH: { cells: cells(401, 409, 404, 404), json: () => ({ hours: 8 }) },
      DELETE: { cells: cells(401, 409, 404, 404) },
    },
  ],
  "api/entries/:id/restore": {
    address: ({ deletedId }) => `/api/entries/${deletedId}/restore`,
    POST: { cells: OWN_CALL, json: () => ({}) },
  },
  "api/entries/:id/verification": {
    address: ({ verifiedId }) => `/api/entries/${verifiedId}/verification`,
    GET: { cells: OWN_CALL },
  },
  "api/rope-hours": {
    address: "/api/rope-hours",
    GET: { cells: CALL },
    POST: { cells: NEW_CALL, json: ({ otherId }) => aRopeHours({ userId: otherId, verified: true }) },
  },
  "api/rope-hours/:id": {
    address: ({ ropeId }) => `/api/rope-hours/${ropeId}`,
    PATCH: { cells: OWN_CALL, json: ({ otherId }) => ({ hours: 8, userId: otherId }) },
    DELETE: { cells: OWN_CALL },
  },
  "api/rope-hours/:id/restore": {
    address: ({ deletedRopeId }) => `/api/rope-hours/${deletedRopeId}/restore`,
    POST: { cells: OWN_CALL, json: () => ({}) },
  },
  "api/rope-hours/:id/verification": {
    address: ({ verifiedRopeId }) => `/api/rope-hours/${verifiedRopeId}/verification`,
    GET: { cells: OWN_CALL },
  },
  "api/supervisors": {
    address: "/api/supervisors",
    GET: { cells: CALL },
    POST: { cells: NEW_CALL, json: ({ otherId }) => aSupervisor({ userId: otherId }) },
  },
  "api/supervisors/:id": {
    address: ({ supervisorId }) => `/api/supervisors/${supervisorId}`,
    PATCH: { cells: OWN_CALL, json: ({ otherId }) => ({ phone: "1", userId: otherId }) },
    DELETE: { cells: OWN_CALL },
  },
  "api/verify-request/:id": [
    {
      address: ({ entryId }) => `/api/verify-request/${entryId}`,
      DELETE: { cells: OWN_CALL },
      POST: { cells: OWN_CALL, json: ({ supervisorId }) => ({ supervisorId }) },
    },
    {
      address: ({ entryId }) => `/api/verify-request/${entryId}`,
      DELETE: { cells: OWN_CALL },
      POST: { cells: cells(401, 404, 404, 404), json: ({ othersSupervisorId: supervisorId }) => ({ supervisorId }) },
    },
  ],
  "api/verify-request-rope/:id": {
    address: ({ ropeId }) => `/api/verify-request-rope/${ropeId}`,
    DELETE: { cells: OWN_CALL },
    POST: { cells: OWN_CALL, json: ({ supervisorId }) => ({ supervisorId }) },
  },
  "api/verify/:token": [
    {
      address: (_world, token) => `/api/verify/${token}`,
      link: "open",
      GET: { cells: LINK, shows: RECORD },
      POST: {
        cells: cells(404, 403, 200, 200, 200, 404),
        json: () => SUPERVISOR_NAME,
        shows: RECORD,
        changes: ["owner"],
      },
    },
    {
      address: (_world, token) => `/api/verify/${token}`,
      link: "used",
      GET: { cells: cells(404, 409, 409, 409, 409, 404) },
      POST: { cells: cells(404, 403, 409, 409, 409, 404), json: () => SUPERVISOR_NAME },
    },
  ],
  "api/admin/users": { address: "/api/admin/users", GET: { cells: ADMIN_CALL, shows: EVERYBODY } },
  "api/admin/users/:id": {
    address: ({ otherId }) => `/api/admin/users/${otherId}`,
    DELETE: { cells: ADMIN_CALL, changes: ["other"] },
  },
  "api/admin/entries": { address: "/api/admin/entries", GET: { cells: ADMIN_CALL, shows: EVERYBODY } },
  "admin/entry/:id": {
    address: ({ entryId }) => `/admin/entry/${entryId}`,
    GET: { cells: ADMIN_PAGE, shows: EVERYBODY },
  },
  "admin/rope-hours/:id": {
    address: ({ ropeId }) => `/admin/rope-hours/${ropeId}`,
    GET: { cells: ADMIN_PAGE, shows: EVERYBODY },
  },
  "api/admin/entries/:id/verification": {
    address: ({ entryId }) => `/api/admin/entries/${entryId}/verification`,
    GET: { cells: ADMIN_CALL },
  },
  "api/admin/rope-hours/:id/verification": {
    address: ({ ropeId }) => `/api/admin/rope-hours/${ropeId}/verification`,
    GET: { cells: ADMIN_CALL },
  },
  "api/admin/entries/:id": {
    address: ({ othersEntryId }) => `/api/admin/entries/${othersEntryId}`,
    DELETE: { cells: ADMIN_CALL, changes: ["other"] },
  },
  "api/admin/rope-hours": { address: "/api/admin/rope-hours", GET: { cells: ADMIN_CALL, shows: EVERYBODY } },
  "api/admin/rope-hours/:id": {
    address: ({ othersRopeId }) => `/api/admin/rope-hours/${othersRopeId}`,
    DELETE: { cells: ADMIN_CALL, changes: ["other"] },
  },

  "*": [
    { address: "/nothing", isUnknown: true },
    { address: "/api/nothing", isUnknown: true },
    { address: "/profile.data", isUnknown: true },
  ],
};
