import { type SubmissionResult, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { Field } from "#app/forms/field.tsx";
import { Alert } from "#app/ui/page.tsx";
import { SignedInLayout } from "./layout.tsx";
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

interface NameScreenProps {
  /** The address of the form, which knows the page that follows. */
  action: string;
  reply?: Reply;
  message?: string | null | undefined;
}

/** Asks for a name before a request or an export, which show it. It can be skipped. */
export function NameScreen({ action, reply, message }: NameScreenProps) {
  const [form, fields] = useForm<{ name: string }>({ id: "name", lastResult: reply });
  return (
    <SignedInLayout current="/account">
      <form method="post" action={action} id={form.id} className="form" aria-labelledby="name-title" noValidate>
        <h1 id="name-title">Your name</h1>
        <p>
          Your supervisor sees who logged these hours, and so does anyone who checks your exported form. Without a name
          the page says “the technician”, and the form has an empty line.
        </p>
        <Field field={fields.name} label="Full Name" autoComplete="name" autoFocus />
        <Alert message={message} />
        <p className="row">
          <button type="submit" data-busy="Saving...">
            Save and go on
          </button>
          <button type="submit" name="skip" value="1" className="second">
            Skip
          </button>
        </p>
        <p className="hint">You can add it later under Account.</p>
      </form>
    </SignedInLayout>
  );
}
