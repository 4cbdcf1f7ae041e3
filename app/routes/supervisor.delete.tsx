import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { AppError } from "#app/errors.ts";
import { idFrom } from "#app/server/api.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { deleteSupervisor, findSupervisor } from "#app/supervisors/own-supervisors.server.ts";
import { DeleteSupervisorDialog } from "#app/supervisors/supervisors-screen.tsx";

/** Where a technician deletes one of their supervisors. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Delete Supervisor · Hours Tracker" }];

export const loader = page(({ params, context }) => findSupervisor(context, idFrom(params.id)));

const FAILED = "Failed to delete the supervisor. Please try again.";

export const action = page(async ({ request, params, context }) => {
  const id = idFrom(params.id);
  await findSupervisor(context, id);
  try {
    await deleteSupervisor(context, id);
    throw await redirectTo(context, "/supervisors", { toast: { kind: "success", title: "Supervisor deleted" } });
  } catch (error) {
    if (error instanceof Response || error instanceof AppError) throw error;
    logError(error, request);
    const toast: Toast = { kind: "error", title: "Error", text: FAILED };
    return data({ toast }, { status: 500 });
  }
}, FAILED);

export default function DeleteSupervisor() {
  const { supervisor } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout
      current="/supervisors"
      toast={answer?.toast}
      dialog={<DeleteSupervisorDialog supervisor={supervisor} />}
    />
  );
}
