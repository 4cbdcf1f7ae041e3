import { requireUser } from "#app/accounts/access.server.ts";
import { api, idempotencyKey, readJson } from "#app/server/api.server.ts";
import { answerList, idListSchema, SHORT_LIST_MAX } from "#app/server/list.server.ts";
import { newRequestSchema } from "#app/verification/requests/new-request.schema.ts";
import { listOwnRequests, ownRequestJson } from "#app/verification/requests/own-requests.server.ts";
import { requestRecords } from "#app/verification/requests/request.server.ts";

const calls = api({
  GET: ({ request, context }) =>
    answerList(
      { request, context },
      {
        schema: idListSchema(SHORT_LIST_MAX),
        access: requireUser,
        read: (query) => listOwnRequests(context, query),
        cursorOf: ({ request }) => request.id,
        show: (found) => ownRequestJson(context, found),
      },
    ),

  async POST({ request, context }) {
    const choose = async () => ({ ...(await readJson(request, newRequestSchema)), key: idempotencyKey(request) });
    return Response.json(ownRequestJson(context, await requestRecords(context, choose)), { status: 201 });
  },
});

export { calls as action, calls as loader };
