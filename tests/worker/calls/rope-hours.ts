import { aRopeHours } from "#tests/worker/people.ts";
import { type CallRow, HISTORY, ODD_IDS, ODD_RECORDS, POST_FAULTS, ROPE_HOURS } from "./call.ts";

/** The calls of rope hours. */
export const ROPE_HOURS_CALLS: CallRow[] = [
  {
    method: "GET",
    path: () => "/api/rope-hours",
    faults: ["method", "session"],
    // The newest is the verified one.
    shape: [{ ...ROPE_HOURS, verifiedBy: "string", verifiedAt: "string", verifiedVia: "string" }],
  },
  {
    method: "POST",
    path: () => "/api/rope-hours",
    body: () => aRopeHours(),
    badBodies: [
      [{}, "startDate", "Please fill in all fields"],
      [aRopeHours({ location: " " }), "location", "Please fill in all fields"],
      [aRopeHours({ hours: "abc" }), "hours", "Please fill in all fields"],
      [aRopeHours({ hours: -1 }), "hours", "Hours must be 0 or more"],
      [aRopeHours({ endDate: "2026-11-15" }), "endDate", "End date must be after start date"],
      [aRopeHours({ skills: "x".repeat(2001) }), "skills", "Skills must be at most 2,000 characters"],
    ],
    faults: [...POST_FAULTS, "session", "body"],
    shape: ROPE_HOURS,
  },
  {
    method: "GET",
    path: ({ verifiedRopeId }, faults = []) =>
      `/api/rope-hours/${faults.includes("missing") ? 999_999 : verifiedRopeId}/verification`,
    othersPath: ({ othersRopeId }) => `/api/rope-hours/${othersRopeId}/verification`,
    oddPaths: ODD_IDS.map((id) => `/api/rope-hours/${id}/verification`),
    faults: ["method", "session", "missing"],
    shape: HISTORY,
  },
  {
    method: "PATCH",
    path: ({ ropeId, verifiedRopeId }, faults = []) =>
      `/api/rope-hours/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? verifiedRopeId : ropeId}`,
    othersPath: ({ othersRopeId }) => `/api/rope-hours/${othersRopeId}`,
    oddPaths: ODD_RECORDS("/api/rope-hours"),
    body: () => ({ skills: "Rigging" }),
    badBodies: [
      // The period ends on 2026-11-21: the rule applies to the record as it would be after the change.
      [{ startDate: "2026-11-22" }, "endDate", "End date must be after start date"],
      [{ hours: "abc" }, "hours", "Please fill in all fields"],
      [{ startDate: "0026-11-16" }, "startDate", "Start date must be in 1900 or later: check the year"],
      [{ hours: -1 }, "hours", "Hours must be 0 or more"],
      [{ location: "" }, "location", "Please fill in all fields"],
      [{ skills: "x".repeat(2001) }, "skills", "Skills must be at most 2,000 characters"],
    ],
    faults: [...POST_FAULTS, "session", "missing", "body", "conflict"],
    shape: ROPE_HOURS,
  },
  {
    method: "DELETE",
    path: ({ ropeId, verifiedRopeId }, faults = []) =>
      `/api/rope-hours/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? verifiedRopeId : ropeId}`,
    othersPath: ({ othersRopeId }) => `/api/rope-hours/${othersRopeId}`,
    oddPaths: ODD_RECORDS("/api/rope-hours"),
    faults: ["method", "crossSite", "session", "missing", "conflict"],
    shape: { message: "string" },
  },
  {
    method: "POST",
    path: ({ deletedRopeId }, faults = []) =>
      `/api/rope-hours/${faults.includes("missing") ? 999_999 : deletedRopeId}/restore`,
    oddPaths: ODD_RECORDS("/api/rope-hours", "/restore"),
    body: () => ({}),
    faults: [...POST_FAULTS, "session", "missing"],
    shape: ROPE_HOURS,
  },
  {
    method: "GET",
    path: ({ ropeId }, faults = []) => `/api/rope-hours/${faults.includes("missing") ? 999_999 : ropeId}`,
    othersPath: ({ othersRopeId }) => `/api/rope-hours/${othersRopeId}`,
    oddPaths: ODD_RECORDS("/api/rope-hours"),
    faults: ["method", "session", "missing"],
    shape: ROPE_HOURS,
  },
];
