import { z } from "zod";
import { formatDate } from "#app/calendar-date.ts";
import { CATEGORIES, type Category, LEVELS, type Level, METHODS, type Method } from "#app/db/enumerations.ts";
import { optionalText, text } from "#app/forms/fields.ts";
import { searchText } from "#app/plain-text.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { parseHours, toHundredths } from "#app/records/hours.ts";
import { type AnyRecord, choiceLabel, type Kind, levelText, METHOD_HEADINGS } from "#app/records/kind.ts";
import {
  calendarDate,
  type HasFields,
  onceRight,
  optionalChoice,
  optionalDate,
  typedInForm,
  withTextLimit,
} from "#app/records/record-fields.ts";
import { NEEDED_FOR_EVIDENCE } from "#app/supervisors/supervisor.schema.ts";
import { lineWith } from "#app/ui/page.tsx";

/** Within how many days a certificate expires soon. */
export const SOON_DAYS = 90;

/** The parts of an examination: the first three up to Level II, and those of Level III. */
export const PARTS = ["general", "specific", "practical", "basic", "method", "main_method"] as const;
export type Part = (typeof PARTS)[number];
const LEVEL_THREE_ONLY: readonly Part[] = ["basic", "method", "main_method"];
const BELOW_LEVEL_THREE: readonly Part[] = ["general", "practical"];

/** The certifier: the employer by a written practice (SNT-TC-1A, NAS 410), or a certification body (ISO 9712, IRATA). */
export const BASES = ["employer", "body"] as const;

/** Whether glasses or lenses were worn in a vision test. */
export const CORRECTED = ["yes", "no"] as const;

const VISION_FIELDS = ["standard", "number", "issuer", "distance", "corrected", "administeredBy", "originalLocation"];

/** The fields that a category has besides its title and its dates. */
const FIELDS_OF: Record<Category, readonly string[]> = {
  certificate: [
    ...["standard", "method", "level", "basis", "scope", "number", "issuer", "revokedOn", "revokedReason"],
    "originalLocation",
  ],
  examination: [...["standard", "method", "level", "part", "number", "issuer", "score", "attempt"], "originalLocation"],
  near_vision: VISION_FIELDS,
  colour_vision: VISION_FIELDS,
  other: [],
};

export const LABELS = {
  category: "Category",
  title: "Title",
  standard: "Standard",
  method: "NDT Method",
  level: "Level",
  part: "Part",
  basis: "Certified by",
  scope: "Scope",
  distance: "Distance",
  corrected: "With glasses or lenses",
  administeredBy: "Tested by",
  number: "Number",
  issuer: "Issued by",
  issuedOn: "Issued on",
  expiresOn: "Expires on",
  score: "Score",
  attempt: "Attempt",
  originalLocation: "Where the original is",
  revokedOn: "Revoked on",
  revokedReason: "Reason",
} as const;

const isMissing = (value: unknown) => value === undefined || value === null || value === "";

/** A mark out of 100, with two decimals. */
const score = z
  .unknown()
  .optional()
  .transform((value, context) => {
    if (isMissing(value)) return null;
    const mark = parseHours(value);
    if (mark !== null && mark >= 0 && mark <= 100) return toHundredths(mark) / 100;
    context.addIssue({ code: "custom", message: "A score is a number from 0 to 100" });
    return z.NEVER;
  })
  .meta({
    type: ["number", "string", "null"],
    minimum: 0,
    maximum: 100,
    description: "Of 100, with two decimals; may be sent as text",
  });

const attempt = z
  .unknown()
  .optional()
  .transform((value, context) => {
    if (isMissing(value)) return null;
    if (/^[1-9]\d?$/.test(String(value))) return Number(value);
    context.addIssue({ code: "custom", message: "An attempt is a whole number from 1 to 99" });
    return z.NEVER;
  })
  .meta({ type: ["integer", "string", "null"], minimum: 1, maximum: 99, description: "1 for the first" });

const shape = {
  category: z
    .string({ error: "Choose what it is" })
    .trim()
    .pipe(z.enum(CATEGORIES, { error: `Category must be one of ${CATEGORIES.join(", ")}` })),
  title: text({ required: "Title is required", label: LABELS.title }),
  standard: optionalText(LABELS.standard),
  method: optionalChoice("Method", METHODS),
  level: optionalChoice(LABELS.level, LEVELS),
  part: optionalChoice(LABELS.part, PARTS),
  basis: optionalChoice(LABELS.basis, BASES),
  scope: optionalText(LABELS.scope),
  distance: optionalText(LABELS.distance),
  corrected: optionalChoice(LABELS.corrected, CORRECTED),
  administeredBy: optionalText(LABELS.administeredBy),
  number: optionalText(LABELS.number),
  issuer: optionalText(LABELS.issuer),
  issuedOn: calendarDate(LABELS.issuedOn),
  expiresOn: optionalDate(LABELS.expiresOn),
  score,
  attempt,
  originalLocation: optionalText(LABELS.originalLocation),
  revokedOn: optionalDate(LABELS.revokedOn),
  revokedReason: optionalText(LABELS.revokedReason),
};

