import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, type SQL } from "drizzle-orm";
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
  requireVersion,
  withNext,
} from "#app/api/endpoint.server.ts";
import { addDays, isCalendarDate, toCalendarDate } from "#app/calendar-date.ts";
import { deleteRecord, edit, findCorrectable, restoreRecord } from "#app/corrections/correct.server.ts";
import { findHistory, historyJson, historySchema, olderPage } from "#app/corrections/history.server.ts";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { CATEGORIES, METHODS, STATUSES } from "#app/db/enumerations.ts";
import { countFitting } from "#app/db/parts.server.ts";
import { TEXT_MAX } from "#app/forms/fields.ts";
import { certificateFields, certificateKind, certificateSchema } from "#app/records/certificates/certificate.kind.ts";
import { withNestedDetails } from "#app/records/details.ts";
import { addEntries, warningsFor } from "#app/records/entry/add-entries.server.ts";
import { ENTRIES_MAX, entryFields, entryKind, entrySchema, newEntriesSchema } from "#app/records/entry/entry.kind.ts";
import { type AnyRecord, dateOf, type Field, hasField, type Kind } from "#app/records/kind.ts";
import { type LogFilter, SEARCH_MAX } from "#app/records/log-filter-form.tsx";
import { existing, filterCondition, textCondition } from "#app/records/log-page.server.ts";
import { duplicateWarnings, periodWarnings } from "#app/records/new-records.server.ts";
import {
  BYTES_OF_RECORD,
  formatCursor,
  isBetween,
  isEnding,
  isOwn,
  listByEnd,
  listRecords,
  parseCursor,
  withoutOwner,
} from "#app/records/queries.server.ts";
import { ropeHoursKind, ropeHoursSchema } from "#app/records/rope-hours/rope-hours.kind.ts";
import { type Holder, requireHolder, saveRecord } from "#app/records/save.server.ts";
import { type Rest, readSteps, stepOf } from "#app/records/search.server.ts";
import { trainingKind, trainingSchema } from "#app/records/training/training.kind.ts";
import { type Warning, withEarlier } from "#app/server/flash.ts";
import { LIST_MAX, listSchema } from "#app/server/query.ts";
import { verificationUrl } from "#app/verification/requests/own-requests.server.ts";
import { findRequestable, requestRecord } from "#app/verification/requests/request.server.ts";
import { withdrawRequestOfRecord } from "#app/verification/requests/withdraw.server.ts";
import { requestSchema } from "#app/verification/verification.schema.ts";

/** As the log's page has them: an empty value does not filter. But an invalid one is an error. */
const text = z.string().trim();
const date = (name: string) =>
  text
    .refine((value) => value === "" || isCalendarDate(value), { error: `${name} must be a date, YYYY-MM-DD` })
    .meta({ format: "date" });
const oneOf = <Value extends string>(name: string, values: readonly [Value, ...Value[]]) =>
  z.enum([...values, ""], { error: `${name} must be one of ${values.join(", ")}` }).meta({ enum: values });

/** The parameters of a list of records of a kind: those of a list, and the filters of the log's page. */
function recordListSchema(kind: Kind) {
  return listSchema(LIST_MAX, {
    before: z
      .string()
      .refine((value) => parseCursor(value) !== null, { error: "before must be a cursor, as in Link" })
      .meta({ pattern: "^\\d{4}-\\d{2}-\\d{2}\\.\\d+$" })
      .transform(parseCursor)
      .optional(),
    status: oneOf("status", STATUSES).default(""),
    ...(hasField(kind, "method") && { method: oneOf("method", METHODS).default("") }),
    ...(hasField(kind, "category") && { category: oneOf("category", CATEGORIES).default("") }),
    from: date("from").default(""),
    to: date("to").default(""),
    ...(expiryOf(kind) && {
      expiringWithin: z
        .string()
        .regex(/^\d{1,5}$/, { error: "expiringWithin must be a number of days" })
        .meta({ type: "integer", minimum: 0, maximum: 99_999 })
        .transform(Number)
        .optional()
        .meta({ description: "Those that end within this number of days from today, soonest first" }),
    }),
    q: text.max(SEARCH_MAX, { error: `q has at most ${SEARCH_MAX} characters` }).default(""),
  });
}

