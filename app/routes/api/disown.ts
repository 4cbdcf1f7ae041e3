import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { recordJson } from "#app/verification/record.ts";
import { disown, findNotice } from "#app/verification/telling/disown.server.ts";
import { disownSchema } from "#app/verification/verification.schema.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

const calls = api({
  async GET({ params, context }) {
    const { supervisor, records } = await findNotice(context, params.token ?? "");
    return Response.json({
      supervisor,
      records: records.map((record) => ({ type: record.kind, user: record.user, ...recordJson(record) })),
    });
  },

  async POST({ request, params, context }) {
    const reasonOf = async () => (await readJson(request, disownSchema)).reason ?? null;
    const disowned = await disown(context, params.token ?? "", reasonOf);
    const message = disowned === 0 ? "Nothing was left to disown." : "The records are not verified any more.";
    return Response.json({ message, disowned });
  },
});

export { calls as action, calls as loader };
