import { requireUser } from "#app/accounts/access.server.ts";
import { shownPresets } from "#app/certification/presets/presets.ts";
import { api } from "#app/server/api.server.ts";

export const loader = api({
  async GET({ context }) {
    await requireUser(context);
    return Response.json(shownPresets());
  },
});
