import { recordHash } from "#app/records/record-hash.server.ts";
import type { App } from "#tests/worker/app.ts";
import { CALLS } from "#tests/worker/calls.ts";
import type { Answer, Client } from "#tests/worker/client.ts";
import { callerOf, nameOf } from "#tests/worker/make-call.ts";
import { anEntry, aRopeHours, aSupervisor, PASSWORD } from "#tests/worker/people.ts";
import { type World, worldOf } from "#tests/worker/world.ts";

/** A world in which every action is possible: the rope hours have an open link, too. */
export async function worldForAll(app: App): Promise<World> {
  const world = await worldOf(app);
  await app.db
    .prepare("UPDATE rope_hours SET verification_token = ? WHERE id = ?")
    .bind(crypto.randomUUID(), world.ropeId)
    .run();
  return world;
}

/** An action that a user takes with one request: a page's form, or an API call. */
export interface Action {
  name: string;
  method: string;
  path: (world: World) => string;
  isApi: boolean;
  /** The valid input: a form's fields, or JSON; undefined if there is no body. */
  body: (world: World) => unknown;
  /** The client that takes the action, with its cookies. */
  client: (app: App, world: World) => Client;
  /** Sends the request with a fixed key (a form key or an Idempotency-Key), so that sending it again repeats it. */
  send(app: App, world: World, headers?: Record<string, string>): Promise<{ answer: Answer; client: Client }>;
  /**
   * For a form: the messages of spec section 8 of which one appears on failure, and the typed values that must be kept.
   */
  says?: string[];
  keeps?: Record<string, string>;
  /** The browser may cache the page, so Back keeps the typed values. */
  backKeeps?: boolean;
  /**
   * The effect of a second request after the first one's response was lost: none, with the same answer; or an error
   * that says it is already done; or the action is repeated, which harms nobody, with the reason.
   */
  again?: "refused" | { more: string };
}

type Sender = keyof Pick<World, "owner" | "admin"> | "nobody";

const KEY = "the-same-key";

interface FormFacts extends Pick<Action, "says" | "keeps" | "again"> {
  who: Sender;
  path: (world: World) => string;
  fields: (world: World) => Record<string, string>;
}

function form(route: string, what: string, { who, path, fields, ...facts }: FormFacts): Action {
  const clientFor = (app: App, world: World) => (who === "nobody" ? stranger(app) : world[who].as(world[who].cookies));
  return {
    ...facts,
    backKeeps: !route.includes(":token"),
    name: `the form of /${route}${what && `: ${what}`}`,
    method: "POST",
    path,
    isApi: false,
    body: fields,
    client: clientFor,
    async send(app, world, headers) {
      const client = clientFor(app, world);
      return { answer: await client.post(path(world), fields(world), headers), client };
    },
  };
}

/** A signed-out client with a fixed address: a session stores the address that created it. */
function stranger(app: App): Client {
  const client = app.as(new Map());
  client.address = "203.0.113.7";
  return client;
}

const strings = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
const row = Object.fromEntries(Object.entries(anEntry()).map(([name, value]) => [`entries[0].${name}`, String(value)]));
const NEW_SESSION = { more: "a session whose token nobody was given" };
const NEW_LINK = { more: "a newer link, which ends the older one, as asking twice does" };
const NEW_PASSWORD = "a brand new password";
const chosen = ({ supervisorId }: World) => ({ supervisor: String(supervisorId) });
const REQUEST_FAILED = ["Failed to send verification request. Please try again."];

