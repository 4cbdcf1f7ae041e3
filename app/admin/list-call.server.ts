import type { AppLoadContext } from "@remix-run/cloudflare";
import type { z } from "zod";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { Kind } from "#app/records/kinds.ts";
import { parse } from "#app/server/api.server.ts";
import { listQuerySchema } from "./list-query.schema.ts";
import { listAllRecords } from "./lists.server.ts";

/**
 * The parameters of an admin's call. They are checked after the access, as docs/api.md requires.
 * @throws as `requireAdmin`; {AppError} 400 for an invalid parameter
 */
export async function requireAdminQuery<Schema extends z.ZodType>(
  context: AppLoadContext,
  schema: Schema,
  { searchParams }: URL,
): Promise<z.output<Schema>> {
  const sent = Object.fromEntries(searchParams);
  if (!schema.safeParse(sent).success) await requireAdmin(context);
  return parse(schema, sent);
}

/**
 * The answer of the API to a list of all users' records: one page, with the URL of the next page in `Link`.
 * @throws as `requireAdmin`, and {AppError} 400 for an invalid parameter
 */
export async function answerList(request: Request, context: AppLoadContext, kind: Kind): Promise<Response> {
  const url = new URL(request.url);
  const { limit, before = null, user: userId = null } = await requireAdminQuery(context, listQuerySchema, url);
  const { records } = await requireAdmin(context, (viewer, db) => ({
    // One more than is returned, to find out whether there is a next page.
    records: listAllRecords(db, viewer, kind, { before, userId, limit: limit + 1 }),
  }));
  const answered = records.slice(0, limit);
  const last = answered.at(-1);
  if (records.length <= limit || !last) return Response.json(answered);
  const next = new URL(url.pathname, context.origin);
  next.search = new URLSearchParams({
    limit: String(limit),
    before: String(last.id),
    ...(userId && { user: String(userId) }),
  }).toString();
  return Response.json(answered, { headers: { Link: `<${next}>; rel="next"` } });
}
