import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { Island } from "#app/client/island.tsx";
import { SubmissionDeletedError } from "#app/db/submission.server.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { parseFormKey } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { newFormKeyReply } from "#app/records/new-form-key.server.ts";
import RopeForm from "#app/records/rope-hours/rope-form.island.tsx";
import { ropeHoursSchema } from "#app/records/rope-hours/rope-hours.schema.ts";
import { addRopeHours } from "#app/records/rope-hours/rope-hours.server.ts";
import { ropeHoursRules } from "#app/records/rope-hours/rope-rules.server.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** The action of the form on /rope-hours, and the page with its errors. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Rope Hours · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const { user } = await requireUser(context);
  return { user, formKey: parseFormKey(params.key) ?? crypto.randomUUID(), rules: ropeHoursRules };
});

/** The path of the form as in its action; a request can spell it differently. */
const formPath = (key: string | null) => `/rope-hours/new/${key}`;

export const action = formAction(
  {
    failed: "Failed to log rope hours. Please try again.",
    onAppError: (error, form, { params }) =>
      error instanceof SubmissionDeletedError
        ? form.show({ status: error.status, ...newFormKeyReply(error, formPath(parseFormKey(params.key))) })
        : undefined,
  },
  async ({ request, params, context }, form) => {
    const { user } = await requireUser(context);
    const key = parseFormKey(params.key);
    const ropeHours = form.parse(await readForm(request), ropeHoursSchema);
    const { id } = await addRopeHours(context.db, user.id, ropeHours, key, context.now);
    // A URL for this save only, so that Back shows the form as it was sent (see profile.entries.tsx).
    return redirectTo(context, `/rope-hours?saved=${id}`, {
      toast: { kind: "success", title: "Success", text: "Rope hours logged successfully" },
      saved: formPath(key),
    });
  },
);

export default function NewRopeHours() {
  const { user, formKey, rules } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const submission = answer?.extra ?? { formKey, saved: null };
  return (
    <SignedInLayout current="/rope-hours" toast={answer?.failure}>
      <section aria-labelledby="new">
        <h1 id="new">Rope Hours</h1>
        <Island
          of={RopeForm}
          name="records/rope-hours/rope-form"
          when="interaction"
          props={{ userId: user.id, ...submission, rules, places: [], reply: answer?.reply ?? null }}
        />
        <p>
          <a href="/rope-hours">Back to the log</a>
        </p>
      </section>
    </SignedInLayout>
  );
}
