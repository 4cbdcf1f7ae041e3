import { requireUser } from "#app/accounts/access.server.ts";
import { newTokenSchema } from "#app/accounts/api-token.schema.ts";
import { listTokens, makeToken } from "#app/accounts/api-tokens.server.ts";
import { api, idempotencyKey, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { token: "none" } satisfies RouteHandle;

const calls = api({
  async GET({ context }) {
    const { tokens } = await requireUser(context, (owner, db) => ({ tokens: listTokens(db, owner) }));
    return Response.json(tokens);
  },

  async POST({ request, context }) {
    const { user } = await requireUser(context);
    const token = await readJson(request, newTokenSchema);
    return Response.json(await makeToken(context, user, token, idempotencyKey(request)), { status: 201 });
  },
});

export { calls as action, calls as loader };