type Fields = z.output<z.ZodObject<typeof shape>>;

/** A field, what is wrong with it, and the field that it does not fit, if there is one. */
type Problem = [field: keyof Fields, message: string, other?: keyof Fields];

/** Finds the problems of a certificate whose fields are right one by one; its category is right. */
function problemsOf(fields: Fields): Problem[] {
  const { category, standard, level, part, issuer, issuedOn, expiresOn, revokedOn, revokedReason } = fields;
  const own = FIELDS_OF[category];
  const others = (Object.keys(LABELS) as (keyof Fields)[]).filter(
    (name) => !["category", "title", "issuedOn", "expiresOn"].includes(name) && !own.includes(name),
  );
  const problems: Problem[] = others
    .filter((name) => fields[name] !== null)
    .map((name) => [name, notOfCategory(category, name)]);
  if (own.includes("level") && standard === null) problems.push(["standard", "Standard is required"]);
  if (own.includes("issuer") && issuer === null) problems.push(["issuer", "Issued by is required"]);
  if (category === "examination" && part === null) problems.push(["part", "Part is required"]);
  const isWrongPart = (level === "Level III" ? BELOW_LEVEL_THREE : LEVEL_THREE_ONLY).some((one) => one === part);
  if (level !== null && isWrongPart)
    problems.push([
      "part",
      level === "Level III"
        ? "An examination for Level III has the parts Basic, Method, Main method and Specific"
        : `An examination for ${level} has the parts General, Specific and Practical`,
      "level",
    ]);
  // ISO dates compare correctly as text.
  if (expiresOn !== null && expiresOn < issuedOn)
    problems.push(["expiresOn", "Expires on must not be before Issued on", "issuedOn"]);
  if (revokedOn !== null && revokedReason === null)
    problems.push(["revokedReason", "Reason is required for a certificate that was revoked"]);
  if (revokedOn === null && revokedReason !== null)
    problems.push(["revokedOn", "Revoked on is required with a reason", "revokedReason"]);
  if (revokedOn !== null && revokedOn < issuedOn)
    problems.push(["revokedOn", "Revoked on must not be before Issued on", "issuedOn"]);
  return problems;
}

/**
 * Returns the message for a field that the category does not have (`FIELDS_OF`). Only vision tests reach the message
 * about methods.
 */
function notOfCategory(category: Category, name: keyof Fields): string {
  if (category === "other") return `Of this only the title and the dates are kept: leave ${LABELS[name]} empty`;
  if (name === "method") return "A vision test counts for all methods: leave NDT Method empty";
  const what = { certificate: "a certificate", examination: "an examination" }[category as string] ?? "a vision test";
  return `${LABELS[name]} is not part of ${what}: leave it empty`;
}

const base = z.object(shape, { error: "A certificate is an object with category, title and issuedOn" });

function checked<Schema extends z.ZodType<Fields>>(schema: Schema) {
  return withTextLimit(schema, (): HasFields => certificateKind).superRefine((fields, { issues, addIssue }) => {
    const wrong = new Set(issues.map(({ path }) => path?.[0]));
    for (const [field, message, other = field] of problemsOf(fields))
      if (!wrong.has(field) && !wrong.has(other)) addIssue({ code: "custom", path: [field], message });
  }, onceRight("category"));
}

export const certificateFields = base;
export const certificateSchema = checked(base);

/** A certificate in a form, where the mark may have a decimal comma. */
const typedCertificateSchema = checked(
  base.extend({
    method: optionalChoice("Method", METHODS, methodLabel),
    part: optionalChoice(LABELS.part, PARTS, choiceLabel),
    score: typedInForm(score),
  }),
);

export type NewCertificate = Fields;

/** A certificate, an examination or a test as its owner sees it. */
export type Certificate = AnyRecord & {
  category: Category;
  title: string;
  standard: string | null;
  method: Method | null;
  level: Level | null;
  part: Part | null;
  basis: (typeof BASES)[number] | null;
  scope: string | null;
  distance: string | null;
  corrected: (typeof CORRECTED)[number] | null;
  administeredBy: string | null;
  number: string | null;
  issuer: string | null;
  issuedOn: string;
  expiresOn: string | null;
  score: number | null;
  attempt: number | null;
  originalLocation: string | null;
  revokedOn: string | null;
  revokedReason: string | null;
};

/** The basis of a certificate as people read it. */
export const BASIS_TEXTS = { employer: "Employer, by a written practice", body: "Certification body" } as const;

const NOUNS: Record<Category, string> = {
  certificate: "certificate",
  examination: "examination",
  near_vision: "near vision test",
  colour_vision: "colour vision test",
  other: "document",
};

/** The supervisor's statement for each category. */
const STATED: Record<Category, string> = {
  certificate: "you issued it or hold its record",
  examination: "you gave or graded it",
  near_vision: "you tested it or hold the form",
  colour_vision: "you tested it or hold the form",
  other: "you hold its record",
};

