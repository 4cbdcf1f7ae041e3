import { answerRecordList } from "#app/admin/list-call.server.ts";
import { kindOf } from "#app/records/kinds.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { fresh: true } satisfies RouteHandle;

export const loader = api({
  GET: ({ request, context }) => answerRecordList(request, context, kindOf(context)),
});
