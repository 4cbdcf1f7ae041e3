import { type SubmissionResult, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { Field } from "#app/forms/field.tsx";
import { Alert } from "#app/ui/alert.tsx";
import type { User } from "./user.ts";

export type Reply = SubmissionResult<string[]> | null | undefined;

export interface AccountFormProps {
  user: User;
  /** Its id is `{form}-title`. */
  heading: ReactNode;
  reply?: Reply;
  /** Why the form as a whole was not accepted. */
  message?: string | null | undefined;
}

export function DetailsForm({ user: { email, name, employeeNumber }, heading, reply, message }: AccountFormProps) {
  const [form, fields] = useForm<{ name: string; employeeNumber: string }>({
    id: "details",
    lastResult: reply,
    defaultValue: { name: name ?? "", employeeNumber: employeeNumber ?? "" },
  });
  return (
    <form
      method="post"
      action="/account/details"
      id={form.id}
      className="form"
      aria-labelledby="details-title"
      noValidate
    >
      {heading}
      <div className="field">
        <b>Email</b>
        <p>{email}</p>
      </div>
      <Field
        field={fields.name}
        label="Full Name (Optional)"
        autoComplete="name"
        autoFocus={Boolean(fields.name.errors)}
      />
      <Field
        field={fields.employeeNumber}
        label="Employee Number (Optional)"
        autoComplete="off"
        autoFocus={Boolean(fields.employeeNumber.errors && !fields.name.errors)}
      />
      <p className="hint">
        Both appear on your exported form and on the page where a supervisor verifies your hours. A supervisor who has
        that page open sees the change before they can confirm.
      </p>
      <Alert message={message} />
      <button type="submit" data-busy="Saving...">
        Save Changes
      </button>
    </form>
  );
}
