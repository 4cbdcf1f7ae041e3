import { aSupervisor, formFields } from "#tests/worker/people.ts";
import type { World } from "#tests/worker/world.ts";
import { type Action, form, KEY } from "../action.ts";

const chosen = ({ supervisorId }: World) => ({ supervisor: String(supervisorId) });
const REQUEST_FAILED = ["Failed to send verification request. Please try again."];

/** The forms of verification requests: the technician's, and those of a supervisor's links. */
export const REQUEST_FORMS: Action[] = [
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
  form("inbox", "", {
    who: "nobody",
    path: () => "/inbox",
    fields: () => ({ email: "ola@example.org" }),
    says: ["An error occurred. Please try again."],
    keeps: { email: "ola@example.org" },
    again: { more: "another email with a link, as asking twice does" },
  }),
  form("inbox/:token", "", {
    who: "nobody",
    path: ({ inboxToken }) => `/inbox/${inboxToken}`,
    fields: ({ entryId }) => ({ supervisorName: "Ola Hansen", "items[0].shown": `entry:${entryId}:0` }),
    says: ["An error occurred during verification"],
    keeps: {}, // nothing waits here, so there is no form
  }),
  form("disown/:token", "", {
    who: "nobody",
    path: ({ disownToken }) => `/disown/${disownToken}`,
    fields: () => ({ reason: "I was on leave", whole: "1" }),
    says: ["An error occurred. Please try again."],
  }),
  form("confirm/:token", "", {
    who: "nobody",
    path: ({ confirmToken }) => `/confirm/${confirmToken}`,
    fields: () => ({ whole: "1" }),
    says: ["An error occurred. Please try again."],
  }),
  form("unsubscribe/:token", "", {
    who: "nobody",
    path: ({ unsubscribeToken }) => `/unsubscribe/${unsubscribeToken}`,
    fields: () => ({}),
    says: ["An error occurred. Please try again."],
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
  form("verify/:token", "", {
    who: "nobody",
    path: ({ token }) => `/verify/${token}`,
    fields: ({ shown }) => ({ supervisorName: "Ola Hansen", shown }),
    says: ["An error occurred during verification"],
    keeps: {},
    again: "refused",
  }),
];
