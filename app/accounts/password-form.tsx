import { useForm } from "@conform-to/react";
import { Field } from "#app/forms/field.tsx";
import { Alert } from "#app/ui/alert.tsx";
import type { AccountFormProps } from "./details-form.tsx";

export function PasswordForm({ user, heading, reply, message }: AccountFormProps) {
  const [form, fields] = useForm<{ currentPassword: string; newPassword: string; confirmPassword: string }>({
    id: "password",
    lastResult: reply,
  });
  const { currentPassword, newPassword, confirmPassword } = fields;
  const firstInvalid = [currentPassword, newPassword, confirmPassword].find(({ errors }) => errors)?.name;
  return (
    <form
      method="post"
      action="/account/password"
      id={form.id}
      className="form"
      aria-labelledby="password-title"
      noValidate
    >
      {heading}
      {/* Tells a password manager which account the password belongs to. */}
      <input type="hidden" name="email" autoComplete="username" value={user.email} />
      <Field
        field={currentPassword}
        label="Current Password"
        type="password"
        autoComplete="current-password"
        autoFocus={firstInvalid === "currentPassword"}
      />
      <Field
        field={newPassword}
        label="New Password"
        type="password"
        autoComplete="new-password"
        autoFocus={firstInvalid === "newPassword"}
      />
      <Field
        field={confirmPassword}
        label="Confirm Password"
        type="password"
        autoComplete="new-password"
        autoFocus={firstInvalid === "confirmPassword"}
      />
      <p className="hint">At least 8 characters. Every other device will be signed out, and all API tokens end.</p>
      <Alert message={message} />
      <button type="submit" data-busy="Changing...">
        Change Password
      </button>
    </form>
  );
}
