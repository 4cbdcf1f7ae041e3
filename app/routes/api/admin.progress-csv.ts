import { adminProgressCsv } from "#app/admin/progress/progress-page.server.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** The admin's list of progress as a file, with the parameters of its page. */
export const handle = { heavy: true, fresh: true } satisfies RouteHandle;

export const loader = api({
  GET: ({ request, context }) => adminProgressCsv(context, new URL(request.url)),
});
