import type { SubmissionResult } from "@conform-to/react";
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { knownViewer } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { toCalendarDate } from "#app/calendar-date.ts";
import { Island } from "#app/client/island.tsx";
import { asText } from "#app/forms/field.tsx";
import { readForm } from "#app/forms/read-form.server.ts";
import { ENTRY_DETAILS, formDetails } from "#app/records/details.ts";
import { addEntries, warningsFor } from "#app/records/entry/add-entries.server.ts";
import { entryFormSchema, entryKind, entryRows, entryRules } from "#app/records/entry/entry.kind.ts";
import EntryForm from "#app/records/entry/entry-form.island.tsx";
import { dayDetails, type EntryDraft, withDayAndPlace, withoutDetails } from "#app/records/entry/entry-rules.ts";
import { readCard } from "#app/records/entry/shift-card.ts";
import { newRecordsAction, newRecordsLoader } from "#app/records/new-records.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/**
 * The action of the form on /profile, and the page with its errors or with a row added or removed. After the user check
 * this page needs no database, so the typed values are shown again even if the database fails.
 */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: `${entryKind.texts.new.title} · Hours Tracker` }];

export const loader = async (args: LoaderFunctionArgs) => {
  const today = toCalendarDate(args.context.timeZone, args.context.now);
  return { ...(await newRecordsLoader(args)), today, rules: entryRules, details: formDetails(ENTRY_DETAILS) };
};

export const action = newRecordsAction(
  { kind: entryKind, ...entryKind.texts.new },
  async ({ request }, form) => form.parse(withDayAndPlace(await readForm(request, entryRows)), entryFormSchema),
  async (context, { entries, card = "" }, account, key) => {
    const saved = await addEntries(context.db, account, entries, key, context.now);
    const today = toCalendarDate(context.timeZone, context.now);
    const warnings = warningsFor(saved, today);
    const viewer = knownViewer(context);
    // A technician without a name is asked for it before the dialog, and several records have a page of their own.
    const { supervisor } = readCard(card, { today, own: viewer?.email ?? "" });
    const isAsked = supervisor.name !== undefined && entries.length === 1 && Boolean(viewer?.name);
    return {
      lastId: saved.entries.at(-1)?.id ?? 0,
      duplicates: saved.duplicates,
      warnings,
      supervisor: isAsked ? { ...supervisor } : null,
    };
  },
);

type Reply = SubmissionResult<string[]>;

/**
 * The reply as the form shows it: what all rows have, with its messages, is in the details of the day. Without rows the reply has no
 * values, so that the form starts with a new row.
 */
function shownReply(reply: Reply | null | undefined): Reply | null {
  if (!reply) return null;
  const { initialValue, error, ...rest } = reply;
  const rows = (Array.isArray(initialValue?.entries) ? initialValue.entries : []) as Partial<EntryDraft>[]; // our own fields
  if (rows.length === 0) return error ? { ...rest, error } : rest;
  const day = dayDetails(rows.map((row) => row ?? {}));
  if (Object.keys(day).length === 0) return reply;
  const nameOf = (name: string) => {
    const [, detail] = /^entries\[\d+\]\.details\.(\w+)$/.exec(name) ?? [];
    return detail && detail in day ? `details.${detail}` : name;
  };
  return {
    ...rest,
    initialValue: { ...initialValue, entries: withoutDetails(rows, day), details: day },
    ...(error && { error: Object.fromEntries(Object.entries(error).map(([name, said]) => [nameOf(name), said])) }),
  };
}

export default function NewEntries() {
  const { user, today, formKey, rules, details } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const submission = answer?.extra ?? { formKey, saved: null };
  return (
    <SignedInLayout current="/profile" toast={answer?.failure}>
      <section aria-labelledby="new">
        <h1 id="new">{entryKind.texts.new.title}</h1>
        <Island
          of={EntryForm}
          name="records/entry/entry-form"
          when="interaction"
          props={{
            userId: user.id,
            ...submission,
            today,
            rules,
            details,
            card: asText(answer?.reply?.initialValue?.card),
            reply: shownReply(answer?.reply),
          }}
        />
        <p>
          <a href="/profile">Back to the log</a>
        </p>
      </section>
    </SignedInLayout>
  );
}
