import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import {
  date,
  id,
  instant,
  listedExport as listedExportSchema,
  logEvent,
  optionalDetails,
  printedFieldsOf,
  recordOf,
  recordType,
  secret,
  supervisor,
  target,
  token,
  user,
  via,
} from "#app/api/answers.ts";
import { api, endpoints, listOf, withNext } from "#app/api/endpoint.server.ts";
import { shownFactsSchema } from "#app/audit-log/event-facts.ts";
import { FORM_NAMES, ITEM_STATES, VIAS } from "#app/db/enumerations.ts";
import { checkExport, checkJson, checkQuerySchema } from "#app/proof/check.server.ts";
import { createExport } from "#app/proof/create-export.server.ts";
import { closeExport, exportWithForm, listExports, listedExport } from "#app/proof/own-exports.server.ts";
import { choiceSchema } from "#app/proof/verified-records.server.ts";
import { KINDS, kindParameter } from "#app/records/all-kinds.ts";
import { ofStatements } from "#app/records/evidence.ts";
import { idListSchema, querySchema, SHORT_LIST_MAX } from "#app/server/query.ts";
import { XLSX_TYPE } from "#app/server/stream.server.ts";
import { exportJson } from "#app/transfer/export-json.server.ts";
import { exportRecords } from "#app/transfer/export-records.server.ts";

const qrCode = z
  .object({ size: z.int(), path: z.string() })
  .meta({ id: "QrCode", description: "An SVG path of lines one module wide, in a square of `size` modules" });

/** What a form prints (app/pdf/form.ts). */
const form = z
  .object({
    name: z.enum(FORM_NAMES),
    title: z.string(),
    employeeName: z.string(),
    employeeNumber: z.string(),
    dates: z.string(),
    texts: z.array(z.string()),
    columns: z.array(z.string()),
    supervisors: z.string(),
    rows: z.array(
      z.object({
        id,
        days: z.array(date),
        texts: z.array(z.string()),
        column: z.int(),
        hundredths: z.int().nullable(),
        supervisor: z.string(),
        type: z.string().optional(),
        via: z.enum(VIAS),
        domain: z.string().optional(),
        verifiedOn: date.optional().meta({ description: "In UTC" }),
        verificationId: z.string().optional(),
        stated: z.string().optional().meta({ description: "What the supervisor stated" }),
        entered: z.string().optional().meta({ description: "What the technician had entered about the supervisor" }),
        notes: z.array(z.string()).optional(),
        workedAs: z.string().optional(),
        remarks: z.array(z.string()).optional(),
      }),
    ),
    part: z.string().nullable().meta({ description: "Which records it has, in words; null for all verified ones" }),
    explained: z.array(z.string()).meta({ description: "What the notes of the rows mean" }),
    statement: z.string(),
    signature: z.string(),
    day: date,
    code: z.string().nullable(),
    proof: z.object({
      code: z.string(),
      url: z.string(),
      statement: z.string().nullable(),
      checkpoint: z.object({ size: z.int(), root: z.string() }).nullable(),
      qr: qrCode,
      statementQr: qrCode.nullable(),
    }),
  })
  .meta({ id: "Form" });

/** What a check says of every record, besides the fields of its kind. */
const checked = {
  supervisor: z.string(),
  via,
  domain: z.string().nullable(),
  state: z.enum(["unchanged", "changed", "disowned", "deleted"]),
  withdrawnAt: instant.nullable().meta({
    description:
      "When the supervisor took back the verification that the form states, whatever became of the record since",
  }),
  createdAt: instant.nullable().meta({ description: "When it was logged; the form says the day in UTC" }),
  verifiedAt: instant.nullable().meta({ description: "When it was verified; the form says the day in UTC" }),
  certification: shownFactsSchema.shape.certification.meta({
    description: "What the supervisor stated; null once erased",
  }),
  ...ofStatements((_, name) => shownFactsSchema.shape[name]),
  asked: z
    .string()
    .nullable()
    .optional()
    .meta({ description: "Who was asked, where who verified it typed another name; null once erased" }),
  confirmedAt: instant.nullable().meta({
    description: "When the supervisor's mailbox confirmed an unchanged record that was verified by link",
  }),
  confirmedFrom: z.string().nullable().optional().meta({ description: "The domain of that mailbox" }),
  confirmedOn: date.optional().meta({ description: "The day of the confirmation, in UTC, where the form says it" }),
  revocation: z
    .object({ on: date, reason: z.string() })
    .optional()
    .meta({ description: "That the certificate is revoked now, also where the form was printed before" }),
  verifiedFor: z
    .object({ name: z.string().nullable(), employeeNumber: z.string().nullable() })
    .optional()
    .meta({ description: "The technician as the supervisor saw them, where the form names another name or number" }),
  sameName: z.literal(true).optional().meta({ description: "The supervisor has the technician's name" }),
  dayHours: z.number().optional().meta({ description: "All hours of the technician on this date, if 16 or more" }),
  continuity: z.string().optional().meta({
    description: "Of a certificate: the verified work in its method until the form was made, as the form says it",
  }),
};