/** The field that says until when a record of a kind is valid. */
function expiryOf({ fields }: Kind): Field | undefined {
  return fields.find(({ type }) => type === "expiry");
}

type Sent = z.output<ReturnType<typeof recordListSchema>>;

/** The date by which the list of a query has a record: that on which it ends, or its own. */
function listedBy(kind: Kind, record: AnyRecord, { expiringWithin }: { expiringWithin?: unknown }): string {
  return expiringWithin === undefined ? dateOf(kind, record) : String(record[expiryOf(kind)?.name ?? ""]);
}

/**
 * The user's records of a kind, newest first; with `expiringWithin` those that end soon, the soonest first. A search of a
 * large account takes a round trip for each step.
 * @throws as `requireUser`
 */
async function listOwnRecords(
  context: AppLoadContext,
  kind: Kind,
  { limit, before = null, expiringWithin, ...filter }: Sent,
): Promise<AnyRecord[]> {
  // Only kinds that have the field take its filter.
  const method = METHODS.find((one) => one === filter.method) ?? "";
  const category = CATEGORIES.find((one) => one === filter.category) ?? "";
  const where = filterCondition(kind, { ...filter, method, category } satisfies LogFilter);
  const exists = existing(filter, context.now);
  const within = typeof expiringWithin === "number" ? daysFromToday(context, expiringWithin) : null;
  const text = textCondition(kind, filter);
  const step = (owner: Owner, db: Db, from?: Rest) => {
    const ofRange = within ? isEnding(owner, { within, before }) : isBetween({ before });
    const scan = { where: and(isOwn(owner, kind, exists), ofRange, where), by: within ? "end_date" : "date" } as const;
    const read = (found: SQL | undefined) => {
      const range = { before, where: and(where, found), exists, limit, bytes: BYTES_OF_RECORD };
      return within ? listByEnd(db, owner, kind, { ...range, within }) : listRecords(db, owner, kind, range);
    };
    return stepOf(db, text, { ...scan, isAscending: within !== null }, read, from);
  };
  const { user, ...first } = await requireUser(context, step);
  return readSteps<AnyRecord>(
    first,
    (rows) => rows.length >= limit || countFitting(rows) < rows.length,
    (from) => batch(context.db, step(user.id, context.db, from)),
  );
}

/** Today and the day so many days later, in the user's time zone. */
function daysFromToday({ timeZone, now }: AppLoadContext, days: number): [string, string] {
  const today = toCalendarDate(timeZone, now);
  return [today, addDays(today, days)];
}

const IF_MATCH = "`If-Match` is obeyed.";

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
        summary: `Change a record that is not verified; an open request for it ends${kind === certificateKind ? ". A verified one takes a revocation and no other change" : ""}`,
        description: IF_MATCH,
        obeysIfMatch: true,
        body: z.unknown(),
        sent: change,
        answer: record,
        errors: ["already_verified", "account_full", "conflict", "daily_quota"],
        before: find,
        async run({ id, body, request, context }) {
          return (await edit(context, kind, id, body, { check: (now) => requireVersion(request, now) })).record;
        },
      },
      DELETE: {
        summary: "Delete a record that is not verified; it can be restored for 24 hours",
        description: IF_MATCH,
        obeysIfMatch: true,
        answer: message,
        errors: ["already_verified", "conflict", "daily_quota"],
        async run({ id, request, context }) {
          await deleteRecord(context, kind, id, (now) => requireVersion(request, now));
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

const needed = z.string().max(TEXT_MAX).nullable();

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
      certificateFields.extend({ standard: needed, issuer: needed }),
    ),
  }),
);

export { calls as action, calls as loader };
