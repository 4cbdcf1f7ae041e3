import { aCertificate, aTraining, formFields } from "#tests/worker/people.ts";
import type { World } from "#tests/worker/world.ts";
import { all, away, cells, OWN_PAGE, PAGE, type Rows, to } from "./cells.ts";

interface Evidence {
  kind: "training" | "certificate";
  path: "training" | "certificates";
  sent: object;
}

const KINDS: Evidence[] = [
  { kind: "training", path: "training", sent: aTraining() },
  { kind: "certificate", path: "certificates", sent: aCertificate() },
];

/** The pages and calls of training and certificates, except those of admins. */
export const EVIDENCE: Rows = Object.assign({}, ...KINDS.map(rowsOf));

function rowsOf({ kind, path, sent }: Evidence): Rows {
  const log = `/${path}`;
  const idOf = (which: keyof World["training"]) => (world: World) => world[kind][which];
  const [id, verifiedId, deletedId] = [idOf("id"), idOf("verifiedId"), idOf("deletedId")];
  const record =
    (which: (world: World) => number, end = "") =>
    (world: World) =>
      `${log}/record/${which(world)}${end}`;
  const call =
    (which: (world: World) => number, end = "") =>
    (world: World) =>
      `/api/${path}/${which(world)}${end}`;
  const form = () => formFields(Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)));
  return {
    [path]: [
      { address: log, GET: { cells: PAGE } },
      {
        address: (world) => `${log}?request=${id(world)}`,
        GET: { cells: cells(away("/auth"), 200, away(log), away(log)) },
      },
    ],
    [`${path}/new/:key?`]: {
      address: `${log}/new/key-1`,
      GET: { cells: PAGE },
      POST: { cells: cells(away("/auth"), to(log), to(log), to(log)), form },
    },
    [`${path}/request/:id/:key?`]: {
      address: (world) => `${log}/request/${id(world)}`,
      GET: { cells: OWN_PAGE },
      POST: {
        cells: cells(away("/auth"), to(log), 404, 404),
        form: ({ supervisorId }) => ({ supervisor: String(supervisorId) }),
      },
    },
    [`${path}/record/:id`]: { address: record(verifiedId), GET: { cells: OWN_PAGE } },
    [`${path}/record/:id/withdraw`]: {
      address: record(verifiedId, "/withdraw"),
      GET: { cells: all(to(`${log}/record`)) },
      POST: { cells: cells(away("/auth"), away(`${log}/record`), 404, 404) },
    },
    [`${path}/record/:id/edit`]: [
      {
        address: record(id, "/edit"),
        GET: { cells: OWN_PAGE },
        POST: { cells: cells(away("/auth"), 409, 404, 404), form },
      },
      {
        address: record(verifiedId, "/edit"),
        // That a certificate was revoked can be noted after its verification.
        GET: { cells: cells(away("/auth"), kind === "certificate" ? 200 : 409, 404, 404) },
        POST: { cells: cells(away("/auth"), 409, 404, 404), form },
      },
    ],
    [`${path}/record/:id/delete`]: [
      {
        address: record(id, "/delete"),
        GET: { cells: OWN_PAGE },
        POST: { cells: cells(away("/auth"), to(log), 404, 404), form: () => ({}) },
      },
      {
        address: record(verifiedId, "/delete"),
        GET: { cells: cells(away("/auth"), 409, 404, 404) },
        POST: { cells: cells(away("/auth"), 409, 404, 404), form: () => ({}) },
      },
    ],
    [`${path}/record/:id/restore`]: {
      address: record(deletedId, "/restore"),
      GET: { cells: all(to(log)) },
      POST: { cells: cells(away("/auth"), to(log), 404, 404), form: () => ({}) },
    },
    [`api/${path}`]: {
      address: `/api/${path}`,
      POST: { json: ({ otherId }) => ({ ...sent, userId: otherId, verified: true }) },
    },
    [`api/${path}/:id`]: {
      address: call(id),
      PATCH: { json: ({ otherId }) => ({ level: "Level II", userId: otherId, verified: true }) },
    },
    [`api/${path}/:id/restore`]: { address: call(deletedId, "/restore"), POST: { json: () => ({}) } },
    [`api/${path}/:id/verification`]: { address: call(verifiedId, "/verification") },
  };
}
