import { aSupervisor, formFields } from "#tests/worker/people.ts";
import type { World } from "#tests/worker/world.ts";
import { type Action, form, KEY } from "../action.ts";

const TARGET = {
  title: "Level II",
  "items[0].title": "UT",
  "items[0].measure": "hours entry",
  "items[0].required": "210",
  "items[0].UT_THK": "on",
};

/** A deleted record of each kind, by its page for admins. */
const DELETED: [path: string, idOf: (world: World) => number][] = [
  ["entry", ({ deletedId }) => deletedId],
  ["rope-hours", ({ deletedRopeId }) => deletedRopeId],
  ["training", ({ training }) => training.deletedId],
  ["certificates", ({ certificate }) => certificate.deletedId],
];

/** The forms of supervisors, targets and admins. */
export const OTHER_FORMS: Action[] = [
  form("supervisors/new/:key?", "", {
    who: "owner",
    path: () => `/supervisors/new/${KEY}`,
    fields: () => formFields(aSupervisor({ email: "added@example.org" })),
    says: ["Failed to create supervisor. Please try again."],
    keeps: formFields(aSupervisor({ email: "added@example.org" })),
  }),
  form("supervisors/:id", "", {
    who: "owner",
    path: ({ supervisorId }) => `/supervisors/${supervisorId}`,
    fields: () => formFields(aSupervisor({ company: "Nordlys AS" })),
    says: ["Failed to save the supervisor. Please try again."],
    keeps: formFields(aSupervisor({ company: "Nordlys AS" })),
  }),
  form("supervisors/:id/delete", "", {
    who: "owner",
    path: ({ supervisorId }) => `/supervisors/${supervisorId}/delete`,
    fields: () => ({}),
    says: ["Failed to delete the supervisor. Please try again."],
    again: "refused",
  }),
  form("progress/targets/new/:key?", "", {
    who: "owner",
    path: () => `/progress/targets/new/${KEY}`,
    fields: () => TARGET,
    says: ["Failed to save the target. Please try again."],
    keeps: TARGET,
  }),
  form("progress/targets/:id", "", {
    who: "owner",
    path: ({ targetId }) => `/progress/targets/${targetId}`,
    fields: () => TARGET,
    says: ["Failed to save the target. Please try again."],
    keeps: TARGET,
  }),
  form("progress/targets/:id/delete", "", {
    who: "owner",
    path: ({ targetId }) => `/progress/targets/${targetId}/delete`,
    fields: () => ({}),
    says: ["Failed to delete the target. Please try again."],
    again: "refused",
  }),
  form("admin/user/:id/:act?", "lock", {
    who: "admin",
    path: ({ otherId }) => `/admin/user/${otherId}/lock`,
    fields: () => ({}),
    says: ["Failed to save the change. Please try again."],
    keeps: {},
  }),
  form("admin/system", "send again", {
    who: "admin",
    path: () => "/admin/system",
    fields: ({ failedEmailId }) => ({ messages: String(failedEmailId) }),
    says: ["Failed to send again. Please try again."],
  }),
  form("admin/system/log-check", "", {
    who: "admin",
    path: () => "/admin/system/log-check",
    fields: () => ({}),
    says: ["Failed to start the check. Please try again."],
  }),
  form("admin/tokens/:key?", "", {
    who: "admin",
    path: () => `/admin/tokens/${KEY}`,
    fields: () => ({ name: "HR", access: "read" }),
    says: ["Failed to make the token. Please try again."],
    keeps: { name: "HR" },
    again: "refused",
  }),
  form("admin/end-token", "", {
    who: "admin",
    path: () => "/admin/end-token",
    fields: ({ serviceTokenId }) => ({ token: String(serviceTokenId) }),
    says: ["Failed to end the token If it is still here, please try again."],
  }),
  form("admin/system/erase-supervisor", "", {
    who: "admin",
    path: () => "/admin/system/erase-supervisor",
    fields: () => ({ email: "saved@example.org", sure: "yes" }),
    says: ["Failed to erase. Please try again."],
  }),
  form("admin/system/allow-emails", "", {
    who: "admin",
    path: () => "/admin/system/allow-emails",
    fields: () => ({ email: "saved@example.org" }),
    says: ["Failed to let emails go out. Please try again."],
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
  ...DELETED.map(([path, idOf]) =>
    form(`admin/${path}/:id/restore`, "", {
      who: "admin",
      path: (world) => `/admin/${path}/${idOf(world)}/restore`,
      fields: () => ({}),
      says: ["Failed to restore the record. Please try again."],
    }),
  ),
];