const check = z
  .union([
    z.object({
      closedAt: instant,
      disowned: z.int().meta({ description: "How many printed verifications were taken back, whatever came after" }),
    }),
    z.object({ madeAt: instant, accountDeletedAt: instant }),
    z.object({
      form: z.enum(FORM_NAMES),
      madeAt: instant,
      technician: z.object({ name: z.string(), employeeNumber: z.string().nullable() }),
      from: date
        .nullable()
        .meta({ description: "The first day of which it has records, by their first day; null for all" }),
      to: date.nullable(),
      supervisor: z.string().nullable().meta({
        description:
          "Where it has only what was verified through requests to one supervisor, the names that were typed there",
      }),
      leftOut: z
        .object({ records: z.int(), hours: z.number() })
        .nullable()
        .meta({ description: "Verified records whose NDT method has no column on the form; null if there were none" }),
      totals: z.record(z.string(), z.number()),
      stillVerified: z
        .record(z.string(), z.number())
        .meta({ description: "The same totals of the records that are unchanged" }),
      states: z.object({ unchanged: z.int(), changed: z.int(), disowned: z.int(), deleted: z.int() }),
      records: z.array(
        z.union(
          KINDS.map((kind) =>
            z.object({
              type: z.literal(kind.name),
              ...printedFieldsOf(kind, true),
              ...optionalDetails(kind),
              ...checked,
            }),
          ),
        ),
      ),
      statement: z.string().nullable(),
    }),
  ])
  .meta({ id: "Check" });

/** A request and its items, as the file of everything has them. */
const ownRequest = z.object({
  id,
  supervisorName: z.string().nullable(),
  supervisorEmail: z.string().nullable(),
  verificationToken: secret,
  createdAt: instant,
  requestedAt: instant,
  expiresAt: instant,
  openedAt: instant.nullable(),
  endedAt: instant.nullable(),
  items: z.array(z.object({ type: recordType, id, state: z.enum(ITEM_STATES), reason: z.string().nullable() })),
});

const everything = z.object({
  account: user,
  ...Object.fromEntries(KINDS.map((kind) => [kind.partName, z.array(recordOf(kind))])),
  settings: z.array(z.object({ renewalEmails: z.boolean() })),
  supervisors: z.array(supervisor),
  requests: z.array(ownRequest),
  auditLog: z.array(
    z.object({
      id,
      type: recordType.nullable(),
      recordId: id,
      ...logEvent,
      erased: z.boolean(),
      facts: shownFactsSchema.partial().nullable(),
    }),
  ),
  targets: z.array(target),
  exports: z.array(listedExportSchema),
  tokens: z.array(token),
});

const calls = endpoints(
  { name: "Exports", description: "Forms with a code by which anyone can check them, and files of everything." },
  api("/api/exports", {
    access: "user",
    heavy: true,
    GET: listOf({
      summary: "The forms that the user exported, newest first, at most 100",
      query: idListSchema(SHORT_LIST_MAX),
      item: listedExportSchema,
      async read(query, context) {
        const { exports } = await requireUser(context, (owner, db) => ({ exports: listExports(db, owner, query) }));
        return exports;
      },
      cursorOf: ({ id }) => id,
      show: (row, context) => listedExport(context, row),
    }),
    POST: {
      summary: "Make an export of verified records; `form` of the answer is what the document prints",
      hasKey: true,
      body: choiceSchema,
      status: 201,
      answer: z.object({
        id,
        code: z.string(),
        url: z.string(),
        madeAt: instant,
        statement: z.string().nullable(),
        form,
      }),
      errors: [
        "not_found",
        "nothing_verified",
        "export_too_large",
        "export_closed",
        "account_full",
        "daily_quota",
        "conflict",
      ],
      run: async ({ body, key, context }) => exportWithForm(await createExport(context, body, key)),
    },
  }),
  api("/api/exports/{id}", {
    access: "user",
    DELETE: {
      summary: "Close an export: its code no longer shows anything",
      answer: listedExportSchema,
      run: ({ id, context }) => closeExport(context, id),
    },
  }),
  api("/api/check/{code}", {
    access: "public",
    heavy: true,
    secret: true,
    GET: {
      summary:
        "What was exported under a code, and whether it is unchanged: a page of its records, totals and states of all",
      query: checkQuerySchema,
      answer: check,
      async run({ request, token: code, query, context }) {
        // The pages after the first are of the same check.
        const isCounted = request.method !== "HEAD" && query.before === undefined;
        const { answer, next } = checkJson(await checkExport(context, code, isCounted), query);
        return withNext(answer, context, next === null ? null : { limit: query.limit, before: next });
      },
    },
  }),
  api("/api/export.csv", {
    access: "user",
    heavy: true,
    GET: {
      summary: "The user's log of a kind, oldest first",
      query: querySchema({ kind: kindParameter }),
      answer: z.string(),
      file: "text/csv",
      run: ({ query, context }) => exportRecords(context, query.kind, "csv"),
    },
  }),
  api("/api/export.xlsx", {
    access: "user",
    heavy: true,
    GET: {
      summary: "The same as a workbook: dates are dates, hours numbers, and text is text",
      query: querySchema({ kind: kindParameter }),
      answer: z.string(),
      file: XLSX_TYPE,
      run: ({ query, context }) => exportRecords(context, query.kind, "xlsx"),
    },
  }),
  api("/api/export.json", {
    access: "user",
    heavy: true,
    GET: {
      summary: "Everything that is the user's own",
      answer: everything,
      file: "application/json",
      run: ({ context }) => exportJson(context),
    },
  }),
);

export { calls as action, calls as loader };
