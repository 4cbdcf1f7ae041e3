import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { listPublicKeys } from "#app/proof/signing-keys.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public" } satisfies RouteHandle;

/** The public keys of the statements, for anyone who checks one. A new key is listed after five minutes at the latest. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  return Response.json(await listPublicKeys(context.db), { headers: { "Cache-Control": "public, max-age=300" } });
}
