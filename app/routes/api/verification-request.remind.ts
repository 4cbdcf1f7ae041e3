import { api, parseId } from "#app/server/api.server.ts";
import { ownRequestJson } from "#app/verification/requests/own-requests.server.ts";
import { remind } from "#app/verification/requests/remind.server.ts";

export const action = api({
  async POST({ params, context }) {
    return Response.json(ownRequestJson(context, await remind(context, parseId(params.id))));
  },
});
