import { parseWithZod } from "@conform-to/zod/v4";
import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { Island } from "#app/client/island.tsx";
import { SubmissionDeletedError } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { formKeyFrom } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { newFormKeyReply } from "#app/records/new-form-key.server.ts";
import RopeForm from "#app/records/rope-hours/rope-form.island.tsx";
import { ropeHoursSchema } from "#app/records/rope-hours/rope-hours.schema.ts";
import { addRopeHours } from "#app/records/rope-hours/rope-hours.server.ts";
import { ropeHoursRules } from "#app/records/rope-hours/rope-rules.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { GO_BACK, page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** Where the form of /rope-hours is sent, and the page on which it comes back with its messages. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Rope Hours · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const { user } = await requireUser(context);
  return { user, formKey: formKeyFrom(params.key) ?? crypto.randomUUID(), rules: ropeHoursRules };
});

/** Spec section 8. */
const FAILED = "Failed to log rope hours. Please try again.";

export const action = page(async ({ request, params, context }) => {
  const { user } = await requireUser(context);
  const key = formKeyFrom(params.key);
  const sent = `/rope-hours/new/${key}`; // as the form has it, however the request spells it
  const submission = parseWithZod(await readForm(request), { schema: ropeHoursSchema });
  const reply = submission.reply();
  if (submission.status !== "success") {
    // A draft that the browser kept comes back to be seen, and is not judged yet.
    return data({ reply, toast: null, anew: null }, { status: submission.status === "error" ? 400 : 200 });
  }

  try {
    const { id } = await addRopeHours(context.db, user.id, submission.value, key, context.now);
    // An address that only this save has, so that Back finds the form as it was sent (see profile.entries.tsx).
    throw await redirectTo(context, `/rope-hours?saved=${id}`, {
      toast: { kind: "success", title: "Success", text: "Rope hours logged successfully" },
      saved: sent,
    });
  } catch (error) {
    if (error instanceof SubmissionDeletedError)
      return data({ reply, ...newFormKeyReply(error, sent) }, { status: error.status });
    if (error instanceof Response || error instanceof AppError) throw error;
    logError(error, request);
    const toast: Toast = { kind: "error", title: "Error", text: FAILED };
    return data({ reply, toast, anew: null }, { status: 500 });
  }
}, `${FAILED} ${GO_BACK}`);

export default function NewRopeHours() {
  const { user, formKey, rules } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const anew = answer?.anew ?? { formKey, saved: null };
  return (
    <SignedInLayout current="/rope-hours" toast={answer?.toast}>
      <section aria-labelledby="new">
        <h1 id="new">Rope Hours</h1>
        <Island
          of={RopeForm}
          name="records/rope-hours/rope-form"
          when="interaction"
          props={{ userId: user.id, ...anew, rules, places: [], reply: answer?.reply ?? null }}
        />
        <p>
          <a href="/rope-hours">Back to the log</a>
        </p>
      </section>
    </SignedInLayout>
  );
}
