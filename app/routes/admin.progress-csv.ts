import { adminProgressCsv } from "#app/admin/progress/progress-page.server.ts";
import { progressViewAt } from "#app/admin/progress/progress-view.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** The list of progress as a CSV file, with the parameters of its page. */
export const handle = { fresh: true } satisfies RouteHandle;

export const loader = page(({ request, context }) => adminProgressCsv(context, progressViewAt(new URL(request.url))));
