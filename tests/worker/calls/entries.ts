import { anEntry } from "#tests/worker/people.ts";
import { type CallRow, ENTRY, HISTORY, METHOD_MESSAGE, ODD_IDS, ODD_RECORDS, POST_FAULTS } from "./call.ts";

/** The calls of OJT entries. */
export const ENTRIES: CallRow[] = [
  {
    method: "GET",
    path: () => "/api/entries",
    faults: ["method", "session"],
    // The newest is the verified one.
    shape: [{ ...ENTRY, verifiedBy: "string", verifiedAt: "string", verifiedVia: "string" }],
  },
  {
    method: "POST",
    path: () => "/api/entries",
    body: () => [anEntry(), anEntry({ method: "UT_THK" })],
    badBodies: [
      [[], "", "Add at least one entry"],
      [anEntry({ date: undefined }), "0.date", "Date is required"],
      [anEntry({ date: "0206-11-24" }), "0.date", "Date must be in 1900 or later: check the year"],
      [[anEntry(), anEntry({ location: "" })], "1.location", "Location is required"],
      [anEntry({ method: "" }), "0.method", "Method is required"],
      [anEntry({ method: "XX" }), "0.method", METHOD_MESSAGE],
      [anEntry({ hours: 0 }), "0.hours", "Hours must be greater than 0"],
      [[null], "0", "An entry is an object with date, location, method and hours"],
    ],
    faults: [...POST_FAULTS, "session", "body"],
    shape: [{ ...ENTRY, details: { workedAs: "string" } }],
  },
  {
    method: "GET",
    path: ({ verifiedId }, faults = []) =>
      `/api/entries/${faults.includes("missing") ? 999_999 : verifiedId}/verification`,
    othersPath: ({ othersEntryId }) => `/api/entries/${othersEntryId}/verification`,
    oddPaths: ODD_IDS.map((id) => `/api/entries/${id}/verification`),
    faults: ["method", "session", "missing"],
    shape: HISTORY,
  },
  {
    method: "PATCH",
    path: ({ entryId, verifiedId }, faults = []) =>
      `/api/entries/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? verifiedId : entryId}`,
    othersPath: ({ othersEntryId }) => `/api/entries/${othersEntryId}`,
    oddPaths: ODD_RECORDS("/api/entries"),
    body: () => ({ hours: 8 }),
    badBodies: [
      [{ hours: 0 }, "hours", "Hours must be greater than 0"],
      [{ date: "0026-11-24" }, "date", "Date must be in 1900 or later: check the year"],
      [{ date: "2026-02-30" }, "date", "Date must be a day of the calendar, such as 2026-11-21"],
      [{ date: null }, "date", "Date is required"],
      [{ location: " " }, "location", "Location is required"],
      [{ method: "" }, "method", "Method is required"],
    ],
    faults: [...POST_FAULTS, "session", "missing", "body", "conflict"],
    shape: ENTRY,
  },
  {
    method: "DELETE",
    path: ({ entryId, verifiedId }, faults = []) =>
      `/api/entries/${faults.includes("missing") ? 999_999 : faults.includes("conflict") ? verifiedId : entryId}`,
    othersPath: ({ othersEntryId }) => `/api/entries/${othersEntryId}`,
    oddPaths: ODD_RECORDS("/api/entries"),
    faults: ["method", "crossSite", "session", "missing", "conflict"],
    shape: { message: "string" },
  },
  {
    method: "POST",
    path: ({ deletedId }, faults = []) => `/api/entries/${faults.includes("missing") ? 999_999 : deletedId}/restore`,
    othersPath: ({ othersDeletedId }) => `/api/entries/${othersDeletedId}/restore`,
    oddPaths: ODD_RECORDS("/api/entries", "/restore"),
    body: () => ({}),
    faults: [...POST_FAULTS, "session", "missing"],
    shape: ENTRY,
  },
  {
    method: "GET",
    path: ({ entryId }, faults = []) => `/api/entries/${faults.includes("missing") ? 999_999 : entryId}`,
    othersPath: ({ othersEntryId }) => `/api/entries/${othersEntryId}`,
    oddPaths: ODD_RECORDS("/api/entries"),
    faults: ["method", "session", "missing"],
    shape: ENTRY,
  },
];
