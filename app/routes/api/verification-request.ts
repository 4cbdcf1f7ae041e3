import { api, parseId, readJson } from "#app/server/api.server.ts";
import { remindersSchema } from "#app/verification/requests/new-request.schema.ts";
import { findOwnRequest, ownRequestJson } from "#app/verification/requests/own-requests.server.ts";
import { setReminders } from "#app/verification/requests/remind.server.ts";
import { withdrawRequest } from "#app/verification/requests/withdraw.server.ts";

const calls = api({
  async GET({ params, context }) {
    return Response.json(ownRequestJson(context, await findOwnRequest(context, parseId(params.id))));
  },

  async PATCH({ request, params, context }) {
    const choose = async () => (await readJson(request, remindersSchema)).reminders;
    return Response.json(ownRequestJson(context, await setReminders(context, parseId(params.id), choose)));
  },

  async DELETE({ params, context }) {
    return Response.json(ownRequestJson(context, await withdrawRequest(context, parseId(params.id))));
  },
});

export { calls as action, calls as loader };
