import { requireUser } from "#app/accounts/access.server.ts";
import { AppError } from "#app/errors.ts";
import { kindOf, recordPath } from "#app/records/kinds.ts";
import { idFrom } from "#app/server/api.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import { withdrawRequest } from "#app/verification/requests/withdraw.server.ts";

/**
 * Where a record's page sends *Withdraw request*. It stands twice in `routes.ts`, once for each kind of record; who
 * comes here by a link or a reload is sent to the record.
 */
export const loader = page(async ({ params, context }) => {
  await requireUser(context);
  throw await redirectTo(context, recordPath(kindOf(context), idFrom(params.id)));
});

export const action = page(async ({ request, params, context }) => {
  const [kind, id] = [kindOf(context), idFrom(params.id)];
  const back = (toast: Toast) => redirectTo(context, recordPath(kind, id), { toast });
  try {
    await withdrawRequest(context, kind, id);
    throw await back({ kind: "success", title: "Request withdrawn", text: "Its link leads nowhere any more." });
  } catch (error) {
    if (error instanceof Response || (error instanceof AppError && error.status === 404)) throw error;
    if (!(error instanceof AppError)) logError(error, request);
    const text = error instanceof AppError ? error.message : "Failed to withdraw the request. Please try again.";
    throw await back({ kind: "error", title: "Error", text });
  }
});
