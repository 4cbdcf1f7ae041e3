import { kindOf } from "#app/records/kinds.ts";
import { api, idempotencyKey, parseId, readJson } from "#app/server/api.server.ts";
import { verificationUrl } from "#app/verification/requests/own-requests.server.ts";
import { requestRecord } from "#app/verification/requests/request.server.ts";
import { withdrawRequestOfRecord } from "#app/verification/requests/withdraw.server.ts";
import { requestSchema } from "#app/verification/verification.schema.ts";

export const action = api({
  async POST({ request, params, context }) {
    const choose = async () => ({ ...(await readJson(request, requestSchema)), key: idempotencyKey(request) });
    const requested = await requestRecord(context, kindOf(context), parseId(params.id), choose);
    const { record, emailed, emailedReason } = requested;
    const { token } = requested.request;
    const url = verificationUrl(context, token);
    return Response.json({ ...record, verificationToken: token, verificationUrl: url, emailed, emailedReason });
  },

  async DELETE({ params, context }) {
    return Response.json(await withdrawRequestOfRecord(context, kindOf(context), parseId(params.id)));
  },
});
