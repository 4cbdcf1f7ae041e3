import { findHistory, historyJson } from "#app/corrections/history.server.ts";
import { api, idFrom } from "#app/server/api.server.ts";

export const loader = api({
  async GET({ params, context }) {
    const { history } = await findHistory(context, "rope_hour", idFrom(params.id));
    return Response.json(historyJson(history));
  },
});
