import { requireUser } from "#app/accounts/access.server.ts";
import { progressFromRows, progressQueries } from "#app/certification/progress.server.ts";
import { progressOf } from "#app/certification/progress.ts";
import { shownProgress } from "#app/certification/shown-target.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { toCalendarDate } from "#app/ui/calendar-date.ts";

export const handle = { heavy: true } satisfies RouteHandle;

export const loader = api({
  async GET({ context }) {
    const today = toCalendarDate(context.timeZone, context.now);
    const { user: _, ...answers } = await requireUser(context, (owner, db) => progressQueries(db, owner, { today }));
    const { targets, rows } = progressFromRows(answers);
    return Response.json((await progressOf(targets, rows, today)).map(shownProgress));
  },
});
