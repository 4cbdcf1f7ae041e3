import { parse, type SubmissionResult, useForm } from "@conform-to/react";
import { checkFields } from "#app/forms/field-rules.ts";
import {
  type ChoiceDraft,
  firstDraft,
  type NamedSupervisor,
  SupervisorChoice,
  type SupervisorToAsk,
} from "#app/supervisors/supervisor-choice.tsx";
import type { SupervisorRules } from "#app/supervisors/supervisor-rules.server.ts";

export interface RequestFormProps {
  /** The URL of this copy of the form. */
  action: string;
  supervisors: SupervisorToAsk[];
  /** The supervisor to begin with. */
  named?: NamedSupervisor | null;
  rules: SupervisorRules;
  /** Whether a role is enough of a new supervisor. */
  isRoleEnough: boolean;
  /** The result of the last submission. */
  reply: SubmissionResult<string[]> | null;
}

/**
 * The form that asks a saved or a new supervisor to verify a record. The style sheet shows the new
 * supervisor's fields while that is chosen. Hydrated, the form is validated before it is sent.
 */
export default function RequestForm({ action, supervisors, named, rules, isRoleEnough, reply }: RequestFormProps) {
  const [form, fields] = useForm<ChoiceDraft>({
    id: "request",
    lastResult: reply,
    defaultValue: firstDraft(supervisors, named),
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parse(formData, { resolve: (payload) => check(payload, rules) }),
  });
  const firstInvalid = Object.keys(reply?.error ?? {})[0];
  return (
    <form method="post" action={action} id={form.id} onSubmit={form.onSubmit} noValidate>
      <SupervisorChoice
        supervisors={supervisors}
        fields={fields}
        firstInvalid={firstInvalid}
        isRoleEnough={isRoleEnough}
      />
      <button type="submit" data-busy="Sending...">
        Send Request
      </button>
      {supervisors.length > 0 && <a href="/supervisors">Manage supervisors</a>}
    </form>
  );
}

/** Conform's result: the value, or a message for each invalid field of a new supervisor. */
function check(payload: Record<string, unknown>, rules: SupervisorRules) {
  const value = payload as ChoiceDraft; // from our own fields
  const messages = value.supervisor === "new" ? checkFields<keyof SupervisorRules>(value, rules) : {};
  const error = Object.fromEntries(Object.entries(messages).map(([field, message]) => [field, [message]]));
  return Object.keys(error).length > 0 ? { error } : { value };
}
