import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import { requireSameUser, requireUser } from "#app/accounts/access.server.ts";
import { history, link, message, recordOf } from "#app/api/answers.ts";
import {
  api,
  type Call,
  type Endpoint,
  endpoints,
  listOf,
  type Operation,
  withNext,
} from "#app/api/endpoint.server.ts";
import { toCalendarDate } from "#app/calendar-date.ts";
import { deleteRecord, edit, findCorrectable, restoreRecord } from "#app/corrections/correct.server.ts";
import { findHistory, historyJson, historySchema, olderPage } from "#app/corrections/history.server.ts";
import { certificateFields, certificateKind, certificateSchema } from "#app/records/certificates/certificate.kind.ts";
import { formatCursor } from "#app/records/cursor.ts";
import { withNestedDetails } from "#app/records/details.ts";
import { addEntries, warningsFor } from "#app/records/entry/add-entries.server.ts";
import { ENTRIES_MAX, entryFields, entryKind, entrySchema, newEntriesSchema } from "#app/records/entry/entry.kind.ts";
import type { AnyRecord, Kind } from "#app/records/kind.ts";
import { listedBy, listOwnRecords, recordListSchema } from "#app/records/list-call.server.ts";
import { duplicateWarnings, periodWarnings } from "#app/records/new-records.server.ts";
import { withoutOwner } from "#app/records/queries.server.ts";
import { ropeHoursKind, ropeHoursSchema } from "#app/records/rope-hours/rope-hours.kind.ts";
import { type Holder, requireHolder, saveRecord } from "#app/records/save.server.ts";
import { trainingKind, trainingSchema } from "#app/records/training/training.kind.ts";
import { type Warning, withEarlier } from "#app/server/flash.ts";
import { verificationUrl } from "#app/verification/requests/own-requests.server.ts";
import { findRequestable, requestRecord } from "#app/verification/requests/request.server.ts";
import { withdrawRequestOfRecord } from "#app/verification/requests/withdraw.server.ts";
import { requestSchema } from "#app/verification/verification.schema.ts";

/** What differs between the kinds: their addresses, what a change is described as, and how new records are saved. */
interface RecordCalls<Body extends z.ZodType> {
  path: `/api/${string}`;
  /** Of the call that asks for one record, which the spec has for two kinds. The others are asked for in requests. */
  requestPath?: `/api/${string}`;
  change: z.ZodType;
  POST: Operation<z.ZodType, Body>;
}

/** The endpoints of a kind of record. */
function recordEndpoints<Body extends z.ZodType>(
  kind: Kind,
  { path, requestPath, change, POST }: RecordCalls<Body>,
): Endpoint[] {
  const record = recordOf(kind);
  const find = ({ id, context }: Pick<Call, "id" | "context">) => findCorrectable(context, kind, id);
  return [
    api(path, {
      access: "user",
      heavy: "reads",
      GET: listOf({
        summary: `The user's ${kind.texts.counts[0]}, newest first, at most 2,000`,
        description: "With `status=deleted` those that can be restored.",
        query: recordListSchema(kind),
        item: record,
        read: (query, context) => listOwnRecords(context, kind, query),
        cursorOf: (row, query) => formatCursor({ date: listedBy(kind, row, query), id: row.id }),
      }),
      POST: {
        ...POST,
        async before({ request, context }) {
          requireSameUser(request, (await requireUser(context)).user);
        },
      },
    }),
    api(`${path}/{id}`, {
      access: "user",
      GET: {
        summary: "One record",
        answer: record,
        run: async (call) => withoutOwner((await find(call)).record),
      },
      PATCH: {
        summary: "Change a record that is not verified; an open request for it ends",
        body: z.unknown(),
        sent: change,
        answer: record,
        errors: ["already_verified", "account_full", "conflict", "daily_quota"],
        before: find,
        run: async ({ id, body, context }) => (await edit(context, kind, id, body)).record,
      },
      DELETE: {
        summary: "Delete a record that is not verified; it can be restored for 24 hours",
        answer: message,
        errors: ["already_verified", "conflict", "daily_quota"],
        async run({ id, context }) {
          await deleteRecord(context, kind, id);
          return { message: kind.texts.deleted };
        },
      },
    }),
    api(`${path}/{id}/restore`, {
      access: "user",
      POST: {
        summary: "Undo a deletion",
        answer: record,
        errors: ["conflict", "daily_quota"],
        run: ({ id, context }) => restoreRecord(context, kind, id),
      },
    }),
    api(`${path}/{id}/verification`, {
      access: "user",
      GET: {
        summary: "The last request for a record, and its audit log, 100 events a page",
        query: historySchema,
        answer: history,
        async run({ id, query, context }) {
          const { history: page } = await findHistory(context, kind, id, query);
          return withNext(historyJson(page), context, olderPage(page, query));
        },
      },
    }),
    ...(requestPath ? [requestEndpoint(kind, requestPath)] : []),
  ];
}

