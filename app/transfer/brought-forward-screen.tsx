import { type SubmissionResult, useForm } from "@conform-to/react";
import { METHODS, type Method } from "#app/db/enumerations.ts";
import { Field, NumberField } from "#app/forms/field.tsx";
import { methodLabel, methodName } from "#app/records/entry/methods.ts";

interface BroughtForwardScreenProps {
  formKey: string;
  /** The last day of the year before, `YYYY-MM-DD`. */
  lastYear: string;
  reply: SubmissionResult<string[]> | null;
}

/** Hours of earlier years: one sum for each method, as of a date. Works without script. */
export function BroughtForwardScreen({ formKey, lastYear, reply }: BroughtForwardScreenProps) {
  const [form, fields] = useForm<{ date: string; location: string } & Partial<Record<Method, string>>>({
    id: "brought-forward",
    lastResult: reply,
    defaultValue: { date: lastYear },
  });
  const firstInvalid = Object.keys(reply?.error ?? {})[0];
  const focus = ({ name }: { name: string }) => name === firstInvalid;
  return (
    <form
      method="post"
      action={`/import/brought-forward/${formKey}`}
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
        <div className="pair">
          {METHODS.map((method) => {
            const name = methodName(method);
            const label = name ? `${methodLabel(method)}, ${name}` : methodLabel(method);
            const field = fields[method];
            return <NumberField key={method} field={field} label={label} placeholder="0.0" autoFocus={focus(field)} />;
          })}
        </div>
      </fieldset>
      <button type="submit" data-busy="Saving...">
        Save hours
      </button>
      <p>
        <a href="/import">Back to the import</a>
      </p>
    </form>
  );
}
