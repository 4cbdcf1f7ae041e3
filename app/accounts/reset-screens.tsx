import { type SubmissionResult, useForm } from "@conform-to/react";
import { getZodConstraint } from "@conform-to/zod/v4";
import { Field, PasswordField } from "#app/forms/field.tsx";
import type { Toast } from "#app/server/flash.ts";
import { PublicLayout, State } from "#app/ui/page.tsx";
import { newPasswordSchema, resetRequestSchema } from "./user.schema.ts";

type Reply = SubmissionResult<string[]> | null | undefined;

interface ResetRequestScreenProps {
  /** The message after a request; null before. */
  done: string | null;
  reply: Reply;
  toast: Toast | null | undefined;
}

export function ResetRequestScreen({ done, reply, toast }: ResetRequestScreenProps) {
  const [form, fields] = useForm<{ email: string }>({
    id: "reset-request",
    lastResult: reply,
    constraint: getZodConstraint(resetRequestSchema),
  });
  return (
    <PublicLayout toast={toast}>
      <h1>Reset your password</h1>
      {done ? (
        <>
          <p className="notice done" role="status">
            <State of="done">{done}</State>
          </p>
          <p className="hint">
            The link works once, within one hour. If you cannot find the email, check your spam folder.
          </p>
        </>
      ) : (
        <form method="post" action="/reset-password" id={form.id} noValidate>
          <p>We will email you a link to choose a new password.</p>
          <Field
            field={fields.email}
            label="Email"
            type="email"
            autoComplete="username"
            inputMode="email"
            autoFocus={Boolean(fields.email.errors)}
          />
          <button type="submit" data-busy="Sending...">
            Send Reset Link
          </button>
        </form>
      )}
      <p>
        <a href="/auth">Back to login</a>
      </p>
    </PublicLayout>
  );
}

interface NewPasswordScreenProps {
  token: string;
  state: "open" | "ended" | "done";
  /** The message of a link that has ended, or after a reset. */
  message: { title: string; text: string } | null;
  reply: Reply;
  toast: Toast | null | undefined;
}

/** The page of a reset link: the form for a new password, or why there is none. */
export function NewPasswordScreen({ token, state, message, reply, toast }: NewPasswordScreenProps) {
  const [form, fields] = useForm<{ password: string; confirmPassword: string }>({
    id: "new-password",
    lastResult: reply,
    constraint: getZodConstraint(newPasswordSchema),
  });
  if (state !== "open") {
    return (
      <PublicLayout>
        <h1>{message?.title}</h1>
        <p role={state === "done" ? "status" : "alert"}>{message?.text}</p>
        <p>{state === "done" ? <a href="/auth">Log in</a> : <a href="/reset-password">Request a new link</a>}</p>
      </PublicLayout>
    );
  }
  const firstInvalid = [fields.password, fields.confirmPassword].find(({ errors }) => errors)?.name;
  return (
    <PublicLayout toast={toast}>
      <h1>Choose a new password</h1>
      <form method="post" action={`/reset-password/${token}`} id={form.id} noValidate>
        <PasswordField
          field={fields.password}
          label="New Password"
          autoComplete="new-password"
          autoFocus={firstInvalid === "password"}
        />
        <PasswordField
          field={fields.confirmPassword}
          label="Confirm Password"
          autoComplete="new-password"
          autoFocus={firstInvalid === "confirmPassword"}
        />
        <p className="hint">At least 8 characters. All devices will be signed out, and all API tokens end.</p>
        <button type="submit" data-busy="Resetting...">
          Reset Password
        </button>
      </form>
    </PublicLayout>
  );
}
