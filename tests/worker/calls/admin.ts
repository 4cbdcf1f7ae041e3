import { expect, inject } from "vitest";
import { PERSON_ACTS, STILL_TO_COME } from "#app/admin/people.server.ts";
import type { World } from "#tests/worker/world.ts";
import { type CallRow, ENTRY, HISTORY, ODD_IDS, ROPE_HOURS, USER } from "./call.ts";
import { EVERYTHING_WITHOUT_LINKS } from "./transfer.ts";

const isInBinary = inject("target") === "binary";

/** A deleted record of each kind. In a world with nothing in it there is none. */
const DELETED: Record<string, (world: World) => number | undefined> = {
  entries: ({ othersDeletedId }) => othersDeletedId,
  "rope-hours": ({ deletedRopeId }) => deletedRopeId,
  training: ({ training }) => training?.deletedId,
  certificates: ({ certificate }) => certificate?.deletedId,
};

/** The calls for admins. */
export const ADMIN: CallRow[] = [
  {
    method: "GET",
    path: () => "/api/admin/users",
    faults: ["method", "session", "role"],
    shape: [{ ...USER, lockedAt: "null", leftOn: "null" }],
  },
  {
    method: "GET",
    path: (_world, faults = []) => `/api/admin/entries${faults.includes("body") ? "?limit=0" : ""}`,
    faults: ["method", "session", "role", "body"],
    // The last one logged is the other technician's unverified record.
    shape: [{ ...ENTRY, user: { id: "number", name: "string", email: "string" } }],
  },
  {
    method: "GET",
    path: (_world, faults = []) => `/api/admin/rope-hours${faults.includes("body") ? "?user=0" : ""}`,
    faults: ["method", "session", "role", "body"],
    shape: [{ ...ROPE_HOURS, user: { id: "number", name: "string", email: "string" } }],
  },
  {
    method: "DELETE",
    path: ({ othersRopeId }, faults = []) =>
      `/api/admin/rope-hours/${faults.includes("missing") ? 999_999 : othersRopeId}`,
    oddPaths: ODD_IDS.map((id) => `/api/admin/rope-hours/${id}`),
    faults: ["method", "crossSite", "session", "role", "missing"],
    shape: { message: "string" },
  },
  {
    method: "GET",
    path: ({ verifiedId }, faults = []) =>
      `/api/admin/entries/${faults.includes("missing") ? 999_999 : verifiedId}/verification`,
    oddPaths: ODD_IDS.map((id) => `/api/admin/entries/${id}/verification`),
    faults: ["method", "session", "role", "missing"],
    shape: HISTORY,
  },
  {
    method: "GET",
    path: ({ verifiedRopeId }, faults = []) =>
      `/api/admin/rope-hours/${faults.includes("missing") ? 999_999 : verifiedRopeId}/verification`,
    oddPaths: ODD_IDS.map((id) => `/api/admin/rope-hours/${id}/verification`),
    faults: ["method", "session", "role", "missing"],
    shape: HISTORY,
  },
  {
    method: "DELETE",
    path: ({ adminId, otherId }, faults = []) =>
      `/api/admin/users/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? adminId : otherId}`,
    oddPaths: ODD_IDS.map((id) => `/api/admin/users/${id}`),
    faults: ["method", "crossSite", "session", "role", "missing", "conflict"],
    codes: { conflict: "last_admin" },
    shape: { message: "string" },
  },
  {
    method: "DELETE",
    path: ({ othersEntryId }, faults = []) =>
      `/api/admin/entries/${faults.includes("missing") ? 999_999 : othersEntryId}`,
    oddPaths: ODD_IDS.map((id) => `/api/admin/entries/${id}`),
    faults: ["method", "crossSite", "session", "role", "missing"],
    shape: { message: "string" },
  },
  ...PERSON_ACTS.map((act): CallRow => {
    const path: CallRow["path"] = ({ otherId }, faults = []) =>
      `/api/admin/users/${faults.includes("missing") ? 999_999 : otherId}/${act}`;
    return {
      method: "POST",
      path,
      oddPaths: ODD_IDS.map((id) => `/api/admin/users/${id}/${act}`),
      ...(act === "has-left" && {
        body: (_world, faults = []) => ({ on: faults.includes("body") ? "soon" : "2026-01-31" }),
        badBodies: [
          [{ on: "soon" }, "on", "on must be a date, as 2026-11-28"],
          [{ on: "9999-01-01" }, "on", STILL_TO_COME],
        ],
      }),
      faults: [
        ...(["method", "crossSite"] as const),
        ...(act === "has-left" ? (["size", "type"] as const) : []),
        ...(["session", "role", "missing"] as const),
        ...(act === "has-left" ? (["body"] as const) : []),
      ],
      shape: {
        ...USER,
        lockedAt: act === "lock" || act === "has-left" ? "string" : "null",
        leftOn: act === "has-left" ? "string" : "null",
      },
    };
  }),
  ...Object.entries(DELETED).map(
    ([path, idOf]): CallRow => ({
      method: "POST",
      path: (world, faults = []) => `/api/admin/${path}/${faults.includes("missing") ? 999_999 : idOf(world)}/restore`,
      oddPaths: ODD_IDS.map((id) => `/api/admin/${path}/${id}/restore`),
      faults: ["method", "crossSite", "session", "role", "missing"],
      shape: { message: "string" },
    }),
  ),
  {
    method: "POST",
    path: ({ otherId }, faults = []) => `/api/admin/users/${faults.includes("missing") ? 999_999 : otherId}/reset-link`,
    oddPaths: ODD_IDS.map((id) => `/api/admin/users/${id}/reset-link`),
    faults: ["method", "crossSite", "session", "role", "missing"],
    shape: { emailed: "boolean", url: "string" },
  },
  {
    method: "GET",
    path: ({ owner }, faults = []) =>
      // In a world with nothing in it there is no owner.
      `/api/admin/users/${faults.includes("missing") ? 999_999 : owner?.user?.id}/export.json`,
    oddPaths: ODD_IDS.map((id) => `/api/admin/users/${id}/export.json`),
    faults: ["method", "session", "role", "missing"],
    shape: EVERYTHING_WITHOUT_LINKS,
  },
  {
    method: "GET",
    path: (_world, faults = []) => `/api/admin/system${faults.includes("body") ? "?limt=10" : ""}`,
    faults: ["method", "session", "role", "body"],
    shape: {
      version: "string",
      runtime: isInBinary ? { version: "string", builtOn: "string" } : "null",
      // The executable's folder may have a backup by now.
      database: { bytes: "number", limit: "number" },
      backups: isInBinary ? expect.any(Array) : [{ place: "string", at: "null", encrypted: "null", bytes: "null" }],
      mail: {
        waiting: "number",
        stopped: "number",
        failed: [{ id: "number", kind: "string", to: "string", reason: "string", at: "string" }],
        changes: [],
      },
      timer: { lastRun: "null" },
      logCheck: "null",
      missing: ["string"],
    },
  },
  {
    method: "POST",
    path: ({ failedEmailId, sentEmailId }, faults = []) =>
      `/api/admin/messages/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? sentEmailId : failedEmailId}/send-again`,
    oddPaths: ODD_IDS.map((id) => `/api/admin/messages/${id}/send-again`),
    faults: ["method", "crossSite", "session", "role", "missing", "conflict"],
    codes: { conflict: "already_sent" },
    shape: { message: "string" },
  },
  {
    method: "POST",
    path: () => "/api/admin/log-check",
    faults: ["method", "crossSite", "session", "role"],
    shape: { message: "string" },
  },
  {
    method: "POST",
    path: () => "/api/admin/erase-supervisor",
    body: (_world, faults = []) => ({ email: faults.includes("body") ? "nobody" : "saved@example.org" }),
    badBodies: [
      [{}, "email", "Please enter a valid email address"],
      [{ email: "nobody" }, "email", "Please enter a valid email address"],
    ],
    faults: ["method", "crossSite", "size", "type", "session", "role", "body"],
    shape: { message: "string", accounts: "number" },
  },
  {
    method: "POST",
    path: () => "/api/admin/allow-emails",
    body: (_world, faults = []) => ({ email: faults.includes("body") ? "nobody" : "saved@example.org" }),
    badBodies: [
      [{}, "email", "Please enter a valid email address"],
      [{ email: "nobody" }, "email", "Please enter a valid email address"],
    ],
    faults: ["method", "crossSite", "size", "type", "session", "role", "body"],
    shape: { message: "string", stopped: "boolean" },
  },
];