/** Every form of every page. */
const FORMS: Action[] = [
  form("auth", "Login", {
    who: "nobody",
    path: () => "/auth",
    fields: ({ owner }) => ({ email: owner.user.email, password: PASSWORD }),
    says: ["Login failed"],
    keeps: {},
    again: NEW_SESSION,
  }),
  form("auth", "Register", {
    who: "nobody",
    path: () => "/auth?tab=register",
    fields: () => ({ email: "new@example.com", password: PASSWORD, name: "Kari Ås", employeeNumber: "NDT-7" }),
    says: ["Registration failed"],
    keeps: { email: "new@example.com", name: "Kari Ås", employeeNumber: "NDT-7" },
    again: "refused",
  }),
  form("logout", "", {
    who: "owner",
    path: () => "/logout",
    fields: () => ({}),
    says: ["Failed to log out. Please try again."],
  }),
  form("profile/entries/:key?", "", {
    who: "owner",
    path: () => `/profile/entries/${KEY}`,
    fields: () => row,
    says: ["Failed to save entries. Please try again."],
    keeps: row,
  }),
  form("profile/request/:id/:key?", "a saved supervisor", {
    who: "owner",
    path: ({ entryId }) => `/profile/request/${entryId}/${KEY}`,
    fields: chosen,
    says: REQUEST_FAILED,
  }),
  form("profile/request/:id/:key?", "a new supervisor", {
    who: "owner",
    path: ({ entryId }) => `/profile/request/${entryId}/${KEY}`,
    fields: () => ({ supervisor: "new", ...aSupervisor({ company: "Nordlys AS" }) }),
    says: ["Failed to create supervisor. Please try again.", ...REQUEST_FAILED],
    keeps: strings(aSupervisor({ company: "Nordlys AS" })),
  }),
  form("profile/record/:id/edit", "", {
    who: "owner",
    path: ({ entryId }) => `/profile/record/${entryId}/edit`,
    fields: ({ entryId }) => ({
      ...strings(anEntry({ location: "Elsewhere" })),
      shown: recordHash({ id: entryId, date: "2026-11-19", location: "Mongstad", method: "MT", hours: 7.5 }),
    }),
    says: ["Failed to save the changes. Please try again."],
    keeps: strings(anEntry({ location: "Elsewhere" })),
  }),
  form("profile/record/:id/delete", "", {
    who: "owner",
    path: ({ entryId }) => `/profile/record/${entryId}/delete`,
    fields: () => ({}),
    says: ["Failed to delete the record. Please try again."],
    again: "refused",
  }),
  form("profile/record/:id/restore", "", {
    who: "owner",
    path: ({ deletedId }) => `/profile/record/${deletedId}/restore`,
    fields: () => ({}),
    says: ["Failed to restore the record. Please try again."],
  }),
  form("rope-hours/record/:id/edit", "", {
    who: "owner",
    path: ({ ropeId }) => `/rope-hours/record/${ropeId}/edit`,
    fields: ({ ropeId: id }) => ({
      ...strings(aRopeHours()),
      shown: recordHash({
        ...{ id, startDate: "2026-11-19", endDate: "2026-11-21", location: "Rig", skills: "Rescue", hours: 7.5 },
      }),
    }),
    says: ["Failed to save the changes. Please try again."],
    keeps: strings(aRopeHours()),
  }),
  form("rope-hours/record/:id/delete", "", {
    who: "owner",
    path: ({ ropeId }) => `/rope-hours/record/${ropeId}/delete`,
    fields: () => ({}),
    says: ["Failed to delete the record. Please try again."],
    again: "refused",
  }),
  form("rope-hours/record/:id/restore", "", {
    who: "owner",
    path: ({ deletedRopeId }) => `/rope-hours/record/${deletedRopeId}/restore`,
    fields: () => ({}),
    says: ["Failed to restore the record. Please try again."],
  }),
  form("supervisors/:id", "", {
    who: "owner",
    path: ({ supervisorId }) => `/supervisors/${supervisorId}`,
    fields: () => strings(aSupervisor({ company: "Nordlys AS" })),
    says: ["Failed to save the supervisor. Please try again."],
    keeps: strings(aSupervisor({ company: "Nordlys AS" })),
  }),
  form("supervisors/:id/delete", "", {
    who: "owner",
    path: ({ supervisorId }) => `/supervisors/${supervisorId}/delete`,
    fields: () => ({}),
    says: ["Failed to delete the supervisor. Please try again."],
    again: "refused",
  }),
  form("rope-hours/new/:key?", "", {
    who: "owner",
    path: () => `/rope-hours/new/${KEY}`,
    fields: () => strings(aRopeHours()),
    says: ["Failed to log rope hours. Please try again."],
    keeps: strings(aRopeHours()),
  }),
  form("rope-hours/request/:id/:key?", "", {
    who: "owner",
    path: ({ ropeId }) => `/rope-hours/request/${ropeId}/${KEY}`,
    fields: chosen,
    says: REQUEST_FAILED,
  }),
  form("profile/record/:id/withdraw", "", {
    who: "owner",
    path: ({ entryId }) => `/profile/record/${entryId}/withdraw`,
    fields: () => ({}),
    says: ["Failed to withdraw the request. Please try again."],
    again: "refused",
  }),
  form("rope-hours/record/:id/withdraw", "", {
    who: "owner",
    path: ({ ropeId }) => `/rope-hours/record/${ropeId}/withdraw`,
    fields: () => ({}),
    says: ["Failed to withdraw the request. Please try again."],
    again: "refused",
  }),
  form("account/details", "", {
    who: "owner",
    path: () => "/account/details",
    fields: () => ({ name: "Kari Ås", employeeNumber: "NDT-8" }),
    says: ["Failed to save your details. Please try again."],
    keeps: { name: "Kari Ås", employeeNumber: "NDT-8" },
  }),
  form("account/password", "", {
    who: "owner",
    path: () => "/account/password",
    fields: () => ({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }),
    says: ["Failed to change your password. Please try again."],
    again: "refused",
  }),
  form("account/sessions", "one", {
    who: "owner",
    path: () => "/account/sessions",
    fields: ({ ownSession }) => ({ session: ownSession }),
    says: ["Failed to end the session If it is still here, please try again."],
  }),
  form("account/sessions", "all others", {
    who: "owner",
    path: () => "/account/sessions",
    fields: () => ({ session: "others" }),
    says: ["Failed to end the session If it is still here, please try again."],
  }),
  form("account/delete", "", {
    who: "owner",
    path: () => "/account/delete",
    fields: () => ({ password: PASSWORD }),
    says: ["Failed to delete the account. If you can still log in, please try again."],
  }),
  form("admin", "delete a user", {
    who: "admin",
    path: ({ otherId }) => `/admin?delete=${otherId}`,
    fields: () => ({}),
    says: ["Failed to delete user"],
    again: "refused",
  }),
  form("admin", "delete an entry", {
    who: "admin",
    path: ({ othersEntryId }) => `/admin?tab=entries&delete=${othersEntryId}`,
    fields: () => ({}),
    says: ["Failed to delete entry"],
    again: "refused",
  }),
  form("admin", "delete rope hours", {
    who: "admin",
    path: ({ othersRopeId }) => `/admin?tab=rope-hours&delete=${othersRopeId}`,
    fields: () => ({}),
    says: ["Failed to delete rope hours"],
    again: "refused",
  }),
  form("verify/:token", "", {
    who: "nobody",
    path: ({ token }) => `/verify/${token}`,
    fields: ({ shown }) => ({ supervisorName: "Ola Hansen", shown }),
    says: ["An error occurred during verification"],
    keeps: {},
    again: "refused",
  }),
  form("reset-password", "", {
    who: "nobody",
    path: () => "/reset-password",
    fields: ({ owner }) => ({ email: owner.user.email }),
    says: ["Failed to send reset link An error occurred. Please try again."],
    again: NEW_LINK,
  }),
  form("reset-password/:token", "", {
    who: "nobody",
    path: ({ resetToken }) => `/reset-password/${resetToken}`,
    fields: () => ({ password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }),
    says: ["Failed to reset password An error occurred. Please try again."],
    again: "refused",
  }),
];

