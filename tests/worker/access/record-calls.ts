import { anEntry, aRopeHours, aSupervisor } from "#tests/worker/people.ts";
import { all, cells, DECLINE, RECORD, type Rows, SUPERVISOR_NAME } from "./cells.ts";

/** The API calls of records, supervisors and verification. */
export const RECORD_CALLS: Rows = {
  "api/entries": {
    address: "/api/entries",
    POST: { json: ({ otherId }) => anEntry({ userId: otherId, verified: true, verifiedBy: "x" }) },
  },
  "api/entries/:id": [
    {
      address: ({ entryId }) => `/api/entries/${entryId}`,
      PATCH: { json: ({ otherId }) => ({ hours: 8, userId: otherId, verified: true }) },
    },
    {
      address: ({ verifiedId }) => `/api/entries/${verifiedId}`,
      PATCH: { cells: cells(401, 409, 404, 404), json: () => ({ hours: 8 }) },
      DELETE: { cells: cells(401, 409, 404, 404) },
    },
  ],
  "api/entries/:id/restore": {
    address: ({ deletedId }) => `/api/entries/${deletedId}/restore`,
    POST: { json: () => ({}) },
  },
  "api/entries/:id/verification": {
    address: ({ verifiedId }) => `/api/entries/${verifiedId}/verification`,
  },
  "api/rope-hours": {
    address: "/api/rope-hours",
    POST: { json: ({ otherId }) => aRopeHours({ userId: otherId, verified: true }) },
  },
  "api/rope-hours/:id": {
    address: ({ ropeId }) => `/api/rope-hours/${ropeId}`,
    PATCH: { json: ({ otherId }) => ({ hours: 8, userId: otherId }) },
  },
  "api/rope-hours/:id/restore": {
    address: ({ deletedRopeId }) => `/api/rope-hours/${deletedRopeId}/restore`,
    POST: { json: () => ({}) },
  },
  "api/rope-hours/:id/verification": {
    address: ({ verifiedRopeId }) => `/api/rope-hours/${verifiedRopeId}/verification`,
  },
  "api/supervisors": {
    address: "/api/supervisors",
    POST: { json: ({ otherId }) => aSupervisor({ userId: otherId }) },
  },
  "api/supervisors/:id": {
    address: ({ supervisorId }) => `/api/supervisors/${supervisorId}`,
    PATCH: { json: ({ otherId }) => ({ phone: "1", userId: otherId }) },
  },
  "api/verification-requests": [
    {
      address: "/api/verification-requests",
      POST: {
        cells: cells(401, 201, 404, 404),
        json: ({ supervisorId, entryId }) => ({ supervisorId, records: [{ type: "entry", id: entryId }] }),
      },
    },
    {
      address: "/api/verification-requests",
      POST: {
        cells: cells(401, 404, 404, 404),
        json: ({ supervisorId, othersEntryId }) => ({ supervisorId, records: [{ type: "entry", id: othersEntryId }] }),
      },
    },
  ],
  "api/verification-requests/:id": {
    address: ({ requestId }) => `/api/verification-requests/${requestId}`,
    PATCH: { json: () => ({ reminders: false }) },
  },
  "api/verification-requests/:id/remind": {
    address: ({ requestId }) => `/api/verification-requests/${requestId}/remind`,
    POST: { json: () => ({}) },
  },
  "api/verify-request/:id": [
    {
      address: ({ entryId }) => `/api/verify-request/${entryId}`,
      POST: { json: ({ supervisorId }) => ({ supervisorId }) },
    },
    {
      address: ({ entryId }) => `/api/verify-request/${entryId}`,
      POST: { cells: cells(401, 404, 404, 404), json: ({ othersSupervisorId: supervisorId }) => ({ supervisorId }) },
    },
  ],
  "api/verify-request-rope/:id": {
    address: ({ ropeId }) => `/api/verify-request-rope/${ropeId}`,
    POST: { json: ({ supervisorId }) => ({ supervisorId }) },
  },
  "api/verify/:token": [
    {
      address: (_world, token) => `/api/verify/${token}`,
      link: "open",
      GET: { shows: RECORD },
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
  "api/verify/:token/decline": [
    {
      address: (_world, token) => `/api/verify/${token}/decline`,
      link: "open",
      POST: { cells: cells(404, 403, 200, 200, 200, 404), json: () => DECLINE, changes: ["owner"] },
    },
    {
      address: (_world, token) => `/api/verify/${token}/decline`,
      link: "used",
      POST: { cells: cells(404, 403, 409, 409, 409, 404), json: () => DECLINE },
    },
  ],
  "api/verify/:token/unknown": [
    {
      address: (_world, token) => `/api/verify/${token}/unknown`,
      link: "open",
      POST: { cells: cells(404, 403, 200, 200, 200, 404), json: () => ({}), changes: ["owner"] },
    },
    {
      address: (_world, token) => `/api/verify/${token}/unknown`,
      link: "used",
      POST: { cells: cells(404, 403, 409, 409, 409, 404), json: () => ({}) },
    },
  ],
  "api/disown/:token": {
    address: (_world, token) => `/api/disown/${token}`,
    link: "disown",
    GET: { shows: RECORD },
    POST: { cells: cells(404, 403, 200, 200, 200, 404), json: () => ({}), changes: ["owner"] },
  },
  "api/confirm/:token": {
    address: (_world, token) => `/api/confirm/${token}`,
    link: "confirm",
    GET: { shows: RECORD },
    POST: { cells: cells(404, 403, 200, 200, 200, 404), json: () => ({}), changes: ["owner"] },
  },
  "api/supervisor-inbox": {
    address: "/api/supervisor-inbox",
    POST: { cells: all(200), json: () => ({ email: "nobody-waits@example.org" }) },
  },
};