/** The endpoint that asks a supervisor to verify one record of a kind. */
function requestEndpoint(kind: Kind, requestPath: `/api/${string}`): Endpoint {
  return api(`${requestPath}/{id}`, {
    access: "user",
    POST: {
      summary: "Ask a supervisor to verify one record",
      description: "Asked again, the link stays the same until it ends.",
      hasKey: true,
      body: requestSchema,
      answer: recordOf(kind).extend(link),
      errors: ["own_mailbox", "already_verified", "account_full", "daily_quota", "conflict"],
      before: ({ id, context }) => findRequestable(context, kind, id),
      async run({ id, body, key, context }) {
        const { record, emailed, emailedReason, request } = await requestRecord(context, kind, id, { ...body, key });
        const { token } = request;
        const url = verificationUrl(context, token);
        return { ...record, verificationToken: token, verificationUrl: url, emailed, emailedReason };
      },
    },
    DELETE: {
      summary: "Withdraw that request",
      answer: recordOf(kind),
      errors: ["already_verified", "request_ended", "conflict", "daily_quota"],
      run: ({ id, context }) => withdrawRequestOfRecord(context, kind, id),
    },
  });
}

interface Saved {
  said: unknown;
  warnings: Warning[];
}

/** How new records are added by a call. `save` returns what is answered, and what is unusual about it. */
function add<Body extends z.ZodType>(
  kind: Kind,
  described: Pick<Operation<z.ZodType, Body>, "summary" | "answer"> & { body: Body; sent: z.ZodType },
  save: (context: AppLoadContext, account: Holder, body: z.output<Body>, key: string | null) => Promise<Saved>,
): Operation<z.ZodType, Body> {
  return {
    ...described,
    hasKey: true,
    status: 201,
    errors: ["other_user", "account_full", "already_deleted"],
    async run({ request, body, key, context }) {
      const { user, account } = await requireHolder(context, kind);
      requireSameUser(request, user);
      const { said, warnings } = await save(context, account, body, key);
      // The app sends what was saved without a signal: the next page, within a minute, shows what a saved form would have shown.
      if (warnings.length === 0 || !request.headers.has("For-User")) return said;
      const flash = { ...context.flash, warnings: withEarlier(context.flash, warnings) };
      const headers = { "Set-Cookie": await context.cookies.flash.serialize(flash) };
      return Response.json(said, { status: 201, headers });
    },
  };
}

/** How one new record of a kind is added by a call. */
function addOne<Values extends object, Row extends AnyRecord, Body extends z.ZodType<Values>>(
  kind: Kind<Row, Values>,
  summary: string,
  body: Body,
  sent: z.ZodType,
): Operation<z.ZodType, Body> {
  return add(kind, { summary, body, sent, answer: recordOf(kind) }, async (context, account, values, key) => {
    const { record, duplicates } = await saveRecord(context.db, account, kind, values, key, context.now);
    return { said: record, warnings: [...duplicateWarnings(kind, duplicates), ...periodWarnings(kind, record)] };
  });
}

const calls = endpoints(
  {
    name: "Records",
    description:
      "OJT entries, rope hours, training, certificates and tests: log, correct, and ask for one of them. All texts of one record have at most 8,000 bytes of UTF-8 together.",
  },
  ...recordEndpoints(entryKind, {
    path: "/api/entries",
    requestPath: "/api/verify-request",
    change: entryFields.partial(),
    POST: add(
      entryKind,
      {
        summary: `Add 1 to ${ENTRIES_MAX} OJT entries, all or none`,
        body: newEntriesSchema,
        sent: z.union([z.array(entrySchema).min(1).max(ENTRIES_MAX), entrySchema]),
        answer: z.array(recordOf(entryKind)),
      },
      async (context, account, list, key) => {
        const saved = await addEntries(context.db, account, list, key, context.now);
        const unusual = warningsFor(saved, toCalendarDate(context.timeZone, context.now));
        return { said: saved.entries, warnings: [...duplicateWarnings(entryKind, saved.duplicates), ...unusual] };
      },
    ),
  }),
  ...recordEndpoints(ropeHoursKind, {
    path: "/api/rope-hours",
    requestPath: "/api/verify-request-rope",
    change: z.object(ropeHoursSchema.shape).partial(),
    POST: addOne(
      ropeHoursKind,
      "Add a period of rope hours",
      z.preprocess(withNestedDetails, ropeHoursSchema),
      ropeHoursSchema,
    ),
  }),
  ...recordEndpoints(trainingKind, {
    path: "/api/training",
    change: z.object(trainingSchema.shape).partial(),
    POST: addOne(trainingKind, "Add an organized training", trainingSchema, trainingSchema),
  }),
  ...recordEndpoints(certificateKind, {
    path: "/api/certificates",
    change: certificateFields.partial(),
    POST: addOne(
      certificateKind,
      "Add a certificate, a part of an examination, a vision test or another document",
      certificateSchema,
      // What most categories need, which the rules of a category say and the description cannot.
      certificateFields.extend({ standard: z.string().nullable(), issuer: z.string().nullable() }),
    ),
  }),
);

export { calls as action, calls as loader };
