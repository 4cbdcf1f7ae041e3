import { AppError } from "#app/errors.ts";
import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { answeredJson, answersOf, requestJson, requireForeignLink } from "#app/verification/confirm/answers.server.ts";
import { answerRequest, findLink } from "#app/verification/confirm/confirm.server.ts";
import { noteOpening } from "#app/verification/confirm/opening.server.ts";
import { itemRecord } from "#app/verification/link-view.server.ts";
import { LINK_FAILURE, linkFailureMessage, recordJson, thanksMessage } from "#app/verification/record.ts";
import { answersSchema } from "#app/verification/verification.schema.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

const calls = api({
  async GET({ params, context }) {
    const link = await findLink(context, params.token ?? "");
    if (link.state === "unknown") throw new AppError("not_found", linkFailureMessage(link));
    if (link.state === "decided") throw new AppError("already_answered", LINK_FAILURE);
    noteOpening(context, link);
    const [item, ...more] = link.items;
    if (!item || more.length > 0) return Response.json(requestJson(link));
    const record = itemRecord(item, link.owner);
    const { kind: type, user } = record;
    return Response.json({ type, user, ...recordJson(record) }, { headers: { ETag: `"${item.shown}"` } });
  },

  async POST({ request, params, context }) {
    const token = params.token ?? "";
    const link = await requireForeignLink(context, token);
    const answers = answersOf(context, link, new URL(request.url), await readJson(request, answersSchema));
    const answered = await answerRequest(context, token, answers);
    const [item] = answered.verified;
    if (link.items.length > 1 || !item) return Response.json(answeredJson(answered));
    const record = itemRecord(item, link.owner);
    return Response.json({ message: thanksMessage(record), ...recordJson(record) });
  },
});

export { calls as action, calls as loader };
