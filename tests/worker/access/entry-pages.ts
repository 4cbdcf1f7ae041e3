import { anEntry, formFields } from "#tests/worker/people.ts";
import { all, away, cells, OWN_PAGE, PAGE, type Rows, to } from "./cells.ts";

/** The pages of OJT entries. */
export const ENTRY_PAGES: Rows = {
  profile: [
    { address: "/profile", GET: { cells: PAGE } },
    // The dialog of the owner's record, for which only the owner can request a verification.
    {
      address: ({ entryId }) => `/profile?request=${entryId}&link=1`,
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
  shift: {
    address: "/shift",
    GET: { cells: PAGE },
    POST: { cells: cells(away("/auth"), 200, 200, 200), form: () => ({ "entries[0].location": "Mongstad" }) },
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
    // The owner's record, and another user's supervisor.
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
    GET: { cells: all(to("/profile/record")) },
    POST: { cells: cells(away("/auth"), to("/profile/record"), 404, 404) },
  },
  "profile/record/:id/edit": {
    address: ({ entryId }) => `/profile/record/${entryId}/edit`,
    GET: { cells: OWN_PAGE },
    // Without the hash of what it was shown the owner's form is refused, and shows the record instead.
    POST: { cells: cells(away("/auth"), 409, 404, 404), form: () => formFields(anEntry()) },
  },
  "profile/record/:id/delete": {
    address: ({ entryId }) => `/profile/record/${entryId}/delete`,
    GET: { cells: OWN_PAGE },
    POST: { cells: cells(away("/auth"), to("/profile"), 404, 404), form: () => ({}) },
  },
  "profile/record/:id/restore": {
    address: ({ deletedId }) => `/profile/record/${deletedId}/restore`,
    GET: { cells: all(to("/profile")) },
    POST: { cells: cells(away("/auth"), to("/profile"), 404, 404), form: () => ({}) },
  },
  "profile/print/:id?": [
    {
      address: "/profile/print",
      GET: { cells: cells(away("/auth"), 200, away("/profile"), away("/profile")) },
    },
    { address: ({ exportId }) => `/profile/print/${exportId}`, GET: { cells: OWN_PAGE } },
  ],
};
