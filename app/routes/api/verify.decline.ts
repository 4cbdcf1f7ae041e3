import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { declineRequest, requireForeignLink } from "#app/verification/confirm/answers.server.ts";
import { answeredMessage } from "#app/verification/record.ts";
import { declineSchema } from "#app/verification/verification.schema.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

export const action = api({
  async POST({ request, params, context }) {
    const token = params.token ?? "";
    await requireForeignLink(context, token);
    const body = await readJson(request, declineSchema);
    const { declined } = await declineRequest(context, token, new URL(request.url), body);
    return Response.json({ message: answeredMessage({ verified: 0, declined: declined.length }) });
  },
});
