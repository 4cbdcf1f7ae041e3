import type { AppLoadContext } from "@remix-run/cloudflare";
import type { BatchItem } from "drizzle-orm/batch";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { parse } from "#app/server/api.server.ts";
import { partSchema } from "./list-query.schema.ts";
import type { RecordPart } from "./lists.server.ts";

/** A statement that reads a part of a list. */
type List<Row> = (db: Db, asker: Owner, part: RecordPart) => BatchItem<"sqlite"> & { _: { result: Row[] } };

/**
 * The answer to a call that lists records of everybody's: a part of them, and where there are more, their address in
 * `Link` with `rel="next"`.
 * @throws as `requireAdmin`, and {AppError} 400 for a part that is none
 */
export async function answerList<Row extends { id: number }>(
  request: Request,
  context: AppLoadContext,
  list: List<Row>,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const sent = Object.fromEntries(searchParams);
  // Who asks comes first, in the order of refusals; with a part that is none there is nothing to list.
  const { limit, before = null, user: userId = null } = partSchema.safeParse(sent).data ?? { limit: 0 };
  const { records } = await requireAdmin(context, (asker, db) => ({
    // One more than is answered tells whether there are more.
    records: list(db, asker, { before, userId, limit: limit + 1 }),
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
