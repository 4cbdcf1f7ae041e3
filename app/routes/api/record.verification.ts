import { findHistory, historyJson } from "#app/corrections/history.server.ts";
import { kindOf } from "#app/records/kinds.ts";
import { api, parseId } from "#app/server/api.server.ts";

export const loader = api({
  async GET({ params, context }) {
    const { history } = await findHistory(context, kindOf(context), parseId(params.id));
    return Response.json(historyJson(history));
  },
});
