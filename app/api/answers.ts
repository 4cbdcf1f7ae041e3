import { z } from "zod";
import { TOKEN_ACCESSES } from "#app/accounts/api-tokens.table.ts";
import { askedSupervisor, shownFactsSchema } from "#app/audit-log/event-facts.ts";
import { ITEM_CATEGORIES } from "#app/certification/targets.table.ts";
import {
  FORM_NAMES,
  LEVELS,
  LOG_EVENTS,
  METHODS,
  REQUEST_EVENTS,
  SHOWN_MESSAGE_STATES,
  STATUSES,
  TARGET_UNITS,
  VIAS,
} from "#app/db/enumerations.ts";
import type { ErrorCode } from "#app/errors.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { PARTS } from "#app/records/certificates/certificate.kind.ts";
import { type Field, hasField, type Kind } from "#app/records/kind.ts";

/*
 * What the calls answer, as schemas. They describe and check nothing at run time: the tests compare every answer with them
 * (tests/worker/described.ts).
 */

export const instant = z.iso.datetime({ precision: 3 }).meta({ description: "An instant, ISO 8601 in UTC" });
export const date = z.iso.date().meta({ description: "A calendar date" });
export const id = z.int().positive();
export const via = z.enum(VIAS).nullable();

/** A refusal with one of these codes. */
export function failureOf(codes: readonly ErrorCode[]) {
  return z.object({
    message: z.string().meta({ description: "What happened and what to do now, in words for people" }),
    code: z.enum(codes as [ErrorCode, ...ErrorCode[]]),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: "The first hundred errors of the fields" }),
  });
}

export const message = z.object({ message: z.string() }).meta({ id: "Message" });

export const user = z
  .object({
    id,
    email: z.string(),
    name: z.string().nullable(),
    employeeNumber: z.string().nullable(),
    isAdmin: z.boolean(),
    createdAt: instant,
    emailConfirmedAt: instant.nullable(),
  })
  .meta({ id: "User" });

/** A user as admins see them. */
export const adminUser = user
  .extend({
    lockedAt: instant.nullable(),
    leftOn: date.nullable().meta({ description: "The last day of a user who has left" }),
  })
  .meta({ id: "AdminUser" });

export const token = z
  .object({
    id,
    name: z.string(),
    access: z.enum(TOKEN_ACCESSES),
    createdAt: instant,
    lastUsedAt: instant.nullable(),
    expiresOn: date.meta({ description: "The last day on which it works, in UTC" }),
  })
  .meta({ id: "Token" });

/** A service token, and the admin who made it. */
export const serviceToken = token
  .extend({ user: z.object({ id, name: z.string().nullable(), email: z.string() }) })
  .meta({ id: "ServiceToken" });

/** The fields of every record, besides its own. */
const ofRecord = {
  verified: z.boolean(),
  verifiedBy: z.string().nullable(),
  verifiedAt: instant.nullable(),
  verifiedVia: via,
  confirmedAt: instant.nullable(),
  status: z.enum(STATUSES),
  createdAt: instant,
};

/** The schema of a field's value, which is null where the record does not have it. */
function schemaOf({ type, choices, isOptional }: Field): z.ZodType {
  const schema = {
    date,
    expiry: date,
    text: z.string(),
    method: z.enum(METHODS),
    choice: z.enum([...(choices ?? [])]),
    hours: z.number(),
    score: z.number(),
    count: z.int(),
    flag: z.boolean(),
    details: z.never(),
  }[type];
  return isOptional ? schema.nullable() : schema;
}

/** The fields of a kind and its details. With `mayLackFlags` those that are false can be left out. */
export function fieldsOf(kind: Kind, mayLackFlags = false): z.ZodRawShape {
  return { ...printedFieldsOf(kind, mayLackFlags), ...(hasField(kind, "details") && { details: detailsOf(kind) }) };
}

/** The fields of a kind that every form prints. */
export function printedFieldsOf({ fields }: Kind, mayLackFlags = false): z.ZodRawShape {
  return Object.fromEntries(
    fields.flatMap((field): [string, z.ZodType][] => {
      if (field.type === "details") return [];
      return [[field.name, field.type === "flag" && mayLackFlags ? schemaOf(field).optional() : schemaOf(field)]];
    }),
  );
}

/** The details of a kind, on a form that prints them. */
export function optionalDetails(kind: Kind): z.ZodRawShape {
  return hasField(kind, "details") ? { details: detailsOf(kind).optional() } : {};
}

function detailsOf({ details }: Kind) {
  return z.object(
    Object.fromEntries(details.map(({ name, choices }) => [name, (choices ? z.enum(choices) : z.string()).optional()])),
  );
}

