import { parseWithZod } from "@conform-to/zod/v4";
import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { AppError } from "#app/errors.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { idFrom } from "#app/server/api.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { GO_BACK, page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { changeSupervisor, findSupervisor } from "#app/supervisors/own-supervisors.server.ts";
import { supervisorSchema } from "#app/supervisors/supervisor.schema.ts";
import { SupervisorForm } from "#app/supervisors/supervisors-screen.tsx";

/** Where a technician changes one of their supervisors. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Edit Supervisor · Hours Tracker" }];

export const loader = page(({ params, context }) => findSupervisor(context, idFrom(params.id)));

const FAILED = "Failed to save the supervisor. Please try again.";

export const action = page(async ({ request, params, context }) => {
  const id = idFrom(params.id);
  await findSupervisor(context, id);
  const submission = parseWithZod(await readForm(request), { schema: supervisorSchema });
  if (submission.status !== "success") return data({ reply: submission.reply(), toast: null }, { status: 400 });
  const { value } = submission;

  try {
    await changeSupervisor(context, id, async () => value);
    throw await redirectTo(context, "/supervisors", { toast: { kind: "success", title: "Supervisor saved" } });
  } catch (error) {
    if (error instanceof Response) throw error;
    if (error instanceof AppError && error.errors) {
      const fieldErrors = Object.fromEntries(error.errors.map(({ path, message }) => [path, [message]]));
      return data({ reply: submission.reply({ fieldErrors }), toast: null }, { status: error.status });
    }
    if (error instanceof AppError) throw error;
    logError(error, request);
    const toast: Toast = { kind: "error", title: "Error", text: FAILED };
    return data({ reply: submission.reply(), toast }, { status: 500 });
  }
}, `${FAILED} ${GO_BACK}`);

export default function EditSupervisor() {
  const { supervisor } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout current="/supervisors" toast={answer?.toast}>
      <section aria-labelledby="edit">
        <h1 id="edit">Edit Supervisor</h1>
        <SupervisorForm supervisor={supervisor} reply={answer?.reply ?? null} />
        <p className="row">
          <a className="second" href={`/supervisors/${supervisor.id}/delete`}>
            Delete Supervisor
          </a>
        </p>
      </section>
    </SignedInLayout>
  );
}
