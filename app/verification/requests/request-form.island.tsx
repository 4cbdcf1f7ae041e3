import { parse, type SubmissionResult, useForm } from "@conform-to/react";
import { asText } from "#app/forms/field.tsx";
import { checkFields } from "#app/forms/field-rules.ts";
import { type SupervisorDraft, SupervisorFields } from "#app/supervisors/supervisor-fields.tsx";
import type { SupervisorRules } from "#app/supervisors/supervisor-rules.server.ts";
import type { Supervisor } from "#app/supervisors/supervisors.server.ts";

export interface RequestFormProps {
  /** The URL of this copy of the form. */
  action: string;
  supervisors: Supervisor[];
  rules: SupervisorRules;
  /** The result of the last submission. */
  reply: SubmissionResult<string[]> | null;
}

type FormValue = SupervisorDraft & {
  /** The id of a saved supervisor, or `new`. */
  supervisor: string;
};

/**
 * The form that asks a saved or a new supervisor to verify a record (product, "Screens"). The style sheet shows the new
 * supervisor's fields while that is chosen. Hydrated, the form is validated before it is sent.
 */
export default function RequestForm({ action, supervisors, rules, reply }: RequestFormProps) {
  const [form, fields] = useForm<FormValue>({
    id: "request",
    lastResult: reply,
    defaultValue: { supervisor: String(supervisors[0]?.id ?? "new") },
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parse(formData, { resolve: (payload) => check(payload, rules) }),
  });
  const chosen = asText(fields.supervisor.initialValue);
  const firstInvalid = Object.keys(reply?.error ?? {})[0];
  return (
    <form method="post" action={action} id={form.id} onSubmit={form.onSubmit} noValidate>
      <fieldset aria-describedby={fields.supervisor.errors && fields.supervisor.errorId}>
        <legend>Supervisor</legend>
        <div className="choices">
          {supervisors.map(({ id, name, company, email }) => (
            <label key={id} className="choice">
              <input type="radio" name={fields.supervisor.name} value={id} defaultChecked={chosen === String(id)} />
              <span>
                <b>{name}</b> <span className="hint">{`${company}, ${email}`}</span>
              </span>
            </label>
          ))}
          <label className="choice">
            <input type="radio" name={fields.supervisor.name} value="new" defaultChecked={chosen === "new"} />
            <span>New supervisor</span>
          </label>
        </div>
        {fields.supervisor.errors && (
          <p className="wrong" id={fields.supervisor.errorId}>
            {fields.supervisor.errors[0]}
          </p>
        )}
        <div className="new-supervisor">
          <SupervisorFields fields={fields} firstInvalid={firstInvalid} />
        </div>
      </fieldset>
      <button type="submit" data-busy="Sending...">
        Send Request
      </button>
      {supervisors.length > 0 && <a href="/supervisors">Manage supervisors</a>}
    </form>
  );
}

/** Conform's result: the value, or a message for each invalid field of a new supervisor. */
function check(payload: Record<string, unknown>, rules: SupervisorRules) {
  const value = payload as FormValue; // from our own fields
  const messages = value.supervisor === "new" ? checkFields<keyof SupervisorRules>(value, rules) : {};
  const error = Object.fromEntries(Object.entries(messages).map(([field, message]) => [field, [message]]));
  return Object.keys(error).length > 0 ? { error } : { value };
}
