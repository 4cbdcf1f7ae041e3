import { z } from "zod";
import { listQuerySchema } from "#app/admin/list-query.schema.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { entrySchema } from "#app/records/entry/entry.schema.ts";
import type { Kind } from "#app/records/kinds.ts";
import { recordListSchema } from "#app/records/list-call.server.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import { ropeHoursSchema } from "#app/records/rope-hours/rope-hours.schema.ts";
import { ADMIN_LIST_MAX, idListSchema, LIST_MAX } from "#app/server/list.server.ts";
import { supervisorSchema } from "#app/supervisors/supervisor.schema.ts";
import { requestSchema } from "#app/verification/verification.schema.ts";
import { entry, history, id, link, message, ropeHours, supervisor, user } from "./answers.ts";
import { ADMIN, type DescribedCalls, MAKES, OWN } from "./call.ts";

interface RecordPaths {
  calls: `/api/${string}`;
  adminCalls: `/api/${string}`;
  requestCall: `/api/${string}`;
  /** In summaries. */
  name: string;
}

/** The calls that exist for each kind of record. `change` is the body of a PATCH. */
function recordCalls(
  { calls, adminCalls, requestCall, name }: RecordPaths,
  record: typeof entry | typeof ropeHours,
  change: z.ZodType,
  kind: Kind,
): DescribedCalls {
  const owner = z.object({ id, name: z.string().nullable(), email: z.string() });
  return {
    [`GET ${calls}`]: {
      summary: `The user's ${name}, newest first, at most 2,000 with the next page in Link; with status=deleted those that can be restored`,
      ...OWN,
      query: recordListSchema(kind),
      answer: z.array(record),
    },
    [`PATCH ${calls}/{id}`]: { summary: "Change an unverified record", ...OWN, body: change, answer: record },
    [`DELETE ${calls}/{id}`]: { summary: "Delete an unverified record", ...OWN, answer: message },
    [`POST ${calls}/{id}/restore`]: { summary: "Undo a deletion", ...OWN, answer: record },
    [`GET ${calls}/{id}/verification`]: { summary: "Request and audit log", ...OWN, answer: history },
    [`POST ${requestCall}/{id}`]: {
      summary: "Ask a supervisor to verify one record",
      ...OWN,
      hasKey: true,
      body: requestSchema,
      answer: record.extend(link),
    },
    [`DELETE ${requestCall}/{id}`]: { summary: "Withdraw that request", ...OWN, answer: record },
    [`GET ${adminCalls}`]: {
      summary: `All ${name}, at most 10,000 with the next page in Link`,
      ...ADMIN,
      query: listQuerySchema,
      answer: z.array(record.extend({ user: owner })),
    },
    [`DELETE ${adminCalls}/{id}`]: { summary: "Delete any record", ...ADMIN, answer: message },
    [`GET ${adminCalls}/{id}/verification`]: { summary: "Request and audit log", ...ADMIN, answer: history },
  };
}

/** The calls of records and supervisors, and the admin's. */
export const RECORD_CALLS: DescribedCalls = {
  ...recordCalls(
    {
      ...{ calls: "/api/entries", adminCalls: "/api/admin/entries", requestCall: "/api/verify-request" },
      name: "OJT entries",
    },
    entry,
    entrySchema.partial(),
    entryKind,
  ),
  ...recordCalls(
    {
      ...{ calls: "/api/rope-hours", adminCalls: "/api/admin/rope-hours", requestCall: "/api/verify-request-rope" },
      name: "rope hours",
    },
    ropeHours,
    z.object(ropeHoursSchema.shape).partial(),
    ropeHoursKind,
  ),
  "POST /api/entries": {
    summary: "Add 1 to 500 OJT entries, all or none",
    ...MAKES,
    body: z.union([z.array(entrySchema).min(1).max(500), entrySchema]),
    answer: z.array(entry),
  },
  "POST /api/rope-hours": {
    summary: "Add a period of rope hours",
    ...MAKES,
    body: ropeHoursSchema,
    answer: ropeHours,
  },
  "GET /api/supervisors": {
    summary: "The user's supervisors, at most 2,000 with the next page in Link",
    ...OWN,
    query: idListSchema(LIST_MAX),
    answer: z.array(supervisor),
  },
  "POST /api/supervisors": {
    summary: "Add a supervisor: 409 on `email` if one of the list has the mailbox",
    ...MAKES,
    body: supervisorSchema,
    answer: supervisor,
  },
  "PATCH /api/supervisors/{id}": {
    summary: "Change a supervisor: 409 on `email` if another one of the list has the mailbox",
    ...OWN,
    body: supervisorSchema.partial(),
    answer: supervisor,
  },
  "DELETE /api/supervisors/{id}": { summary: "Delete a supervisor", ...OWN, answer: message },
  "GET /api/admin/users": {
    summary: "All users, at most 10,000 with the next page in Link",
    ...ADMIN,
    query: idListSchema(ADMIN_LIST_MAX),
    answer: z.array(user),
  },
  "DELETE /api/admin/users/{id}": { summary: "Delete a user and their data", ...ADMIN, answer: message },
};
