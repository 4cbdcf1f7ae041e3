import { useForm } from "@conform-to/react";
import { PasswordField } from "#app/forms/field.tsx";
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
      <PasswordField
        field={currentPassword}
        label="Current Password"
        autoComplete="current-password"
        autoFocus={firstInvalid === "currentPassword"}
      />
      <PasswordField
        field={newPassword}
        label="New Password"
        autoComplete="new-password"
        autoFocus={firstInvalid === "newPassword"}
      />
      <PasswordField
        field={confirmPassword}
        label="Confirm Password"
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