/** The name of the component of a kind's records: `Entry`. */
const componentOf = ({ jsonKey }: Kind) => jsonKey.slice(0, 1).toUpperCase() + jsonKey.slice(1);

const RECORDS = new Map(
  KINDS.map((kind) => {
    const record = z.object({ id, userId: id, ...fieldsOf(kind), ...ofRecord });
    const linked = record.omit({ userId: true }).meta({ id: `Linked${componentOf(kind)}` });
    return [kind, { record: record.meta({ id: componentOf(kind) }), linked }];
  }),
);

/** The type of a record: the name of its kind. */
export const recordType = z.enum(KINDS.map(({ name }) => name));

/** A record of a kind as its owner sees it. */
export function recordOf(kind: Kind) {
  const schemas = RECORDS.get(kind);
  if (!schemas) throw new Error(`no kind ${kind.name}`);
  return schemas.record;
}

/** The type of a record and the record, under the key of its kind, as the holder of a link sees it. */
export function linkedRecord(kind: Kind) {
  const linked = RECORDS.get(kind)?.linked ?? z.never();
  return { type: z.literal(kind.name), [kind.jsonKey]: linked };
}

export const supervisor = z.object({ id, ...askedSupervisor.shape }).meta({ id: "Supervisor" });

/** A token of a link, a code or an address with one: null for a read token. */
export const secret = z.string().nullable().meta({ description: "null for a token that may only read" });

/** Why no email about a request was queued. */
export const emailedReason = z
  .enum(["joined", "unconfirmed", "limit", "suppressed", "unknown_technician", "off"])
  .nullable();

/** What stands beside a record once a request for it was made. */
export const link = {
  verificationToken: z.string(),
  verificationUrl: z.string(),
  emailed: z.boolean(),
  emailedReason,
};

/** An event of a record's audit log, without its facts (app/audit-log/event-facts.ts). */
export const logEvent = {
  number: id,
  event: z.enum(LOG_EVENTS),
  at: instant,
  cause: z.string().nullable(),
  via,
  recordHash: z.string(),
  technicianHash: z.string().nullable(),
  supervisorHash: z.string().nullable(),
  previous: z.string(),
  hash: z.string(),
};

/** An email of a request, or that its link was opened. */
const requestEvent = z.object({
  event: z.enum(REQUEST_EVENTS),
  at: instant,
  address: z.string().nullable(),
  browser: z.string().nullable(),
});

export const history = z
  .object({
    request: z
      .object({
        requestedAt: instant.nullable(),
        supervisor: askedSupervisor.nullable(),
        open: z.boolean(),
        mail: z.enum(Object.values(SHOWN_MESSAGE_STATES)).nullable(),
      })
      .nullable(),
    log: z
      .array(shownFactsSchema.extend({ ...logEvent, erased: z.boolean() }))
      .meta({ description: "The newest events, the first of them first; `Link` leads to those before" }),
    requestEvents: z.array(requestEvent).meta({ description: "Of the time of these events: the last 100" }),
    intact: z.boolean().meta({ description: "About these events and all answers of supervisors" }),
    notTold: z.boolean().meta({
      description: "Whether the supervisor's address asked for no more emails, so it gets none about the verification",
    }),
  })
  .meta({ id: "History" });

export const targetItem = z.object({
  title: z.string(),
  clause: z.string(),
  unit: z.enum(TARGET_UNITS),
  kind: recordType,
  methods: z.array(z.enum(METHODS)),
  required: z.number(),
  category: z.enum(ITEM_CATEGORIES).nullable(),
  part: z.enum(PARTS).nullable(),
  level: z.enum(LEVELS).nullable(),
  withinYears: z.int().nullable(),
  workedAs: z.enum(LEVELS).nullable(),
  standard: z.string().nullable(),
});

export const target = z
  .object({
    id,
    title: z.string(),
    standard: z.string(),
    edition: z.string(),
    source: z.string(),
    since: date.nullable(),
    createdAt: instant,
    items: z.array(targetItem),
  })
  .meta({ id: "Target" });

/** An export as its technician sees it; without code and address once it is closed, and after a change of SESSION_SECRET. */
export const listedExport = z
  .object({
    id,
    form: z.enum(FORM_NAMES),
    from: date.nullable().meta({ description: "The day from which it has records; null if it has no first day" }),
    to: date.nullable(),
    supervisor: z.string().nullable().meta({
      description:
        "Where it has only what one supervisor verified, the names that they typed on its records; null once it is closed",
    }),
    part: z.string().nullable().meta({ description: "Which records it has, in words; null for all verified ones" }),
    code: secret,
    url: secret,
    madeAt: instant,
    records: z.int(),
    hours: z.number(),
    checks: z.int(),
    checkedAt: instant.nullable(),
    closedAt: instant.nullable(),
  })
  .meta({ id: "Export" });
