import { z } from "zod";
import { exportQuerySchema } from "#app/admin/list-query.schema.ts";
import { progressQuerySchema } from "#app/admin/progress/progress-view.ts";
import { ITEM_STATES, LIST_NAMES, METHODS } from "#app/db/enumerations.ts";
import { KINDS } from "#app/records/kinds.ts";
import {
  entry,
  eventFacts,
  fieldsOf,
  id,
  instant,
  logEvent,
  ropeHours,
  secret,
  supervisor,
  token,
  user,
} from "./answers.ts";
import { ADMIN, type DescribedCalls, OWN } from "./call.ts";
import { target } from "./certification-calls.ts";
import { listedExport } from "./proof-calls.ts";

const kind = z.enum(["entry", "rope_hour"]);
const problem = z.object({ row: z.int(), column: z.string(), message: z.string() });

/** What a row is read as: hours that applying saves. */
const readRecord = z.union(KINDS.map((kind) => z.object(fieldsOf(kind, true))));

const method = z.enum(METHODS);
/** What words for methods mean: one method, or two that share the hours of a row. */
const methodValues = z.record(z.string(), z.union([method, z.tuple([method, method]), z.null()]));

/** `mapping` names the field of each column, or null; rows are numbered from 1. */
const preview = z
  .object({
    ...{ id, kind, columns: z.array(z.string()), mapping: z.array(z.string().nullable()) },
    ...{ dateOrder: z.enum(["ymd", "dmy", "mdy"]).nullable(), ambiguous: z.string().nullable() },
    rows: z.array(z.object({ row: z.int(), cells: z.array(z.string()), records: z.array(readRecord) })),
    values: z.object({ method: methodValues }),
    unknown: z.object({ method: z.array(z.object({ word: z.string(), rows: z.int() })) }),
    ...{ people: z.array(z.string()), person: z.string().nullable() },
    sums: z.object({ total: z.number(), method: z.record(z.string(), z.number()), stated: z.number().nullable() }),
    ...{ errors: z.array(problem), duplicates: z.array(z.int()), skip: z.array(z.int()) },
    ...{ count: z.int(), ready: z.int() },
  })
  .meta({ id: "Import" });

const choice = z.object({
  mapping: z.array(z.string().nullable()).optional(),
  dateOrder: z.enum(["ymd", "dmy", "mdy"]).nullable().optional(),
  values: z.object({ method: methodValues.optional() }).optional(),
  person: z.string().nullable().optional(),
  skip: z.array(z.int()).optional(),
});

/** A request and its items, as the file has them. */
const ownRequest = z.object({
  ...{ id, supervisorName: z.string().nullable(), supervisorEmail: z.string().nullable() },
  ...{ verificationToken: secret, createdAt: instant, askedAt: instant, expiresAt: instant },
  ...{ openedAt: instant.nullable(), endedAt: instant.nullable() },
  items: z.array(z.object({ type: kind, id, state: z.enum(ITEM_STATES), reason: z.string().nullable() })),
});

const everything = z.object({
  account: user,
  entries: z.array(entry),
  ropeHours: z.array(ropeHours),
  supervisors: z.array(supervisor),
  requests: z.array(ownRequest),
  auditLog: z.array(
    z.object({
      id,
      type: kind.nullable(),
      recordId: id,
      ...logEvent,
      erased: z.boolean(),
      facts: eventFacts.partial().nullable(),
    }),
  ),
  ...{ targets: z.array(target), exports: z.array(listedExport), tokens: z.array(token) },
});

const byKind = z.object({ kind: z.enum(LIST_NAMES).optional() });

/** The calls of imports and of everything that is the user's own. */
export const TRANSFER_CALLS: DescribedCalls = {
  "POST /api/imports": {
    summary: "Preview a table; also takes text/csv",
    ...OWN,
    query: byKind,
    body: z.object({ text: z.string() }),
    status: 201,
    answer: preview,
  },
  "PATCH /api/imports/{id}": { summary: "Change what is imported", ...OWN, body: choice, answer: preview },
  "DELETE /api/imports/{id}": {
    summary: "Remove what it created and nobody verified",
    ...OWN,
    answer: z.object({ removed: z.int(), kept: z.int() }),
  },
  "POST /api/imports/{id}/apply": {
    summary: "Save its rows, all or none, once",
    ...OWN,
    answer: z.object({ created: z.int(), skipped: z.int() }),
  },
  "GET /api/export.csv": { summary: "The user's log", ...OWN, query: byKind, isCsv: true, answer: z.string() },
  "GET /api/export.json": { summary: "Everything that is the user's own", ...OWN, answer: everything },
  "GET /api/admin/progress.csv": {
    summary: "The progress of all technicians",
    ...ADMIN,
    isCsv: true,
    query: progressQuerySchema,
    answer: z.string(),
  },
  "GET /api/admin/export.csv": {
    summary: "A list of /admin",
    ...ADMIN,
    isCsv: true,
    query: exportQuerySchema,
    answer: z.string(),
  },
};
