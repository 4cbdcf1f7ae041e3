import { api, idempotencyKey, readJson } from "#app/server/api.server.ts";
import { createRequest } from "#app/verification/requests/create.server.ts";
import { newRequestSchema } from "#app/verification/requests/new-request.schema.ts";
import { listOwnRequests, ownRequestJson } from "#app/verification/requests/own-requests.server.ts";

const calls = api({
  async GET({ context }) {
    const requests = await listOwnRequests(context);
    return Response.json(requests.map((request) => ownRequestJson(context, request)));
  },

  async POST({ request, context }) {
    const choose = async () => ({ ...(await readJson(request, newRequestSchema)), key: idempotencyKey(request) });
    return Response.json(ownRequestJson(context, await createRequest(context, choose)), { status: 201 });
  },
});

export { calls as action, calls as loader };
