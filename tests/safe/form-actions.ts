import { entryKind } from "#app/records/entry/entry.kind.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import { anEntry, aRopeHours, aSupervisor, formFields, PASSWORD } from "#tests/worker/people.ts";
import type { World } from "#tests/worker/world.ts";
import { type Action, form, KEY, NEW_LINK, NEW_SESSION } from "./action.ts";

const row = Object.fromEntries(Object.entries(anEntry()).map(([name, value]) => [`entries[0].${name}`, String(value)]));
const TARGET = {
  ...{ title: "Level II", "items[0].title": "UT", "items[0].measure": "hours entry", "items[0].required": "210" },
  "items[0].UT_THK": "on",
};
const NEW_PASSWORD = "a brand new password";
const chosen = ({ supervisorId }: World) => ({ supervisor: String(supervisorId) });
const REQUEST_FAILED = ["Failed to send verification request. Please try again."];

const UPLOADED = "Date,Location,Method,Hours\n2026-11-20,Rig,MT,2";
const COLUMNS = Object.fromEntries(
  ["date", "location", "method", "hours"].map((target, index) => [`choices[${index}].target`, target]),
);

/** Every form of every page. */
export const FORMS: Action[] = [
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
    keeps: formFields(aSupervisor({ company: "Nordlys AS" })),
  }),
  form("requests/new/:key?", "a saved supervisor", {
    who: "owner",
    path: () => `/requests/new/${KEY}`,
    fields: (world) => ({ ...chosen(world), "records[0].key": `entry:${world.entryId}` }),
    says: REQUEST_FAILED,
  }),
  form("requests/:id/remind", "", {
    who: "owner",
    path: ({ requestId }) => `/requests/${requestId}/remind`,
    fields: () => ({}),
    says: REQUEST_FAILED,
    again: "refused",
  }),
  form("requests/:id/reminders", "", {
    who: "owner",
    path: ({ requestId }) => `/requests/${requestId}/reminders`,
    fields: () => ({ reminders: "off" }),
    says: ["Failed to change the reminders. Please try again."],
  }),
  form("requests/:id/withdraw", "", {
    who: "owner",
    path: ({ requestId }) => `/requests/${requestId}/withdraw`,
    fields: () => ({}),
    says: ["Failed to withdraw the request. Please try again."],
  }),
  form("import", "", {
    who: "owner",
    path: () => "/import",
    fields: () => ({ kind: "entry", text: UPLOADED }),
    says: ["Failed to read the rows. Please try again."],
    keeps: { text: UPLOADED },
    again: { more: "a second preview, of which nothing is saved" },
  }),
  form("import/:id", "", {
    who: "owner",
    path: ({ importId }) => `/import/${importId}`,
    fields: () => ({ ...COLUMNS, dateOrder: "dmy" }),
    says: ["Failed to update the preview. Please try again."],
    again: { more: "a version number" },
  }),
  form("import/:id/apply", "", {
    who: "owner",
    path: ({ importId }) => `/import/${importId}/apply`,
    fields: () => COLUMNS,
    says: ["Failed to import the records. Please try again."],
  }),
  form("import/:id/undo", "", {
    who: "owner",
    path: ({ importId }) => `/import/${importId}/undo`,
    fields: () => ({}),
    says: ["Failed to undo the import. Please try again."],
    again: "refused",
  }),
  form("import/brought-forward/:key?", "", {
    who: "owner",
    path: () => `/import/brought-forward/${KEY}`,
    fields: () => ({ date: "2025-12-31", location: "Earlier employers", MT: "800", PT: "20" }),
    says: ["Failed to save the hours. Please try again."],
    keeps: { date: "2025-12-31", location: "Earlier employers", MT: "800", PT: "20" },
  }),
  form("inbox", "", {
    who: "nobody",
    path: () => "/inbox",
    fields: () => ({ email: "ola@example.org" }),
    says: ["An error occurred. Please try again."],
    keeps: { email: "ola@example.org" },
    again: { more: "another email with a link, as asking twice does" },
  }),
  form("disown/:token", "", {
    who: "nobody",
    path: ({ disownToken }) => `/disown/${disownToken}`,
    fields: () => ({ reason: "I was on leave" }),
    says: ["An error occurred. Please try again."],
  }),
  form("unsubscribe/:token", "", {
    who: "nobody",
    path: ({ unsubscribeToken }) => `/unsubscribe/${unsubscribeToken}`,
    fields: () => ({}),
    says: ["An error occurred. Please try again."],
  }),
  form("profile/record/:id/edit", "", {
    who: "owner",
    path: ({ entryId }) => `/profile/record/${entryId}/edit`,
    fields: ({ entryId }) => ({
      ...formFields(anEntry({ location: "Elsewhere" })),
      shown: recordHash(entryKind, { id: entryId, date: "2026-11-19", location: "Mongstad", method: "MT", hours: 7.5 }),
    }),
    says: ["Failed to save the changes. Please try again."],
    keeps: formFields(anEntry({ location: "Elsewhere" })),
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
      ...formFields(aRopeHours()),
      shown: recordHash(ropeHoursKind, {
        ...{ id, startDate: "2026-11-19", endDate: "2026-11-21", location: "Rig", skills: "Rescue", hours: 7.5 },
      }),
    }),
    says: ["Failed to save the changes. Please try again."],
    keeps: formFields(aRopeHours()),
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
  form("rope-hours/new/:key?", "", {
    who: "owner",
    path: () => `/rope-hours/new/${KEY}`,
    fields: () => formFields(aRopeHours()),
    says: ["Failed to log rope hours. Please try again."],
    keeps: formFields(aRopeHours()),
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
  form("account/email", "", {
    who: "owner",
    path: () => "/account/email",
    fields: ({ freshEmail }) => ({ email: freshEmail, password: PASSWORD }),
    says: ["Failed to send the link. Please try again."],
    again: NEW_LINK,
  }),
  form("account/email/:token", "", {
    who: "nobody",
    path: ({ changeToken }) => `/account/email/${changeToken}`,
    fields: () => ({}),
    says: ["Failed to change the email address. Please try again."],
    again: "refused",
  }),
  ...["profile", "rope-hours"].map((log) =>
    form(`${log}/exports`, "", {
      who: "owner",
      path: () => `/${log}/exports`,
      fields: () => ({ key: KEY }),
      says: ["Failed to export PDF. Please try again."],
    }),
  ),
  form("account/exports/:id", "", {
    who: "owner",
    path: ({ exportId }) => `/account/exports/${exportId}`,
    fields: () => ({}),
    says: ["Failed to close the export. Please try again."],
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
  form("account/tokens/:key?", "", {
    who: "owner",
    path: () => `/account/tokens/${KEY}`,
    fields: () => ({ name: "Payroll", access: "read" }),
    says: ["Failed to make the token. Please try again."],
    keeps: { name: "Payroll" },
    again: "refused",
  }),
  form("account/end-token", "", {
    who: "owner",
    path: () => "/account/end-token",
    fields: ({ readTokenId }) => ({ token: String(readTokenId) }),
    says: ["Failed to end the token If it is still here, please try again."],
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
