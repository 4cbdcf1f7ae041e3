import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { Kind } from "#app/records/kinds.ts";
import { parse } from "#app/server/api.server.ts";
import { listQuerySchema } from "./list-query.schema.ts";
import { listAllRecords } from "./lists.server.ts";

/**
 * The answer of the API to a list of all users' records: one page, with the URL of the next page in `Link`.
 * @throws as `requireAdmin`, and {AppError} 400 for an invalid parameter
 */
export async function answerList(request: Request, context: AppLoadContext, kind: Kind): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const sent = Object.fromEntries(searchParams);
  // An invalid parameter is reported after the access check, as docs/api.md requires; until then nothing is listed.
  const { limit, before = null, user: userId = null } = listQuerySchema.safeParse(sent).data ?? { limit: 0 };
  const { records } = await requireAdmin(context, (viewer, db) => ({
    // One more than is returned, to find out whether there is a next page.
    records: listAllRecords(db, viewer, kind, { before, userId, limit: limit + 1 }),
  }));
  parse(listQuerySchema, sent);
  const answered = records.slice(0, limit);
  const last = answered.at(-1);
  if (records.length <= limit || !last) return Response.json(answered);
  const next = new URL(pathname, context.origin);
  next.search = new URLSearchParams({
    limit: String(limit),
    before: String(last.id),
    ...(userId && { user: String(userId) }),
  }).toString();
  return Response.json(answered, { headers: { Link: `<${next}>; rel="next"` } });
}
