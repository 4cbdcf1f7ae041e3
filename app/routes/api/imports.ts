import { z } from "zod";
import { fieldsOf, id, recordType } from "#app/api/answers.ts";
import { api, endpoints } from "#app/api/endpoint.server.ts";
import { METHODS } from "#app/db/enumerations.ts";
import { TEXT_MAX } from "#app/forms/fields.ts";
import { KINDS, kindParameter } from "#app/records/all-kinds.ts";
import { querySchema } from "#app/server/query.ts";
import { XLSX_TYPE } from "#app/server/stream.server.ts";
import { applyImport } from "#app/transfer/apply-import.server.ts";
import { ENCODINGS, GUESSED } from "#app/transfer/encodings.ts";
import { changeImport, createImport, parseChange } from "#app/transfer/open-import.server.ts";
import { DATE_ORDERS } from "#app/transfer/read-date.ts";
import { HOURS_UNITS } from "#app/transfer/read-hours.ts";
import { uploadOfFile, uploadOfText } from "#app/transfer/source.ts";
import { requireImport } from "#app/transfer/stored-import.server.ts";
import { undoImport } from "#app/transfer/undo-import.server.ts";

const method = z.enum(METHODS);

/** What words for methods mean: one method, or two that share the hours of a row. */
const methodValues = z.record(z.string(), z.union([method, z.tuple([method, method]), z.null()]));

const hoursUnit = z.enum(HOURS_UNITS).nullable();

/** `mapping` names the field of each column, or null; rows are numbered from 1. */
const preview = z
  .object({
    id,
    kind: recordType,
    encoding: z.enum(ENCODINGS).nullable().meta({ description: "Null for a workbook" }),
    sheet: z.string().nullable(),
    sheets: z.array(z.string()),
    columns: z.array(z.string()),
    mapping: z.array(z.string().nullable()),
    dateOrder: z.enum(DATE_ORDERS).nullable(),
    ambiguous: z.string().nullable(),
    hoursUnit: hoursUnit.meta({ description: "What the numbers of hours count; null must be chosen" }),
    hoursPerDay: z.number().nullable().meta({ description: "Where hours are in days; null must be chosen" }),
    timeZone: z
      .string()
      .nullable()
      .meta({ description: "For the day of an instant: an IANA name or `asWritten`; null must be chosen" }),
    rows: z.array(
      z.object({
        row: z.int(),
        cells: z.array(z.string()),
        // The hours that applying saves.
        records: z.array(z.union(KINDS.map((kind) => z.object(fieldsOf(kind, true))))),
      }),
    ),
    values: z.object({ method: methodValues }),
    unknown: z.object({ method: z.array(z.object({ word: z.string(), rows: z.int() })) }),
    people: z.array(z.string()),
    person: z.string().nullable(),
    sums: z.object({ total: z.number(), method: z.record(z.string(), z.number()), stated: z.number().nullable() }),
    errors: z.array(z.object({ row: z.int(), column: z.string(), message: z.string() })),
    notes: z
      .array(z.object({ column: z.string(), message: z.string(), rows: z.int() }))
      .meta({ description: "What was read otherwise than it is written, or not at all, and dates that may be slips" }),
    duplicates: z.array(z.int()),
    possibleTotals: z.array(z.object({ row: z.int(), message: z.string() })),
    skip: z.array(z.int()),
    count: z.int(),
    ready: z.int(),
  })
  .meta({ id: "Import" });

const choice = z.object({
  mapping: z.array(z.string().max(TEXT_MAX).nullable()).optional(),
  dateOrder: z.enum(DATE_ORDERS).nullable().optional(),
  hoursUnit: hoursUnit.optional(),
  hoursPerDay: z.number().gt(0).max(24).nullable().optional(),
  timeZone: z.string().max(TEXT_MAX).nullable().optional(),
  encoding: z
    .enum(GUESSED)
    .optional()
    .meta({ description: "Only for a text whose encoding is not certain. Send it, or sheet, alone" }),
  sheet: z.string().max(TEXT_MAX).optional(),
  values: z.object({ method: methodValues.optional() }).optional(),
  person: z.string().max(1_000).nullable().optional(),
  skip: z.array(z.int().positive()).nullable().optional(),
});

const calls = endpoints(
  { name: "Imports", description: "Earlier hours from a table: preview, choose, apply, undo." },
  api("/api/imports", {
    access: "user",
    heavy: true,
    accepts: ["text/csv", "text/tab-separated-values", XLSX_TYPE],
    POST: {
      summary: "Preview a table; nothing is imported yet",
      description:
        "Also takes the file as it is: text, or a workbook (.xlsx) whose first sheet with rows is read. The content decides which one it is.",
      query: querySchema({ kind: kindParameter }),
      body: z
        .object(
          { text: z.union([z.string(), z.instanceof(Uint8Array)], { error: "text is required" }) },
          { error: "Send text, or a file" },
        )
        .transform(({ text }) => (typeof text === "string" ? uploadOfText(text) : uploadOfFile(text))),
      sent: z.object({
        text: z.string().meta({ maxLength: 1024 * 1024, description: "With the rest of the body 1 MiB" }),
      }),
      readOther: (bytes) => ({ text: bytes }), // JSON has no bytes
      status: 201,
      answer: preview,
      errors: ["account_full", "daily_quota", "conflict", "database_full"],
      run: ({ query: { kind }, body: upload, context }) => createImport(context, { kind, upload }),
    },
  }),
  api("/api/imports/{id}", {
    access: "user",
    heavy: true,
    PATCH: {
      summary: "Change what is imported",
      body: z.unknown(),
      sent: choice,
      answer: preview,
      errors: ["already_imported", "account_full", "conflict"],
      before: ({ id, context }) => requireImport(context, id),
      run: ({ id, body, context }) => changeImport(context, id, (row) => parseChange(row, body)),
    },
    DELETE: {
      summary: "Undo an import: removes the records that it created and that are not verified",
      query: querySchema({
        edited: z
          .literal("delete", { error: 'edited must be "delete"' })
          .optional()
          .meta({ description: "`delete` also deletes records that were edited since" }),
      }),
      answer: z.object({ removed: z.int(), kept: z.int() }),
      errors: ["records_edited", "conflict"],
      run: ({ id, query, context }) => undoImport(context, id, query.edited === "delete"),
    },
  }),
  api("/api/imports/{id}/apply", {
    access: "user",
    heavy: true,
    POST: {
      summary: "Save its rows, all or none, once",
      answer: z.object({ created: z.int(), skipped: z.int() }),
      errors: ["import_incomplete", "account_full", "conflict", "database_full"],
      run: ({ id, context }) => applyImport(context, id),
    },
  }),
);

export { calls as action, calls as loader };
