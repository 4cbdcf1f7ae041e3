import { aSupervisor } from "#tests/worker/people.ts";
import { type CallRow, LEVEL, ODD_RECORDS, POST_FAULTS, SUPERVISOR } from "./call.ts";

/** The calls of a technician's supervisors. */
export const SUPERVISORS: CallRow[] = [
  {
    method: "GET",
    path: () => "/api/supervisors",
    faults: ["method", "session"],
    shape: [SUPERVISOR],
  },
  {
    method: "POST",
    path: () => "/api/supervisors",
    body: () => aSupervisor(),
    badBodies: [
      [aSupervisor({ name: " " }), "name", "Name is required"],
      [aSupervisor({ email: "ola" }), "email", "Invalid email address"],
      [aSupervisor({ phone: undefined }), "phone", "Phone is required"],
      [aSupervisor({ certificationLevel: "Level IV" }), "certificationLevel", LEVEL],
      [aSupervisor({ company: "" }), "company", "Company is required"],
    ],
    faults: [...POST_FAULTS, "session", "body"],
    shape: SUPERVISOR,
  },
  {
    method: "PATCH",
    path: ({ supervisorId }, faults = []) => `/api/supervisors/${faults.includes("missing") ? 999_999 : supervisorId}`,
    othersPath: ({ othersSupervisorId }) => `/api/supervisors/${othersSupervisorId}`,
    oddPaths: ODD_RECORDS("/api/supervisors"),
    body: () => ({ phone: "+47 555 99 999" }),
    badBodies: [
      [{ name: " " }, "name", "Name is required"],
      [{ email: "ola" }, "email", "Invalid email address"],
      [{ phone: null }, "phone", "Phone is required"],
      [{ certificationLevel: "Level IV" }, "certificationLevel", LEVEL],
      [{ company: "" }, "company", "Company is required"],
    ],
    faults: [...POST_FAULTS, "session", "missing", "body"],
    shape: SUPERVISOR,
  },
  {
    method: "DELETE",
    path: ({ supervisorId }, faults = []) => `/api/supervisors/${faults.includes("missing") ? 999_999 : supervisorId}`,
    othersPath: ({ othersSupervisorId }) => `/api/supervisors/${othersSupervisorId}`,
    oddPaths: ODD_RECORDS("/api/supervisors"),
    faults: ["method", "crossSite", "session", "missing"],
    shape: { message: "string" },
  },
  {
    method: "GET",
    path: ({ supervisorId }, faults = []) => `/api/supervisors/${faults.includes("missing") ? 999_999 : supervisorId}`,
    othersPath: ({ othersSupervisorId }) => `/api/supervisors/${othersSupervisorId}`,
    oddPaths: ODD_RECORDS("/api/supervisors"),
    faults: ["method", "session", "missing"],
    shape: SUPERVISOR,
  },
];
