import { findHistory, historyJson } from "#app/corrections/history.server.ts";
import { api, parseId } from "#app/server/api.server.ts";

export const loader = api({
  async GET({ params, context }) {
    const { history } = await findHistory(context, "rope_hour", parseId(params.id));
    return Response.json(historyJson(history));
  },
});
