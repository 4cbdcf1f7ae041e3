import { kindOf } from "#app/records/kinds.ts";
import { api, idempotencyKey, parseId, readJson } from "#app/server/api.server.ts";
import { requestVerification, verificationUrl } from "#app/verification/requests/request.server.ts";
import { withdrawRequest } from "#app/verification/requests/withdraw.server.ts";
import { requestSchema } from "#app/verification/verification.schema.ts";

export const action = api({
  async POST({ request, params, context }) {
    const choose = async () => ({ ...(await readJson(request, requestSchema)), key: idempotencyKey(request) });
    const requested = await requestVerification(context, kindOf(context), parseId(params.id), choose);
    const { record, token, emailed, emailedReason } = requested;
    const url = verificationUrl(context, token);
    return Response.json({ ...record, verificationToken: token, verificationUrl: url, emailed, emailedReason });
  },

  async DELETE({ params, context }) {
    return Response.json(await withdrawRequest(context, kindOf(context), parseId(params.id)));
  },
});
