import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { currentCheckpoint } from "#app/proof/publish-checkpoint.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public" } satisfies RouteHandle;

const NONE = "There are no checkpoints, because this app has no signing key.";

/** The last checkpoint of the audit log (docs/proof.md), for anyone who keeps it. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  const note = await currentCheckpoint(context.db, context.now, context);
  if (note === null) return Response.json({ message: NONE }, { status: 404 }); // shown on the error page
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=300" };
  return new Response(note, { headers });
}
