import { aSupervisor } from "#tests/worker/people.ts";
import {
  ASKER,
  all,
  away,
  cells,
  LINK,
  OWN_PAGE,
  PAGE,
  RECORD,
  type Row,
  type Rows,
  SUPERVISOR_NAME,
  to,
} from "./cells.ts";

/** A button on the page of a request. A GET leads back to it, also from a request that is another technician's. */
function requestButton(name: string): Row {
  return {
    address: ({ requestId }) => `/requests/${requestId}/${name}`,
    GET: { cells: all(to("/requests")) },
    POST: { cells: cells(away("/auth"), to("/requests"), 404, 404), form: () => ({}) },
  };
}

/** The pages of a technician's supervisors and requests, and those that a supervisor opens by a link. */
export const SUPERVISOR_PAGES: Rows = {
  supervisors: { address: "/supervisors", GET: { cells: PAGE } },
  "supervisors/new/:key?": {
    address: "/supervisors/new/key-1",
    GET: { cells: PAGE },
    POST: { cells: all(to("/supervisors"), away("/auth")), form: () => aSupervisor({ email: "new@example.org" }) },
  },
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
  requests: { address: "/requests", GET: { cells: PAGE } },
  "requests/new/:key?": {
    address: "/requests/new/key-1",
    GET: { cells: PAGE },
    POST: {
      cells: cells(away("/auth"), to("/requests"), 404, 404),
      form: ({ supervisorId, entryId }) => ({ supervisor: String(supervisorId), "records[0].key": `entry:${entryId}` }),
    },
  },
  "requests/:id": { address: ({ requestId }) => `/requests/${requestId}`, GET: { cells: OWN_PAGE } },
  "requests/:id/remind": requestButton("remind"),
  "requests/:id/reminders": requestButton("reminders"),
  "requests/:id/withdraw": requestButton("withdraw"),
  "verify/:token": [
    {
      address: (_world, token) => `/verify/${token}`,
      link: "open",
      GET: { cells: LINK, shows: ASKER },
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
      GET: { cells: LINK, shows: ASKER },
      POST: { cells: cells(404, 403, 409, 409, 409, 404), form: () => SUPERVISOR_NAME, shows: ASKER },
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
  inbox: {
    address: "/inbox",
    GET: { cells: all(200) },
    POST: { cells: all(to("/inbox")), form: () => ({ email: "nobody-waits@example.org" }) },
  },
  "inbox/:token": {
    address: (_world, token) => `/inbox/${token}`,
    link: "inbox",
    GET: { cells: LINK, shows: ["owner name", "used"] }, // what was answered from the mailbox within the hour
    POST: {
      cells: cells(404, to("/inbox"), to("/inbox"), to("/inbox"), to("/inbox"), 404),
      form: ({ entryId }) => ({ ...SUPERVISOR_NAME, "items[0].shown": `entry:${entryId}:0` }),
    },
  },
  "disown/:token": {
    address: (_world, token) => `/disown/${token}`,
    link: "disown",
    GET: { cells: LINK, shows: RECORD },
    POST: {
      cells: cells(404, 403, to("/disown"), to("/disown"), to("/disown"), 404),
      form: () => ({ whole: "1" }),
      shows: RECORD, // after a failure the form is shown again
      changes: ["owner"],
    },
  },
  "confirm/:token": {
    address: (_world, token) => `/confirm/${token}`,
    link: "confirm",
    GET: { cells: LINK, shows: RECORD },
    POST: {
      cells: cells(404, 403, to("/confirm"), to("/confirm"), to("/confirm"), 404),
      form: () => ({ whole: "1" }),
      shows: RECORD, // after a failure the form is shown again
      changes: ["owner"],
    },
  },
  "unsubscribe/:token": {
    address: (_world, token) => `/unsubscribe/${token}`,
    link: "unsubscribe",
    GET: { cells: LINK },
    POST: { cells: LINK, form: () => ({}) },
  },
  success: {
    address: (_world, token) => `/success?token=${token}`,
    link: "used",
    GET: { cells: LINK, shows: RECORD },
  },
};
