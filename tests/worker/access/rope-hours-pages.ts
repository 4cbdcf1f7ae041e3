import { aRopeHours, formFields } from "#tests/worker/people.ts";
import { all, away, cells, OWN_PAGE, PAGE, type Rows, to } from "./cells.ts";

/** The pages of rope hours. */
export const ROPE_HOURS_PAGES: Rows = {
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
    GET: { cells: all(to("/rope-hours/record")) },
    POST: { cells: cells(away("/auth"), away("/rope-hours/record"), 404, 404) },
  },
  "rope-hours/record/:id/edit": [
    {
      address: ({ ropeId }) => `/rope-hours/record/${ropeId}/edit`,
      GET: { cells: OWN_PAGE },
      POST: { cells: cells(away("/auth"), 409, 404, 404), form: () => formFields(aRopeHours()) },
    },
    {
      address: ({ verifiedRopeId }) => `/rope-hours/record/${verifiedRopeId}/edit`,
      GET: { cells: cells(away("/auth"), 409, 404, 404) },
      POST: { cells: cells(away("/auth"), 409, 404, 404), form: () => formFields(aRopeHours()) },
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
  "rope-hours/print/:id?": [
    {
      address: "/rope-hours/print",
      GET: { cells: cells(away("/auth"), 200, away("/rope-hours"), away("/rope-hours")) },
    },
    // An export of entries is not at the address of rope hours (app/pdf/print-page.worker.test.ts has one of rope hours).
    { address: ({ exportId }) => `/rope-hours/print/${exportId}`, GET: { cells: cells(away("/auth"), 404, 404, 404) } },
  ],
  "rope-hours/record/:id/restore": {
    address: ({ deletedRopeId }) => `/rope-hours/record/${deletedRopeId}/restore`,
    GET: { cells: all(to("/rope-hours")) },
    POST: { cells: cells(away("/auth"), to("/rope-hours"), 404, 404), form: () => ({}) },
  },
};
