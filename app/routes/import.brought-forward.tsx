import { useForm } from "@conform-to/react";
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { toCalendarDate } from "#app/calendar-date.ts";
import { FORM_METHODS, METHODS, type Method, OTHER_METHODS } from "#app/db/enumerations.ts";
import { Field, NumberField } from "#app/forms/field.tsx";
import { readForm } from "#app/forms/read-form.server.ts";
import { addEntries } from "#app/records/entry/add-entries.server.ts";
import { entryKind, type NewEntry, typedEntrySchema } from "#app/records/entry/entry.kind.ts";
import { methodLabel, methodName, OTHERS_LABEL } from "#app/records/entry/methods.ts";
import { typedHours } from "#app/records/hours.ts";
import { newRecordsAction, newRecordsLoader } from "#app/records/new-records.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { LinkLine } from "#app/ui/page.tsx";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Bring hours forward · Hours Tracker" }];

const { date, location, hours } = typedEntrySchema.shape;

/** The hours of a method in the form: blank and 0 are no entry. */
const methodHours = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined || Number(typedHours(text) ?? NaN) === 0) return undefined;
    const result = hours.safeParse(text);
    if (result.success) return result.data;
    for (const { message } of result.error.issues) context.addIssue({ code: "custom", message });
    return z.NEVER;
  });

const methodFields = Object.fromEntries(METHODS.map((method) => [method, methodHours])) as Record<
  Method,
  typeof methodHours
>;

/** The form that brings hours of earlier years forward, and the entries that it means. */
const broughtForwardForm = z
  .object({ date, location, ...methodFields })
  .refine((form) => METHODS.some((method) => form[method] !== undefined), {
    path: [METHODS[0]],
    message: "Enter the hours of at least one method",
  })
  .transform(({ date, location, ...form }): NewEntry[] =>
    METHODS.flatMap((method) => {
      const hours = form[method];
      return hours === undefined ? [] : [{ date, location, method, hours, broughtForward: true, details: {} }];
    }),
  );

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

/** Hours of earlier years: one sum for each method, as of a date. Works without script. */
export default function BroughtForward() {
  const { formKey, lastYear } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const reply = answer?.reply ?? null;
  const [form, fields] = useForm<{ date: string; location: string } & Partial<Record<Method, string>>>({
    id: "brought-forward",
    lastResult: reply,
    defaultValue: { date: lastYear },
  });
  const firstInvalid = Object.keys(reply?.error ?? {})[0];
  const focus = ({ name }: { name: string }) => name === firstInvalid;
  const hoursField = (method: Method) => {
    const label = [methodLabel(method), methodName(method)].filter(Boolean).join(", ");
    const field = fields[method];
    return <NumberField key={method} field={field} label={label} placeholder="0.0" autoFocus={focus(field)} />;
  };
  return (
    <SignedInLayout current="/account" toast={answer?.failure}>
      <form
        method="post"
        action={`/import/brought-forward/${answer?.extra?.formKey ?? formKey}`}
        id={form.id}
        className="form"
        aria-labelledby="title"
        noValidate
      >
        <h1 id="title">Bring hours forward</h1>
        <p>
          The hours that you worked before you used Hours Tracker, as one entry for each method. They are marked as
          brought forward wherever they are shown, and a supervisor can verify them like any other.
        </p>
        <Field field={fields.date} label="As of" type="date" autoFocus={focus(fields.date)} />
        <Field
          field={fields.location}
          label="Where they come from"
          placeholder="Earlier employers, logbook 2"
          autoFocus={focus(fields.location)}
        />
        <fieldset>
          <legend>Hours up to that date</legend>
          <div className="pair">{FORM_METHODS.map(hoursField)}</div>
          <details open={OTHER_METHODS.some((method) => fields[method].initialValue)}>
            <summary>{OTHERS_LABEL}</summary>
            <div className="pair">{OTHER_METHODS.map(hoursField)}</div>
          </details>
        </fieldset>
        <button type="submit" data-busy="Saving...">
          Save hours
        </button>
        <LinkLine href="/import">Back to the import</LinkLine>
      </form>
    </SignedInLayout>
  );
}
