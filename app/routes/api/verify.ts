import { AppError } from "#app/errors.ts";
import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { confirm, findLink } from "#app/verification/confirm/confirm.server.ts";
import { logOpening } from "#app/verification/confirm/opening.server.ts";
import { LINK_FAILURE, linkFailureMessage, recordJson, thanksMessage } from "#app/verification/record.ts";
import { confirmationSchema } from "#app/verification/verification.schema.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

const calls = api({
  async GET({ params, context }) {
    const link = await findLink(context, params.token ?? "");
    if (link.state === "unknown") throw new AppError(404, linkFailureMessage(link.ended));
    if (link.state === "verified") throw new AppError(409, LINK_FAILURE);
    logOpening(context, link);
    const { kind: type, user } = link.record;
    return Response.json({ type, user, ...recordJson(link.record) }, { headers: { ETag: `"${link.shown}"` } });
  },

  async POST({ request, params, context }) {
    const token = params.token ?? "";
    const { state, record, isOwn, ended } = await findLink(context, token);
    if (isOwn) throw new AppError(403, "You can't verify your own hours. Send the link to your supervisor.");
    if (state === "unknown") throw new AppError(404, linkFailureMessage(ended));
    const { supervisorName, shown } = await readJson(request, confirmationSchema);
    const confirmed = await confirm(context, token, supervisorName, shown);
    return Response.json({ message: thanksMessage(record), ...recordJson(confirmed) });
  },
});

export { calls as action, calls as loader };
