import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import { parse } from "./api.server.ts";

/*
 * The lists of the API: one page an answer, with the address of the next page in `Link` (product, "The JSON calls").
 */

/** The most that an answer lists: of records and supervisors, of requests and exports, and for admins. */
export const LIST_MAX = 2_000;
export const SHORT_LIST_MAX = 100;
export const ADMIN_LIST_MAX = 10_000;

/** A query parameter that is an id or a number of rows. */
export function positive(name: string) {
  return z
    .string()
    .regex(/^[1-9]\d{0,15}$/, { error: `${name} must be a whole number from 1` })
    .transform(Number);
}

/** The parameters of a list: `?limit=` of at most `max`, and `others`. An unknown one is an error that names it. */
export function listSchema<Others extends z.ZodRawShape>(max: number, others: Others) {
  const limit = positive("limit")
    .optional()
    .transform((number = max) => Math.min(number, max));
  return z.strictObject(
    { limit, ...others },
    {
      error: (issue) =>
        issue.code === "unrecognized_keys"
          ? `There is no query parameter ${issue.keys.map((key) => `"${key.slice(0, 100)}"`).join(", ")} here.`
          : undefined,
    },
  );
}

/** The parameters of a list whose cursor is the id of the last row of the page before. */
export function idListSchema(max: number) {
  return listSchema(max, { before: positive("before").optional() });
}

/**
 * Parses the parameters of a call, after its access was checked: an error of the access comes first (docs/api.md).
 * @throws what `access` throws; {AppError} 400 for an invalid parameter
 */
export async function parseQuery<Schema extends z.ZodType>(
  schema: Schema,
  { searchParams }: URL,
  access: () => Promise<unknown>,
): Promise<z.output<Schema>> {
  const sent = Object.fromEntries(searchParams);
  if (!schema.safeParse(sent).success) await access();
  return parse(schema, sent);
}

interface List<Schema, Query, Row> {
  schema: Schema;
  /** Throws if the viewer may not see the list. */
  access: (context: AppLoadContext) => Promise<unknown>;
  /** Reads at most `limit` rows, after a check of the access. */
  read: (query: Query) => Promise<Row[]>;
  /** What `?before=` of the next page is, by the last row of a page. */
  cursorOf: (row: Row) => string | number;
  /** A row as JSON; without it as it is. */
  show?: (row: Row) => unknown;
}

/**
 * Answers a list: one page, with the address of the next page in `Link`.
 * @throws as `parseQuery`
 */
export async function answerList<Schema extends z.ZodType<{ limit: number }>, Row>(
  { request, context }: { request: Request; context: AppLoadContext },
  { schema, access, read, cursorOf, show = (row) => row }: List<Schema, z.output<Schema>, Row>,
): Promise<Response> {
  const url = new URL(request.url);
  const query = await parseQuery(schema, url, () => access(context));
  const { limit } = query;
  // One more than is returned, to find out whether there is a next page.
  const rows = await read({ ...query, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const answer = page.map(show);
  const last = page.at(-1);
  if (rows.length <= limit || !last) return Response.json(answer);
  return Response.json(answer, { headers: { Link: linkToNext(url, context, limit, cursorOf(last)) } });
}

/** The value of `Link` for the next page: the same parameters with another cursor. */
export function linkToNext(
  url: URL,
  { origin }: Pick<AppLoadContext, "origin">,
  limit: number,
  cursor: string | number,
): string {
  const { limit: _limit, before: _before, ...others } = Object.fromEntries(url.searchParams);
  const next = new URL(url.pathname, origin);
  next.search = new URLSearchParams({ limit: String(limit), before: String(cursor), ...others }).toString();
  return `<${next}>; rel="next"`;
}
