import { aCertificate, aTraining } from "#tests/worker/people.ts";
import type { World } from "#tests/worker/world.ts";
import { type CallRow, type Fault, HISTORY, ODD_IDS, ODD_RECORDS, POST_FAULTS, UNVERIFIED } from "./call.ts";

const { details: _, ...STATE } = UNVERIFIED;

const ID = { id: "number", userId: "number" };
const TEXTS = (...names: string[]) => Object.fromEntries(names.map((name) => [name, "string"]));
const NULLS = (...names: string[]) => Object.fromEntries(names.map((name) => [name, "null"]));

export const TRAINING = {
  ...ID,
  ...TEXTS("startDate", "endDate", "course", "organization"),
  hours: "number",
  ...STATE,
};
export const CERTIFICATE = { ...ID, ...TEXTS("category", "title", "standard", "issuer", "issuedOn"), ...STATE };

/** What a certificate seldom has. */
export const LATER = ["basis", "scope", "distance", "corrected", "administeredBy", "revokedOn", "revokedReason"];

interface Evidence {
  kind: "training" | "certificate";
  path: string;
  /** A valid body, and the shape of its record. */
  sent: object;
  saved: object;
  /** The shape of the records of the world. */
  stored: object;
  badBodies: NonNullable<CallRow["badBodies"]>;
  change: object;
  badChanges: NonNullable<CallRow["badBodies"]>;
  changed: object;
}

const KINDS: Evidence[] = [
  {
    kind: "training",
    path: "/api/training",
    sent: aTraining(),
    saved: { ...TRAINING, ...TEXTS("instructor", "method", "level") },
    stored: { ...TRAINING, ...NULLS("instructor", "method", "level") },
    badBodies: [
      [{}, "startDate", "Start date is required"],
      [aTraining({ hours: 0 }), "hours", "Hours must be greater than 0"],
      [aTraining({ endDate: "2026-03-01" }), "endDate", "End date must not be before start date"],
    ],
    change: { instructor: "Ola" },
    badChanges: [[{ startDate: "2026-03-07" }, "endDate", "End date must not be before start date"]],
    changed: { ...TRAINING, instructor: "string", ...NULLS("method", "level") },
  },
  {
    kind: "certificate",
    path: "/api/certificates",
    sent: aCertificate(),
    saved: {
      ...CERTIFICATE,
      ...TEXTS("method", "level", "number", "expiresOn"),
      ...NULLS("part", "score", "attempt", "originalLocation", ...LATER),
    },
    stored: {
      ...CERTIFICATE,
      ...NULLS("method", "level", "number", "expiresOn", "part", "score", "attempt", "originalLocation", ...LATER),
    },
    badBodies: [
      [{}, "category", "Choose what it is"],
      [aCertificate({ expiresOn: "2026-01-31" }), "expiresOn", "Expires on must not be before Issued on"],
      [
        aCertificate({ category: "examination", part: "general", score: 101 }),
        "score",
        "A score is a number from 0 to 100",
      ],
    ],
    change: { number: "7" },
    badChanges: [[{ score: 70 }, "score", "Score is not part of a certificate: leave it empty"]],
    changed: {
      ...CERTIFICATE,
      number: "string",
      ...NULLS("method", "level", "expiresOn", "part", "score", "attempt", "originalLocation", ...LATER),
    },
  },
];

/** The calls of training and certificates, except those of admins. */
export const EVIDENCE_CALLS: CallRow[] = KINDS.flatMap(callsOf);

function callsOf({ kind, path, sent, saved, stored, badBodies, change, badChanges, changed }: Evidence): CallRow[] {
  const at =
    (which: keyof World["training"], end = "") =>
    (world: World, faults: Fault[] = []) => {
      if (faults.includes("missing")) return `${path}/999999${end}`;
      return `${path}/${world[kind]?.[faults.includes("conflict") ? "verifiedId" : which]}${end}`; // the names need no world
    };
  const othersPath = (world: World) => `${path}/${world[kind]?.othersId}`;
  return [
    {
      method: "GET",
      path: () => path,
      faults: ["method", "session"],
      // The newest is the verified one: of equal dates the last saved that is not deleted.
      shape: [{ ...stored, verifiedBy: "string", verifiedAt: "string", verifiedVia: "string" }],
    },
    {
      method: "POST",
      path: () => path,
      body: () => sent,
      badBodies,
      faults: [...POST_FAULTS, "session", "body"],
      shape: saved,
    },
    {
      method: "GET",
      path: at("verifiedId", "/verification"),
      othersPath: (world) => `${othersPath(world)}/verification`,
      oddPaths: ODD_IDS.map((id) => `${path}/${id}/verification`),
      faults: ["method", "session", "missing"],
      shape: HISTORY,
    },
    {
      method: "PATCH",
      path: at("id"),
      othersPath,
      oddPaths: ODD_RECORDS(path),
      body: () => change,
      badBodies: badChanges,
      faults: [...POST_FAULTS, "session", "missing", "body", "conflict"],
      shape: changed,
    },
    {
      method: "DELETE",
      path: at("id"),
      othersPath,
      oddPaths: ODD_RECORDS(path),
      faults: ["method", "crossSite", "session", "missing", "conflict"],
      shape: { message: "string" },
    },
    {
      method: "POST",
      path: at("deletedId", "/restore"),
      oddPaths: ODD_RECORDS(path, "/restore"),
      body: () => ({}),
      faults: [...POST_FAULTS, "session", "missing"],
      shape: stored,
    },
    {
      method: "GET",
      path: at("id"),
      othersPath,
      oddPaths: ODD_RECORDS(path),
      faults: ["method", "session", "missing"],
      shape: stored,
    },
  ];
}

/** The calls of admins about them. */
export const ADMIN_EVIDENCE_CALLS: CallRow[] = KINDS.flatMap(({ kind, path: own, stored }): CallRow[] => {
  const path = own.replace("/api/", "/api/admin/");
  const at =
    (which: keyof World["training"], end = "") =>
    (world: World, faults: Fault[] = []) =>
      `${path}/${faults.includes("missing") ? 999_999 : world[kind]?.[which]}${end}`;
  return [
    {
      method: "GET",
      path: (_world, faults = []) => `${path}${faults.includes("body") ? "?limit=0" : ""}`,
      faults: ["method", "session", "role", "body"],
      shape: [{ ...stored, user: { id: "number", name: "string", email: "string" } }],
    },
    {
      method: "DELETE",
      path: at("othersId"),
      oddPaths: ODD_IDS.map((id) => `${path}/${id}`),
      faults: ["method", "crossSite", "session", "role", "missing"],
      shape: { message: "string" },
    },
    {
      method: "GET",
      path: at("verifiedId", "/verification"),
      oddPaths: ODD_IDS.map((id) => `${path}/${id}/verification`),
      faults: ["method", "session", "role", "missing"],
      shape: HISTORY,
    },
  ];
});
