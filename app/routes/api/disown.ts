import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { disown, findNotice, noticeJson } from "#app/verification/telling/disown.server.ts";
import { disownSchema } from "#app/verification/verification.schema.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

const calls = api({
  async GET({ params, context }) {
    return Response.json(noticeJson(await findNotice(context, "disown", params.token ?? "")));
  },

  async POST({ request, params, context }) {
    const disowned = await disown(context, params.token ?? "", () => readJson(request, disownSchema));
    const message = disowned === 0 ? "Nothing was left to disown." : "The records are not verified any more.";
    return Response.json({ message, disowned });
  },
});

export { calls as action, calls as loader };
