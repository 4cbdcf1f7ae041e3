import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { toCalendarDate } from "#app/calendar-date.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { addEntries } from "#app/records/entry/add-entries.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { newRecordsAction, newRecordsLoader } from "#app/records/new-records.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { BroughtForwardScreen, broughtForwardForm } from "#app/transfer/brought-forward-screen.tsx";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Bring hours forward · Hours Tracker" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { timeZone, now } = args.context;
  const [year] = toCalendarDate(timeZone, now).split("-");
  return { ...(await newRecordsLoader(args)), lastYear: `${Number(year) - 1}-12-31` };
};

export const action = newRecordsAction(
  {
    kind: entryKind,
    failed: "Failed to save the hours. Please try again.",
    saved: { title: "Hours brought forward", text: "They are in your log, marked as such." },
  },
  async ({ request }, form) => form.parse(await readForm(request), broughtForwardForm),
  async (context, list, account, key) => {
    const { entries, duplicates } = await addEntries(context.db, account, list, key, context.now);
    return { lastId: entries.at(-1)?.id ?? 0, duplicates };
  },
);

export default function BroughtForward() {
  const { formKey, lastYear } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout current="/account" toast={answer?.failure}>
      <BroughtForwardScreen
        formKey={answer?.extra?.formKey ?? formKey}
        lastYear={lastYear}
        reply={answer?.reply ?? null}
      />
    </SignedInLayout>
  );
}
