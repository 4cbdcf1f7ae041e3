import { requireUser } from "#app/accounts/access.server.ts";
import { endOtherSessions, listSessions } from "#app/accounts/own-sessions.server.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { token: "none" } satisfies RouteHandle;

const calls = api({
  async GET({ context }) {
    const { sessions } = await requireUser(context, (owner, db) => ({ sessions: listSessions(context, owner, db) }));
    return Response.json(sessions);
  },

  async DELETE({ context }) {
    await endOtherSessions(context);
    return Response.json({ message: "Other sessions ended" });
  },
});

export { calls as action, calls as loader };
