import { requireAdmin } from "#app/accounts/access.server.ts";
import { listAllEntries } from "#app/admin/lists.server.ts";
import { partSchema } from "#app/admin/part.schema.ts";
import { api, parse } from "#app/http/api.server.ts";
import type { RouteHandle } from "#app/http/route.ts";

export const handle = { fresh: true } satisfies RouteHandle;

export const loader = api({
  async GET({ request, context }) {
    const { searchParams } = new URL(request.url);
    const asked = partSchema.safeParse(Object.fromEntries(searchParams));
    // Who asks comes first, in the order of refusals; with a part that is none there is nothing to list.
    const { limit, before = null } = asked.data ?? { limit: 0 };
    const { entries } = await requireAdmin(context, (asker, db) => ({
      // One more than is answered tells whether there are more.
      entries: listAllEntries(db, asker, { before, limit: limit + 1 }),
    }));
    parse(partSchema, Object.fromEntries(searchParams));
    const answered = entries.slice(0, limit);
    const last = answered.at(-1);
    const next =
      entries.length > limit && last ? `${context.origin}/api/admin/entries?limit=${limit}&before=${last.id}` : null;
    return Response.json(answered, next ? { headers: { Link: `<${next}>; rel="next"` } } : {});
  },
});