/** What differs when a call is repeated. */
const AGAIN: Record<string, Action["again"]> = {
  "POST /api/auth/register": "refused",
  "POST /api/auth/login": NEW_SESSION,
  "POST /api/auth/reset-password": NEW_LINK,
  "POST /api/auth/reset-password/{id}": "refused",
  "POST /api/verify/{id}": "refused",
  "DELETE /api/verify-request/{id}": "refused",
  "DELETE /api/verify-request-rope/{id}": "refused",
  "DELETE /api/entries/{id}": "refused",
  "DELETE /api/supervisors/{id}": "refused",
  "DELETE /api/rope-hours/{id}": "refused",
  "POST /api/user/password": "refused",
  "DELETE /api/user": "refused",
  "DELETE /api/user/sessions/{id}": "refused",
  "DELETE /api/admin/users/{id}": "refused",
  "DELETE /api/admin/entries/{id}": "refused",
  "DELETE /api/admin/rope-hours/{id}": "refused",
};

/** Every API call that changes data. */
const WRITES: Action[] = CALLS.filter(({ method }) => method !== "GET").map((call) => {
  const name = nameOf(call);
  const isPublic = call.access === "public" && !name.endsWith("/logout"); // which ends a session
  const client = (app: App, world: World) =>
    isPublic ? stranger(app) : callerOf(call, world).as(callerOf(call, world).cookies);
  return {
    name,
    method: call.method,
    path: call.path,
    isApi: true,
    body: (world) => call.body?.(world),
    client,
    ...(AGAIN[name] && { again: AGAIN[name] }),
    async send(app, world, headers = {}) {
      const sender = client(app, world);
      const key = { "Idempotency-Key": KEY, ...headers };
      return { answer: await sender.json(call.method, call.path(world), call.body?.(world), key), client: sender };
    },
  };
});

export const ACTIONS: Action[] = [...FORMS, ...WRITES];
