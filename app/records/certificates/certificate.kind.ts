import { CATEGORIES, type Category, LEVELS } from "#app/db/enumerations.ts";
import { searchText } from "#app/db/search-text.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { choiceLabel, type Kind, METHOD_HEADINGS } from "#app/records/kind.ts";
import { lineWith } from "#app/records/record-facts.tsx";
import { NEEDED_FOR_EVIDENCE } from "#app/supervisors/supervisor.schema.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import {
  type Certificate,
  certificateSchema,
  LABELS,
  type NewCertificate,
  PARTS,
  typedCertificateSchema,
} from "./certificate.schema.ts";

const NOUNS: Record<Category, string> = {
  certificate: "certificate",
  examination: "examination",
  near_vision: "near vision test",
  colour_vision: "colour vision test",
  other: "document",
};

/** What a supervisor states of each: product, "Evidence besides hours", names the last two, and that of a course for the first. */
const STATED: Record<Category, string> = {
  certificate: "you issued it or hold its record",
  examination: "you gave or graded it",
  near_vision: "you tested it or hold the form",
  colour_vision: "you tested it or hold the form",
  other: "you hold its record",
};

/** The message of a request for a record of the category `other`. */
const NOT_ASKED = "This document is kept for you alone, and no supervisor can be asked to verify it.";

/** Certificates, the parts of examinations, vision tests, and other documents with an end. */
export const certificateKind: Kind<Certificate, NewCertificate> = {
  name: "certificate",
  partName: "certificates",
  jsonKey: "certificate",
  listName: "certificates",
  fields: [
    {
      name: "category",
      type: "choice",
      stored: "subtype",
      choices: CATEGORIES,
      headings: ["category", "type", "kind", "type of certificate", "art", "tipo"],
    },
    {
      name: "title",
      type: "text",
      stored: "fields",
      headings: ["title", "certificate", "name", "certificate name", "description", "qualification", "document"],
    },
    {
      name: "standard",
      type: "text",
      stored: "standard",
      isOptional: true,
      headings: ["standard", "scheme", "norm", "certification scheme"],
    },
    { name: "method", type: "method", stored: "method", isOptional: true, headings: METHOD_HEADINGS },
    {
      name: "level",
      type: "choice",
      stored: "level",
      isOptional: true,
      choices: LEVELS,
      headings: ["level", "ndt level", "certification level", "stufe", "niveau", "nivel"],
    },
    {
      name: "part",
      type: "choice",
      stored: "part",
      isOptional: true,
      choices: PARTS,
      headings: ["part", "part of examination", "exam part", "examination"],
    },
    {
      name: "number",
      type: "text",
      stored: "fields",
      isOptional: true,
      headings: ["number", "certificate number", "certificate no", "cert no", "no", "id", "nummer", "numero"],
    },
    {
      name: "issuer",
      type: "text",
      stored: "fields",
      isOptional: true,
      headings: ["issuer", "issued by", "issuing body", "certification body", "provider", "given by"],
    },
    {
      name: "issuedOn",
      type: "date",
      stored: "date",
      headings: ["issued on", "issued", "issue date", "date of issue", "date", "valid from", "start date", "passed on"],
    },
    {
      name: "expiresOn",
      type: "expiry",
      stored: "endDate",
      isOptional: true,
      headings: [
        ...["expires on", "expires", "expiry date", "expiry", "expiration date", "valid until", "valid to"],
        ...["end date", "ends on", "renewal date", "due date"],
      ],
    },
    {
      name: "score",
      type: "score",
      stored: "score",
      isOptional: true,
      headings: ["score", "mark", "grade", "result", "points"],
    },
    { name: "attempt", type: "count", stored: "fields", isOptional: true, headings: ["attempt", "try", "attempt no"] },
    {
      name: "originalLocation",
      type: "text",
      stored: "fields",
      isOptional: true,
      headings: ["original location", "where the original is", "original", "kept at"],
    },
  ],
  details: [],
  identity: ["category", "title", "method", "level", "part", "issuedOn", "expiresOn", "attempt"],
  unasked: { subtype: "other", message: NOT_ASKED },
  supervisorNeeds: NEEDED_FOR_EVIDENCE,
  schema: certificateSchema,
  formSchema: typedCertificateSchema,
  path: "/certificates",
  tab: "/progress",
  adminTab: "certificates",
  adminPath: "/admin/certificates",
  texts: {
    title: "Certificate",
    log: "Certificates and tests",
    hours: "certificate",
    confirm: "these certificates and tests",
    twice: ["This is", "title, method and end"],
    thisOne: "this record",
    missing: "There is no such certificate in your log.",
    alreadyVerified: "This certificate is already verified.",
    edit: "Edit Certificate",
    delete: "Delete Certificate",
    deleted: "Certificate deleted",
    saved: "Certificate saved",
    restored: "Certificate restored",
    counts: ["Certificates and tests"],
  },
  adminTexts: {
    label: "Certificates",
    one: "certificate",
    many: "certificates",
    counted: ["certificate or test", "certificates and tests"],
    hint: "By title, number, issuer, method, verifier or technician.",
    missing: "There is no such certificate.",
    losesVerification: "Its verification is deleted with it.",
    losesLink: "The link to verify it ends.",
  },
  shown: [
    { label: LABELS.issuedOn, value: ({ issuedOn }) => ({ dates: [issuedOn] }) },
    { label: LABELS.title, value: ({ title }) => ({ typed: title }) },
    { label: LABELS.category, value: ({ category }) => ({ text: choiceLabel(category) }) },
    { label: LABELS.standard, value: ({ standard }) => standard && { typed: standard } },
    { label: LABELS.method, value: ({ method }) => method && { text: methodLabel(method) } },
    { label: LABELS.level, value: ({ level }) => level && { text: level } },
    { label: LABELS.part, value: ({ part }) => part && { text: choiceLabel(part) } },
    { label: LABELS.score, value: ({ score }) => (score === null ? null : { text: `${score} of 100` }) },
    { label: LABELS.attempt, value: ({ attempt }) => (attempt === null ? null : { text: String(attempt) }) },
    { label: LABELS.number, value: ({ number }) => number && { typed: number } },
    { label: LABELS.issuer, value: ({ issuer }) => issuer && { typed: issuer } },
    { label: LABELS.expiresOn, value: ({ expiresOn }) => expiresOn && { dates: [expiresOn] } },
    {
      label: LABELS.originalLocation,
      value: ({ originalLocation }) => originalLocation && { typed: originalLocation },
    },
  ],
  groups: CATEGORIES.map(choiceLabel),
  groupOf: ({ category }) => choiceLabel(category),
  plate: ({ category }) => choiceLabel(category),
  noun: ({ category }) => NOUNS[category],
  stated: ({ category }) => STATED[category],
  search: ({ title, standard, number, issuer, category, method, level, part }) =>
    searchText(
      ...[title, standard, number, issuer, choiceLabel(category), method, method && methodLabel(method), level],
      part && choiceLabel(part),
    ),
  summary: ({ issuedOn, title, category }) => lineWith(`${formatDate(issuedOn)}, `, title, `: ${NOUNS[category]}`),
};
