import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { refuseTechnician, requireForeignLink, UNKNOWN_TECHNICIAN } from "#app/verification/confirm/answers.server.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

export const action = api({
  async POST({ params, context }) {
    const token = params.token ?? "";
    await requireForeignLink(context, token);
    await refuseTechnician(context, token);
    return Response.json({ message: UNKNOWN_TECHNICIAN });
  },
});
