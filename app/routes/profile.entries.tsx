import type { SubmissionResult } from "@conform-to/react";
import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { Island } from "#app/client/island.tsx";
import { SubmissionDeletedError } from "#app/db/submission.server.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { parseFormKey } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { addEntries } from "#app/records/entry/entries.server.ts";
import { entryFormSchema, entryRows } from "#app/records/entry/entry.schema.ts";
import EntryForm from "#app/records/entry/entry-form.island.tsx";
import { entryRules } from "#app/records/entry/entry-rules.server.ts";
import { warningsFor } from "#app/records/entry/warnings.ts";
import { newFormKeyReply } from "#app/records/new-form-key.server.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { toCalendarDate } from "#app/ui/calendar-date.ts";

/**
 * The action of the form on /profile, and the page with its errors or with a row added or removed. After the user check
 * this page needs no database, so the typed values are shown again even if the database fails.
 */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Add New OJT Hours · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const { user } = await requireUser(context);
  return {
    user,
    today: toCalendarDate(context.timeZone, context.now),
    formKey: parseFormKey(params.key) ?? crypto.randomUUID(),
    rules: entryRules,
  };
});

/** The path of the form as in its action; a request can spell it differently. */
const formPath = (key: string | null) => `/profile/entries/${key}`;

export const action = formAction(
  {
    failed: "Failed to save entries. Please try again.",
    onAppError: (error, form, { params }) =>
      error instanceof SubmissionDeletedError
        ? form.show({ status: error.status, ...newFormKeyReply(error, formPath(parseFormKey(params.key))) })
        : undefined,
  },
  async ({ request, params, context }, form) => {
    const { user } = await requireUser(context);
    const key = parseFormKey(params.key);
    const { entries } = form.parse(await readForm(request, entryRows), entryFormSchema);
    const saved = await addEntries(context.db, user.id, entries, key, context.now);
    // A URL for this save only: opening /profile itself would replace the browser's copy of it, and Back would then show
    // the old entries with a new key.
    return redirectTo(context, `/profile?saved=${saved.entries.at(-1)?.id}`, {
      toast: { kind: "success", title: "Entries added", text: "Your OJT hours have been saved successfully." },
      saved: formPath(key),
      warnings: warningsFor(saved, toCalendarDate(context.timeZone, context.now)),
    });
  },
);

/** Without rows the reply has no values, so that the form starts with a new row. */
function ensureRow(reply: SubmissionResult<string[]> | null | undefined): SubmissionResult<string[]> | null {
  const { initialValue, ...rest } = reply ?? {};
  const hasRow = Array.isArray(initialValue?.entries) && initialValue.entries.length > 0;
  return reply && !hasRow ? rest : (reply ?? null);
}

export default function NewEntries() {
  const { user, today, formKey, rules } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const submission = answer?.extra ?? { formKey, saved: null };
  return (
    <SignedInLayout current="/profile" toast={answer?.failure}>
      <section aria-labelledby="new">
        <h1 id="new">Add New OJT Hours</h1>
        <Island
          of={EntryForm}
          name="records/entry/entry-form"
          when="interaction"
          props={{ userId: user.id, ...submission, today, rules, places: [], reply: ensureRow(answer?.reply) }}
        />
        <p>
          <a href="/profile">Back to the log</a>
        </p>
      </section>
    </SignedInLayout>
  );
}
