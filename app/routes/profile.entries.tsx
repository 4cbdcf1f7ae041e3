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
import { addEntries } from "#app/records/entry/entries.server.ts";
import { entryFormSchema, entryRows } from "#app/records/entry/entry.schema.ts";
import EntryForm from "#app/records/entry/entry-form.island.tsx";
import { entryRules } from "#app/records/entry/entry-rules.server.ts";
import { warningsFor } from "#app/records/entry/warnings.ts";
import { newFormKeyReply } from "#app/records/new-form-key.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { GO_BACK, page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { dateIn } from "#app/ui/calendar-date.ts";

/**
 * Where the form of /profile is sent, and the page on which it comes back with its messages or with a row added or
 * gone. It needs no log and, once it is known who asks, no database: what was typed comes back even when that fails.
 */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Add New OJT Hours · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const { user } = await requireUser(context);
  return {
    user,
    today: dateIn(context.timeZone, context.now),
    formKey: formKeyFrom(params.key) ?? crypto.randomUUID(),
    rules: entryRules,
  };
});

/** Spec section 8. */
const FAILED = "Failed to save entries. Please try again.";

export const action = page(async ({ request, params, context }) => {
  const { user } = await requireUser(context);
  const key = formKeyFrom(params.key);
  const sent = `/profile/entries/${key}`; // as the form has it, however the request spells it
  const submission = parseWithZod(await readForm(request, entryRows), { schema: entryFormSchema });
  const { initialValue, ...rest } = submission.reply();
  // At least one row always remains: a form without any comes back as a new one.
  const reply =
    Array.isArray(initialValue?.entries) && initialValue.entries.length > 0 ? { initialValue, ...rest } : rest;
  if (submission.status !== "success") {
    // Add Another Entry and Remove entry, which have no status, come back with their row added or gone.
    return data({ reply, toast: null, anew: null }, { status: submission.status === "error" ? 400 : 200 });
  }

  const { entries } = submission.value;
  try {
    const saved = await addEntries(context.db, user.id, entries, key, context.now);
    // An address that only this save has: a second fetch of the form's own would replace the browser's copy of it, and
    // Back would bring a fresh key with the old entries.
    throw await redirectTo(context, `/profile?saved=${saved.entries.at(-1)?.id}`, {
      toast: { kind: "success", title: "Entries added", text: "Your OJT hours have been saved successfully." },
      saved: sent,
      warnings: warningsFor(saved, dateIn(context.timeZone, context.now)),
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

export default function NewEntries() {
  const { user, today, formKey, rules } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const anew = answer?.anew ?? { formKey, saved: null };
  return (
    <SignedInLayout current="/profile" toast={answer?.toast}>
      <section aria-labelledby="new">
        <h1 id="new">Add New OJT Hours</h1>
        <Island
          of={EntryForm}
          name="records/entry/entry-form"
          when="interaction"
          props={{ userId: user.id, ...anew, today, rules, places: [], reply: answer?.reply ?? null }}
        />
        <p>
          <a href="/profile">Back to the log</a>
        </p>
      </section>
    </SignedInLayout>
  );
}
