import { requireUser } from "#app/accounts/access.server.ts";
import { restoreRecord } from "#app/corrections/delete.server.ts";
import { AppError } from "#app/errors.ts";
import { kindOf } from "#app/records/kinds.ts";
import { idFrom } from "#app/server/api.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";

/**
 * Where *Undo* is sent after a deletion: it leads back to the log, with the record or with the reason. It stands twice
 * in `routes.ts`, once for each kind.
 */
export const loader = page(async ({ context }) => {
  await requireUser(context);
  return redirectTo(context, kindOf(context).path);
});

const FAILED = "Failed to restore the record. Please try again.";

export const action = page(async ({ request, params, context }) => {
  const kind = kindOf(context);
  const id = idFrom(params.id);
  const { path } = kind;
  await requireUser(context);
  try {
    await restoreRecord(context, kind, id);
    return await redirectTo(context, path, { toast: { kind: "success", title: kind.texts.restored } });
  } catch (error) {
    if (error instanceof AppError) throw error;
    logError(error, request);
    const toast: Toast = { kind: "error", title: "Error", text: FAILED };
    return redirectTo(context, `${path}?deleted=${id}`, { toast });
  }
}, FAILED);

/** Nothing is ever shown here; a route that could show nothing would answer its failures without a page. */
export default function Restore() {
  return null;
}
