import { findHistoryForAdmin } from "#app/admin/history.server.ts";
import { historyJson } from "#app/corrections/history.server.ts";
import { kindOf } from "#app/records/kinds.ts";
import { api, parseId } from "#app/server/api.server.ts";

export const loader = api({
  async GET({ params, context }) {
    const { history } = await findHistoryForAdmin(context, kindOf(context), parseId(params.id));
    return Response.json(historyJson(history));
  },
});
