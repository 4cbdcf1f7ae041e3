import { listPublicKeys } from "#app/proof/signing-keys.server.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public" } satisfies RouteHandle;

/** The public keys of the statements, for anyone who checks one. A new key is listed after five minutes at the latest. */
export const loader = api({
  async GET({ context }) {
    return Response.json(await listPublicKeys(context.db), { headers: { "Cache-Control": "public, max-age=300" } });
  },
});
