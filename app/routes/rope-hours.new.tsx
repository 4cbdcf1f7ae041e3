import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { toCalendarDate } from "#app/calendar-date.ts";
import { Island } from "#app/client/island.tsx";
import { formDetails, ROPE_DETAILS } from "#app/records/details.ts";
import { newRecordAction, newRecordsLoader } from "#app/records/new-records.server.ts";
import RopeForm from "#app/records/rope-hours/rope-form.island.tsx";
import { ropeHoursKind, ropeHoursRules } from "#app/records/rope-hours/rope-hours.kind.ts";
import { draftOf } from "#app/records/rope-hours/rope-rules.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** The action of the form on /rope-hours, and the page with its errors. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Rope Hours · Hours Tracker" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const today = toCalendarDate(args.context.timeZone, args.context.now);
  return { ...(await newRecordsLoader(args)), today, rules: ropeHoursRules, details: formDetails(ROPE_DETAILS) };
};

export const action = newRecordAction(ropeHoursKind);

export default function NewRopeHours() {
  const { user, formKey, today, rules, details } = useLoaderData<typeof loader>();
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
          props={{
            userId: user.id,
            ...submission,
            today,
            rules,
            details,
            draft: draftOf({}, today),
            reply: answer?.reply ?? null,
          }}
        />
        <p>
          <a href="/rope-hours">Back to the log</a>
        </p>
      </section>
    </SignedInLayout>
  );
}
