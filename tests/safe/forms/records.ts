import { certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import { trainingKind } from "#app/records/training/training.kind.ts";
import { aCertificate, anEntry, aRopeHours, aTraining, formFields } from "#tests/worker/people.ts";
import type { World } from "#tests/worker/world.ts";
import { type Action, form, KEY } from "../action.ts";

const row = Object.fromEntries(Object.entries(anEntry()).map(([name, value]) => [`entries[0].${name}`, String(value)]));
const UPLOADED = "Date,Location,Method,Hours\n2026-11-20,Rig,MT,2";
const COLUMNS = Object.fromEntries(
  ["date", "location", "method", "hours"].map((target, index) => [`choices[${index}].target`, target]),
);

/** The forms of training and certificates, and the kinds of the world's records (tests/worker/world.ts). */
const EVIDENCE = [
  {
    path: "training",
    kind: trainingKind,
    own: ({ training }: World) => training,
    sent: aTraining,
    stored: { startDate: "2026-03-02", endDate: "2026-03-06", course: "UT", organization: "NI", hours: 16 },
    failed: "Failed to save the training. Please try again.",
  },
  {
    path: "certificates",
    kind: certificateKind,
    own: ({ certificate }: World) => certificate,
    sent: aCertificate,
    stored: { category: "certificate", title: "UT", standard: "PCN", issuer: "NI", issuedOn: "2026-02-01" },
    failed: "Failed to save the certificate. Please try again.",
  },
] as const;

/** The forms of records: log, change, delete, restore, import and export. */
export const RECORD_FORMS: Action[] = [
  form("profile/entries/:key?", "", {
    who: "owner",
    path: () => `/profile/entries/${KEY}`,
    fields: () => row,
    says: ["Failed to save entries. Please try again."],
    keeps: row,
  }),
  form("shift", "", {
    who: "owner",
    path: () => "/shift",
    fields: () => row,
    says: ["Failed to share the shift. Please try again."],
  }),
  form("import", "", {
    who: "owner",
    path: () => "/import",
    fields: () => ({ kind: "entry", text: UPLOADED }),
    says: ["Failed to read the rows. Please try again."],
    keeps: { text: UPLOADED },
    again: { more: "a second preview, of which nothing is saved" },
  }),
  form("import/:id", "", {
    who: "owner",
    path: ({ importId }) => `/import/${importId}`,
    fields: () => ({ ...COLUMNS, dateOrder: "dmy" }),
    says: ["Failed to update the preview. Please try again."],
    again: { more: "a version number" },
  }),
  form("import/:id/apply", "", {
    who: "owner",
    path: ({ importId }) => `/import/${importId}/apply`,
    fields: () => COLUMNS,
    says: ["Failed to import the records. Please try again."],
  }),
  form("import/:id/undo", "", {
    who: "owner",
    path: ({ importId }) => `/import/${importId}/undo`,
    fields: () => ({}),
    says: ["Failed to undo the import. Please try again."],
    again: "refused",
  }),
  form("import/brought-forward/:key?", "", {
    who: "owner",
    path: () => `/import/brought-forward/${KEY}`,
    fields: () => ({ date: "2025-12-31", location: "Earlier employers", MT: "800", PT: "20" }),
    says: ["Failed to save the hours. Please try again."],
    keeps: { date: "2025-12-31", location: "Earlier employers", MT: "800", PT: "20" },
  }),
  form("profile/record/:id/edit", "", {
    who: "owner",
    path: ({ entryId }) => `/profile/record/${entryId}/edit`,
    fields: ({ entryId: id, ownerValue: owner, loggedAt }) => ({
      ...formFields(anEntry({ location: "Elsewhere" })),
      shown: recordHash(entryKind, {
        id,
        owner,
        createdAt: loggedAt(id),
        date: "2026-11-19",
        location: "Mongstad",
        method: "MT",
        hours: 7.5,
      }),
    }),
    says: ["Failed to save the changes. Please try again."],
    keeps: formFields(anEntry({ location: "Elsewhere" })),
  }),
  form("profile/record/:id/delete", "", {
    who: "owner",
    path: ({ entryId }) => `/profile/record/${entryId}/delete`,
    fields: () => ({}),
    says: ["Failed to delete the record. Please try again."],
    again: "refused",
  }),
  form("profile/record/:id/restore", "", {
    who: "owner",
    path: ({ deletedId }) => `/profile/record/${deletedId}/restore`,
    fields: () => ({}),
    says: ["Failed to restore the record. Please try again."],
  }),
  form("rope-hours/record/:id/edit", "", {
    who: "owner",
    path: ({ ropeId }) => `/rope-hours/record/${ropeId}/edit`,
    fields: ({ ropeId: id, ownerValue: owner, loggedAt }) => ({
      ...formFields(aRopeHours()),
      shown: recordHash(ropeHoursKind, {
        id,
        owner,
        createdAt: loggedAt(id),
        startDate: "2026-11-19",
        endDate: "2026-11-21",
        location: "Rig",
        skills: "Rescue",
        hours: 7.5,
      }),
    }),
    says: ["Failed to save the changes. Please try again."],
    keeps: formFields(aRopeHours()),
  }),
  form("rope-hours/record/:id/delete", "", {
    who: "owner",
    path: ({ ropeId }) => `/rope-hours/record/${ropeId}/delete`,
    fields: () => ({}),
    says: ["Failed to delete the record. Please try again."],
    again: "refused",
  }),
  form("rope-hours/record/:id/restore", "", {
    who: "owner",
    path: ({ deletedRopeId }) => `/rope-hours/record/${deletedRopeId}/restore`,
    fields: () => ({}),
    says: ["Failed to restore the record. Please try again."],
  }),
  form("rope-hours/new/:key?", "", {
    who: "owner",
    path: () => `/rope-hours/new/${KEY}`,
    fields: () => formFields(aRopeHours()),
    says: ["Failed to log rope hours. Please try again."],
    keeps: formFields(aRopeHours()),
  }),
  ...EVIDENCE.flatMap(({ path, kind, own, sent, stored, failed }): Action[] => [
    form(`${path}/new/:key?`, "", {
      who: "owner",
      path: () => `/${path}/new/${KEY}`,
      fields: () => formFields(sent()),
      says: [failed],
      keeps: formFields(sent()),
    }),
    form(`${path}/record/:id/edit`, "", {
      who: "owner",
      path: (world) => `/${path}/record/${own(world).id}/edit`,
      fields: (world) => ({
        ...formFields(sent()),
        shown: recordHash(kind, {
          id: own(world).id,
          owner: world.ownerValue,
          createdAt: world.loggedAt(own(world).id),
          ...stored,
        }),
      }),
      says: ["Failed to save the changes. Please try again."],
      keeps: formFields(sent()),
    }),
    form(`${path}/record/:id/delete`, "", {
      who: "owner",
      path: (world) => `/${path}/record/${own(world).id}/delete`,
      fields: () => ({}),
      says: ["Failed to delete the record. Please try again."],
      again: "refused",
    }),
    form(`${path}/record/:id/restore`, "", {
      who: "owner",
      path: (world) => `/${path}/record/${own(world).deletedId}/restore`,
      fields: () => ({}),
      says: ["Failed to restore the record. Please try again."],
    }),
    form(`${path}/record/:id/withdraw`, "", {
      who: "owner",
      path: (world) => `/${path}/record/${own(world).id}/withdraw`,
      fields: () => ({}),
      says: ["Failed to withdraw the request. Please try again."],
      again: "refused",
    }),
    form(`${path}/request/:id/:key?`, "", {
      who: "owner",
      path: (world) => `/${path}/request/${own(world).id}/${KEY}`,
      fields: ({ supervisorId }) => ({ supervisor: String(supervisorId) }),
      says: ["Failed to send verification request. Please try again."],
    }),
  ]),
  ...["profile", "rope-hours", "training"].map((log) =>
    form(`${log}/exports`, "", {
      who: "owner",
      path: () => `/${log}/exports`,
      fields: () => ({ key: KEY }),
      says: ["Failed to export PDF. Please try again."],
    }),
  ),
  form("account/exports/:id", "", {
    who: "owner",
    path: ({ exportId }) => `/account/exports/${exportId}`,
    fields: () => ({}),
    says: ["Failed to close the export. Please try again."],
  }),
];
