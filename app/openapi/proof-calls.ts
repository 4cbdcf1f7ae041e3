import { z } from "zod";
import { LIST_NAMES, VIAS } from "#app/db/enumerations.ts";
import { checkQuerySchema } from "#app/proof/check-json.server.ts";
import { newExportSchema } from "#app/proof/create-export.server.ts";
import { KINDS } from "#app/records/kinds.ts";
import { idListSchema, SHORT_LIST_MAX } from "#app/server/list.server.ts";
import { date, id, instant, printedFieldsOf, secret, via } from "./answers.ts";
import { type DescribedCalls, MAKES, OWN, PUBLIC } from "./call.ts";

const exportKind = z.enum(LIST_NAMES);

const qrCode = z
  .object({ size: z.int(), path: z.string() })
  .meta({ id: "QrCode", description: "An SVG path of lines one module wide, in a square of `size` modules" });

/** What a form prints (app/pdf/form.ts). */
const form = z
  .object({
    ...{ kind: exportKind, title: z.string(), employeeName: z.string(), employeeNumber: z.string() },
    ...{ dates: z.string(), texts: z.array(z.string()), columns: z.array(z.string()), supervisors: z.string() },
    rows: z.array(
      z.object({
        ...{ id, days: z.array(date), texts: z.array(z.string()), column: z.int(), hundredths: z.int() },
        ...{ supervisor: z.string(), via: z.enum(VIAS).optional(), domain: z.string().optional() },
        notes: z.array(z.string()).optional(),
      }),
    ),
    ...{ statement: z.string(), signature: z.string(), day: date, code: z.string().nullable() },
    proof: z.object({
      ...{ code: z.string(), url: z.string(), statement: z.string().nullable() },
      checkpoint: z.object({ size: z.int(), root: z.string() }).nullable(),
      ...{ qr: qrCode, statementQr: qrCode.nullable() },
    }),
  })
  .meta({ id: "Form" });

/** What a check says of every record, besides the fields of its kind. */
const checked = {
  ...{ supervisor: z.string(), via, domain: z.string().nullable() },
  state: z.enum(["unchanged", "changed", "disowned", "deleted"]),
  confirmedAt: instant.nullable().meta({
    description: "When the supervisor's mailbox confirmed an unchanged record that was verified by link",
  }),
  confirmedFrom: z.string().nullable().optional().meta({ description: "The domain of that mailbox" }),
  confirmedOn: date.optional().meta({ description: "The day of the confirmation, in UTC, where the form says it" }),
  verifiedFor: z
    .object({ name: z.string().nullable(), employeeNumber: z.string().nullable() })
    .optional()
    .meta({ description: "The technician as the supervisor saw them, where the form names another name or number" }),
  sameName: z.literal(true).optional().meta({ description: "The supervisor has the technician's name" }),
  dayHours: z.number().optional().meta({ description: "All hours of the technician on this date, if more than 24" }),
};
const checkedRecord = z.union(
  KINDS.map((kind) => z.object({ type: z.literal(kind.name), ...printedFieldsOf(kind, true), ...checked })),
);

export const listedExport = z
  .object({
    // null too once the export is closed, and after a change of SESSION_SECRET
    ...{ id, kind: exportKind, code: secret, url: secret, madeAt: instant },
    ...{ records: z.int(), hours: z.number(), checks: z.int() },
    ...{ checkedAt: instant.nullable(), closedAt: instant.nullable() },
  })
  .meta({ id: "Export" });

const check = z
  .union([
    z.object({ closedAt: instant, disowned: z.int() }),
    z.object({ madeAt: instant, accountDeletedAt: instant }),
    z.object({
      madeAt: instant,
      technician: z.object({ name: z.string(), employeeNumber: z.string().nullable() }),
      totals: z.record(z.string(), z.number()),
      states: z.object({ unchanged: z.int(), changed: z.int(), disowned: z.int(), deleted: z.int() }),
      records: z.array(checkedRecord),
      statement: z.string().nullable(),
    }),
  ])
  .meta({ id: "Check" });

/** The calls of exports and their check. */
export const PROOF_CALLS: DescribedCalls = {
  "GET /api/exports": {
    summary: "The user's exports, at most 100 with the next page in Link",
    ...OWN,
    query: idListSchema(SHORT_LIST_MAX),
    answer: z.array(listedExport),
  },
  "POST /api/exports": {
    summary: "Make an export of all verified hours of a kind",
    ...MAKES,
    body: newExportSchema,
    answer: z.object({
      ...{ id, code: z.string(), url: z.string(), madeAt: instant, statement: z.string().nullable() },
      form,
    }),
  },
  "DELETE /api/exports/{id}": { summary: "Close an export's code", ...OWN, answer: listedExport },
  "GET /api/check/{code}": {
    summary:
      "What was exported under a code: at most 2,000 records with the next page in Link, totals and states of all",
    ...PUBLIC,
    query: checkQuerySchema,
    answer: check,
  },
  "GET /api/openapi.json": {
    summary: "This description",
    ...PUBLIC,
    answer: z.record(z.string(), z.unknown()),
  },
};
