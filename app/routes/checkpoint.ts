import { AppError } from "#app/errors.ts";
import { currentCheckpoint } from "#app/proof/publish-checkpoint.server.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public" } satisfies RouteHandle;

/** The last checkpoint of the audit log (docs/proof.md), for anyone who keeps it. */
export const loader = page(async ({ context }) => {
  const note = await currentCheckpoint(context.db, context);
  if (note === null) throw new AppError(404, "There are no checkpoints, because this app has no signing key.");
  return new Response(note, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=300" },
  });
});
