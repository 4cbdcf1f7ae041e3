import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { confirm, findNotice, noticeJson } from "#app/verification/telling/disown.server.ts";
import { confirmSchema } from "#app/verification/verification.schema.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

const calls = api({
  async GET({ params, context }) {
    return Response.json(noticeJson(await findNotice(context, "confirm", params.token ?? "")));
  },

  async POST({ request, params, context }) {
    const confirmed = await confirm(context, params.token ?? "", () => readJson(request, confirmSchema));
    const message = confirmed === 0 ? "Nothing was left to confirm." : "Thank you. The records are confirmed.";
    return Response.json({ message, confirmed });
  },
});

export { calls as action, calls as loader };
