import { requireUser } from "#app/accounts/access.server.ts";
import { api } from "#app/http/api.server.ts";

export const loader = api({
  async GET({ context }) {
    const { user } = await requireUser(context);
    return Response.json(user);
  },
});
