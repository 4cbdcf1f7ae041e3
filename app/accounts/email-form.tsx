import { useForm } from "@conform-to/react";
import { Field, PasswordField } from "#app/forms/field.tsx";
import { Alert } from "#app/ui/alert.tsx";
import type { AccountFormProps } from "./details-form.tsx";

export function EmailForm({ user, heading, reply, message }: AccountFormProps) {
  const [form, { email, password }] = useForm<{ email: string; password: string }>({
    id: "email-change",
    lastResult: reply,
  });
  return (
    <form method="post" action="/account/email" id={form.id} className="form" aria-labelledby="email-title" noValidate>
      {heading}
      <p>
        Your address is <b>{user.email}</b>. We send a link to the new one
        {user.emailConfirmedAt && ", and tell the old one"}. Your address changes when you open the link and confirm.
      </p>
      <Field
        field={email}
        label="New Email"
        type="email"
        autoComplete="off"
        inputMode="email"
        autoFocus={Boolean(email.errors)}
      />
      <PasswordField
        field={password}
        label="Your Password"
        autoComplete="current-password"
        autoFocus={Boolean(password.errors && !email.errors)}
      />
      <Alert message={message} />
      <button type="submit" data-busy="Sending...">
        Send Link
      </button>
    </form>
  );
}
