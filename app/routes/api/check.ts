import { checkExport } from "#app/proof/check.server.ts";
import { checkJson, checkQuerySchema } from "#app/proof/check-json.server.ts";
import { api, parse } from "#app/server/api.server.ts";
import { linkToNext } from "#app/server/list.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { heavy: true, access: "public", secret: true } satisfies RouteHandle;

const calls = api({
  async GET({ request, params, context }) {
    const url = new URL(request.url);
    const query = parse(checkQuerySchema, Object.fromEntries(url.searchParams));
    // The pages after the first are of the same check.
    const isCounted = request.method !== "HEAD" && !url.searchParams.has("before");
    const checked = await checkExport(context, params.code ?? "", isCounted);
    const { answer, next } = checkJson(checked, query);
    return Response.json(
      answer,
      next === null ? {} : { headers: { Link: linkToNext(url, context, query.limit, next) } },
    );
  },
});

export { calls as action, calls as loader };
