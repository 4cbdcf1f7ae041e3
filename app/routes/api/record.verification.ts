import { findHistory, historyJson } from "#app/corrections/history.server.ts";
import { kindOf } from "#app/records/kinds.ts";
import { api, idFrom } from "#app/server/api.server.ts";

export const loader = api({
  async GET({ params, context }) {
    const { history } = await findHistory(context, kindOf(context), idFrom(params.id));
    return Response.json(historyJson(history));
  },
});
