import { z } from "zod";
import { entry, id, instant, ropeHours, supervisor, token, user } from "./answers.ts";
import type { DescribedCalls } from "./call.ts";
import { listedExport, target } from "./more-calls.ts";

const kind = z.enum(["entry", "rope_hour"]);
const problem = z.object({ row: z.int(), column: z.string(), message: z.string() });

/** `mapping` names the field of each column, or null; rows are numbered from 1. */
const preview = z
  .object({
    ...{ id, kind, columns: z.array(z.string()), mapping: z.array(z.string().nullable()) },
    ...{ dateOrder: z.enum(["ymd", "dmy", "mdy"]).nullable(), ambiguous: z.unknown() },
    rows: z.array(z.object({ row: z.int(), cells: z.array(z.string()), records: z.array(z.unknown()) })),
    ...{ errors: z.array(problem), duplicates: z.array(z.int()), skip: z.array(z.int()) },
    ...{ count: z.int(), ready: z.int() },
  })
  .meta({ id: "Import" });

const choice = z.object({
  mapping: z.array(z.string().nullable()).optional(),
  dateOrder: z.enum(["ymd", "dmy", "mdy"]).nullable().optional(),
  skip: z.array(z.int()).optional(),
});

const everything = z.object({
  account: user,
  entries: z.array(entry),
  ropeHours: z.array(ropeHours),
  supervisors: z.array(supervisor.extend({ createdAt: instant.optional() })),
  requests: z.array(z.record(z.string(), z.unknown())),
  auditLog: z.array(z.record(z.string(), z.unknown())),
  ...{ targets: z.array(target), exports: z.array(listedExport), tokens: z.array(token) },
});

const OWN = { access: "private" } as const;
const byKind = z.object({ kind: z.enum(["entries", "rope_hours"]).optional() });

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
  "GET /api/admin/export.csv": { summary: "A list of /admin", access: "admin", isCsv: true, answer: z.string() },
  "GET /api/admin/progress.csv": {
    summary: "Every technician's hours and progress",
    ...{ access: "admin", isCsv: true, answer: z.string() },
  },
};
