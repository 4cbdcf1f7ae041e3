import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, type SQL } from "drizzle-orm";
import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { addDays, isCalendarDate, toCalendarDate } from "#app/calendar-date.ts";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { CATEGORIES, METHODS, STATUSES } from "#app/db/enumerations.ts";
import { countFitting } from "#app/db/parts.server.ts";
import { LIST_MAX, listSchema } from "#app/server/query.ts";
import { parseCursor } from "./cursor.ts";
import { type AnyRecord, dateOf, type Field, hasField, type Kind } from "./kind.ts";
import { type LogFilter, SEARCH_MAX } from "./log-filter.ts";
import { existing, filterCondition, textCondition } from "./log-page.server.ts";
import { BYTES_OF_RECORD, isBetween, isEnding, isOwn, listByEnd, listRecords } from "./queries.server.ts";
import { type Rest, readSteps, stepOf } from "./search.server.ts";

/** As the log's page has them: an empty value does not filter. But an invalid one is an error. */
const text = z.string().trim();
const date = (name: string) =>
  text.refine((value) => value === "" || isCalendarDate(value), { error: `${name} must be a date, YYYY-MM-DD` });
const oneOf = <Value extends string>(name: string, values: readonly [Value, ...Value[]]) =>
  z.enum([...values, ""], { error: `${name} must be one of ${values.join(", ")}` });

/** The parameters of a list of records of a kind: those of a list, and the filters of the log's page. */
export function recordListSchema(kind: Kind) {
  return listSchema(LIST_MAX, {
    before: z
      .string()
      .refine((value) => parseCursor(value) !== null, { error: "before must be a cursor, as in Link" })
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
export function listedBy(kind: Kind, record: AnyRecord, { expiringWithin }: { expiringWithin?: unknown }): string {
  return expiringWithin === undefined ? dateOf(kind, record) : String(record[expiryOf(kind)?.name ?? ""]);
}

/**
 * The user's records of a kind, newest first; with `expiringWithin` those that end soon, the soonest first. A search of a
 * large account takes a round trip for each step.
 * @throws as `requireUser`
 */
export async function listOwnRecords(
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
