import { api, idFrom, readJson } from "#app/http/api.server.ts";
import { requestVerification, verificationUrl } from "#app/verification/request.server.ts";
import { requestSchema } from "#app/verification/verification.schema.ts";
import { withdrawRequest } from "#app/verification/withdraw.server.ts";

export const action = api({
  async POST({ request, params, context }) {
    const { record, token } = await requestVerification(context, "entry", idFrom(params.id), async () => ({
      ...(await readJson(request, requestSchema)),
      key: request.headers.get("Idempotency-Key"),
    }));
    return Response.json({ ...record, verificationToken: token, verificationUrl: verificationUrl(context, token) });
  },

  async DELETE({ params, context }) {
    return Response.json(await withdrawRequest(context, "entry", idFrom(params.id)));
  },
});
