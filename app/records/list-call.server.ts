import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { METHODS, STATUSES } from "#app/db/enumerations.ts";
import { LIST_MAX, listSchema } from "#app/server/query.ts";
import { isCalendarDate } from "#app/ui/calendar-date.ts";
import { parseCursor } from "./cursor.ts";
import { type AnyRecord, hasField, type Kind } from "./kind.ts";
import { type LogFilter, SEARCH_MAX } from "./log-filter.ts";
import { existing, filterCondition } from "./log-page.server.ts";
import { listRecords } from "./queries.server.ts";

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
    from: date("from").default(""),
    to: date("to").default(""),
    q: text.max(SEARCH_MAX, { error: `q has at most ${SEARCH_MAX} characters` }).default(""),
  });
}

/**
 * The user's records of a kind, newest first.
 * @throws as `requireUser`
 */
export async function listOwnRecords(
  context: AppLoadContext,
  kind: Kind,
  { limit, before = null, ...filter }: z.output<ReturnType<typeof recordListSchema>>,
): Promise<AnyRecord[]> {
  const method = typeof filter.method === "string" ? filter.method : ""; // only of kinds with methods
  const where = filterCondition(kind, { ...filter, method } satisfies LogFilter);
  const exists = existing(filter, context.now);
  const { records } = await requireUser(context, (owner, db) => ({
    records: listRecords(db, owner, kind, { before, where, exists, limit }),
  }));
  return records;
}
