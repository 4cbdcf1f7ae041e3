import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { Kind } from "#app/records/kinds.ts";
import { parse } from "#app/server/api.server.ts";
import { partSchema } from "./list-query.schema.ts";
import { listAllRecords } from "./lists.server.ts";

/**
 * The answer to a call that lists records of everybody's: a part of them, and where there are more, their address in
 * `Link` with `rel="next"`.
 * @throws as `requireAdmin`, and {AppError} 400 for a part that is none
 */
export async function answerList(request: Request, context: AppLoadContext, kind: Kind): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const sent = Object.fromEntries(searchParams);
  // Who asks comes first, in the order of refusals; with a part that is none there is nothing to list.
  const { limit, before = null, user: userId = null } = partSchema.safeParse(sent).data ?? { limit: 0 };
  const { records } = await requireAdmin(context, (asker, db) => ({
    // One more than is answered tells whether there are more.
    records: listAllRecords(db, asker, kind, { before, userId, limit: limit + 1 }),
  }));
  parse(partSchema, sent);
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
