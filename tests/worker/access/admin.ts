import { PERSON_ACTS, RESET_LINK } from "#app/admin/people.server.ts";
import type { World } from "#tests/worker/world.ts";
import { ADMIN_PAGE, all, away, cells, EVERYBODY, type Rows, to } from "./cells.ts";

/** A deleted record of each kind, and whose it is. */
const DELETED: [path: string, page: string, idOf: (world: World) => number, changes: "other" | "owner"][] = [
  ["entries", "entry", ({ othersDeletedId }) => othersDeletedId, "other"],
  ["rope-hours", "rope-hours", ({ deletedRopeId }) => deletedRopeId, "owner"],
  ["training", "training", ({ training }) => training.deletedId, "owner"],
  ["certificates", "certificates", ({ certificate }) => certificate.deletedId, "owner"],
];

/** The pages and API calls for admins. */
export const ADMIN: Rows = {
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
  "api/admin/users": { address: "/api/admin/users", GET: { shows: EVERYBODY } },
  "api/admin/users/:id": {
    address: ({ otherId }) => `/api/admin/users/${otherId}`,
    DELETE: { changes: ["other"] },
  },
  "api/admin/entries": { address: "/api/admin/entries", GET: { shows: EVERYBODY } },
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
  },
  "api/admin/rope-hours/:id/verification": {
    address: ({ ropeId }) => `/api/admin/rope-hours/${ropeId}/verification`,
  },
  "api/admin/entries/:id": {
    address: ({ othersEntryId }) => `/api/admin/entries/${othersEntryId}`,
    DELETE: { changes: ["other"] },
  },
  ...Object.fromEntries(
    DELETED.flatMap(([path, page, idOf, changes]): [string, Rows[string]][] => [
      [
        `api/admin/${path}/:id/restore`,
        { address: (world) => `/api/admin/${path}/${idOf(world)}/restore`, POST: { changes: [changes] } },
      ],
      [
        `admin/${page}/:id/restore`,
        {
          address: (world) => `/admin/${page}/${idOf(world)}/restore`,
          GET: { cells: all(to("/admin")) },
          POST: {
            cells: cells(away("/auth"), away("/profile"), away("/profile"), to("/admin")),
            form: () => ({}),
            changes: [changes],
          },
        },
      ],
    ]),
  ),
  "api/admin/rope-hours": { address: "/api/admin/rope-hours", GET: { shows: EVERYBODY } },
  "api/admin/rope-hours/:id": {
    address: ({ othersRopeId }) => `/api/admin/rope-hours/${othersRopeId}`,
    DELETE: { changes: ["other"] },
  },
  ...Object.fromEntries(
    (["training", "certificates"] as const).flatMap((path): [string, Rows[string]][] => {
      const kind = path === "training" ? path : "certificate";
      return [
        [
          `admin/${path}/:id`,
          { address: (world) => `/admin/${path}/${world[kind].id}`, GET: { cells: ADMIN_PAGE, shows: EVERYBODY } },
        ],
        [
          `api/admin/${path}/:id/verification`,
          { address: (world) => `/api/admin/${path}/${world[kind].id}/verification` },
        ],
        [`api/admin/${path}`, { address: `/api/admin/${path}`, GET: { shows: EVERYBODY } }],
        [
          `api/admin/${path}/:id`,
          { address: (world) => `/api/admin/${path}/${world[kind].othersId}`, DELETE: { changes: ["other"] } },
        ],
      ];
    }),
  ),
  ...Object.fromEntries(
    [...PERSON_ACTS, RESET_LINK].map((act) => [
      `api/admin/users/:id/${act}`,
      {
        address: ({ otherId }: World) => `/api/admin/users/${otherId}/${act}`,
        POST: { changes: ["other"], shows: EVERYBODY },
      },
    ]),
  ),
  "api/admin/users/:id/export.json": {
    address: ({ otherId }) => `/api/admin/users/${otherId}/export.json`,
    GET: { shows: [...EVERYBODY, "other supervisor"] },
  },
  "api/admin/tokens": {
    address: "/api/admin/tokens",
    POST: { json: () => ({ name: "HR", access: "read" }) },
  },
  "api/admin/tokens/:id": { address: ({ serviceTokenId }) => `/api/admin/tokens/${serviceTokenId}` },
  "admin/tokens/:key?": {
    address: "/admin/tokens/key-1",
    GET: { cells: ADMIN_PAGE },
    POST: { cells: ADMIN_PAGE, form: () => ({ name: "HR", access: "read" }) },
  },
  "admin/end-token": {
    address: "/admin/end-token",
    GET: { cells: all(to("/admin/tokens")) },
    POST: {
      cells: cells(away("/auth"), away("/profile"), away("/profile"), to("/admin/tokens")),
      form: ({ serviceTokenId }) => ({ token: String(serviceTokenId) }),
    },
  },
  "api/admin/system": { address: "/api/admin/system", GET: { shows: EVERYBODY } },
  "api/admin/messages/:id/send-again": {
    address: ({ failedEmailId }) => `/api/admin/messages/${failedEmailId}/send-again`,
    POST: { changes: ["owner"] },
  },
  "api/admin/log-check": { address: "/api/admin/log-check", POST: {} },
  "api/admin/erase-supervisor": {
    address: "/api/admin/erase-supervisor",
    POST: { json: () => ({ email: "saved@example.org" }), changes: ["owner", "other"] },
  },
  "api/admin/allow-emails": {
    address: "/api/admin/allow-emails",
    POST: { json: () => ({ email: "saved@example.org" }) },
  },
  "admin/system": {
    address: "/admin/system",
    GET: { cells: ADMIN_PAGE, shows: EVERYBODY },
    POST: {
      cells: cells(away("/auth"), away("/profile"), away("/profile"), to("/admin/system")),
      form: ({ failedEmailId }) => ({ messages: String(failedEmailId) }),
      changes: ["owner"],
    },
  },
  "admin/system/log-check": {
    address: "/admin/system/log-check",
    GET: { cells: all(to("/admin/system")) },
    POST: {
      cells: cells(away("/auth"), away("/profile"), away("/profile"), to("/admin/system")),
      form: () => ({}),
    },
  },
  "admin/system/erase-supervisor": {
    address: "/admin/system/erase-supervisor",
    GET: { cells: ADMIN_PAGE },
    POST: {
      cells: cells(away("/auth"), away("/profile"), away("/profile"), to("/admin/system")),
      form: () => ({ email: "saved@example.org", sure: "yes" }),
      changes: ["owner", "other"],
    },
  },
  "admin/system/allow-emails": {
    address: "/admin/system/allow-emails",
    GET: { cells: ADMIN_PAGE },
    POST: {
      cells: cells(away("/auth"), away("/profile"), away("/profile"), to("/admin/system")),
      form: () => ({ email: "saved@example.org" }),
    },
  },
  "admin/user/:id/:act?": [
    { address: ({ otherId }) => `/admin/user/${otherId}`, GET: { cells: ADMIN_PAGE, shows: EVERYBODY } },
    {
      address: ({ otherId }) => `/admin/user/${otherId}/lock`,
      GET: { cells: ADMIN_PAGE, shows: EVERYBODY },
      POST: {
        cells: cells(away("/auth"), away("/profile"), away("/profile"), to("/admin/user")),
        form: () => ({}),
        changes: ["other"],
      },
    },
  ],
};