/** The message of a request for a record of the category `other`. */
const NOT_ASKED = "This document is kept for you alone, and no supervisor can be asked to verify it.";

/** Whether it can be noted that a record of a kind was revoked, verified or not. */
export function canBeRevoked(kind: Kind, record: { [field: string]: unknown }): boolean {
  return kind.name === "certificate" && record.category === "certificate";
}

/** A revocation: the first day on which the certificate no longer counts, and why. */
export interface Revocation {
  on: string;
  reason: string;
}

/** The revocation of a record; null without one, so of other kinds. */
export function revocationOf({ revokedOn, revokedReason }: { [field: string]: unknown }): Revocation | null {
  return revokedOn ? { on: String(revokedOn), reason: String(revokedReason) } : null;
}

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
      name: "basis",
      type: "choice",
      stored: "fields",
      isOptional: true,
      choices: BASES,
      headings: ["basis", "certified by", "basis of certification"],
    },
    {
      name: "scope",
      type: "text",
      stored: "fields",
      isOptional: true,
      headings: ["scope", "limitation", "limitations", "restriction", "sector", "product sector", "techniques"],
    },
    {
      name: "distance",
      type: "text",
      stored: "fields",
      isOptional: true,
      headings: ["distance", "test distance", "reading distance"],
    },
    {
      name: "corrected",
      type: "choice",
      stored: "fields",
      isOptional: true,
      choices: CORRECTED,
      headings: ["corrected", "with glasses or lenses", "correction", "glasses"],
    },
    {
      name: "administeredBy",
      type: "text",
      stored: "fields",
      isOptional: true,
      headings: ["administered by", "tested by", "examiner", "optometrist"],
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
    {
      name: "revokedOn",
      type: "date",
      stored: "revokedOn",
      isOptional: true,
      isLater: true,
      headings: ["revoked on", "revoked", "withdrawn on", "suspended on"],
    },
    {
      name: "revokedReason",
      type: "text",
      stored: "revokedReason",
      isOptional: true,
      isLater: true,
      headings: ["revoked reason", "reason", "reason of revocation", "reason for revocation"],
    },
  ],
  details: [],
  identity: ["category", "title", "method", "level", "part", "issuedOn", "expiresOn", "attempt"],
  targetUnits: ["valid", "score", "average", "elapsedMonths"],
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
    twice: ["This is", "title, method and expiry date"],
    thisOne: "this record",
    rows: "Certificates",
    missing: "There is no such certificate in your log.",
    alreadyVerified: "This certificate is already verified.",
    new: {
      title: "Add a Certificate or Test",
      failed: "Failed to save the certificate. Please try again.",
      saved: { title: "Certificate saved" },
    },
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
    hint: "By title, category, standard, number, issuer, scope, method, level, part, verifier or technician.",
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
    { label: LABELS.level, value: ({ level, standard }) => level && { text: levelText(level, standard) } },
    { label: LABELS.part, value: ({ part }) => part && { text: choiceLabel(part) } },
    { label: LABELS.basis, value: ({ basis }) => basis && { text: BASIS_TEXTS[basis] } },
    { label: LABELS.scope, value: ({ scope }) => scope && { typed: scope } },
    { label: LABELS.distance, value: ({ distance }) => distance && { typed: distance } },
    { label: LABELS.corrected, value: ({ corrected }) => corrected && { text: choiceLabel(corrected) } },
    { label: LABELS.administeredBy, value: ({ administeredBy }) => administeredBy && { typed: administeredBy } },
    { label: LABELS.score, value: ({ score }) => (score === null ? null : { text: `${score} of 100` }) },
    { label: LABELS.attempt, value: ({ attempt }) => (attempt === null ? null : { text: String(attempt) }) },
    { label: LABELS.number, value: ({ number }) => number && { typed: number } },
    { label: LABELS.issuer, value: ({ issuer }) => issuer && { typed: issuer } },
    { label: LABELS.expiresOn, value: ({ expiresOn }) => expiresOn && { dates: [expiresOn] } },
    {
      label: LABELS.originalLocation,
      value: ({ originalLocation }) => originalLocation && { typed: originalLocation },
    },
    { label: LABELS.revokedOn, value: ({ revokedOn }) => revokedOn && { dates: [revokedOn] } },
    { label: "Reason of the revocation", value: ({ revokedReason }) => revokedReason && { typed: revokedReason } },
  ],
  groups: CATEGORIES.map(choiceLabel),
  groupOf: ({ category }) => choiceLabel(category),
  plate: ({ category }) => choiceLabel(category),
  noun: ({ category }) => NOUNS[category],
  stated: ({ category }) => STATED[category],
  search: ({ title, standard, number, issuer, scope }) => searchText(title, standard, number, issuer, scope),
  summary: ({ issuedOn, title, category }) => lineWith(`${formatDate(issuedOn)}, `, title, `: ${NOUNS[category]}`),
};
