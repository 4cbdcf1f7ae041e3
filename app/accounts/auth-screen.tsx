import { useForm } from "@conform-to/react";
import { getZodConstraint } from "@conform-to/zod/v4";
import type { z } from "zod";
import { Field, PasswordField } from "#app/forms/field.tsx";
import type { FormAnswer } from "#app/forms/submitted-form.server.ts";
import type { Toast as ToastMessage } from "#app/server/flash.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Mark } from "#app/ui/icons.tsx";
import { Toast } from "#app/ui/toast.tsx";
import { AuthPicture } from "./auth-picture.tsx";
import { signInPath } from "./next-page.ts";
import { credentialsSchema, registrationSchema } from "./user.schema.ts";

const PASSWORD_HINT = "At least 8 characters.";

type Answer = FormAnswer | undefined;

interface AuthScreenProps {
  tab: "login" | "register";
  /** The page to open afterwards, unchecked. */
  next: string | null;
  answer: Answer;
}

/** The sign-in page (spec section 2): two tabs, which are links, and the product's benefits. */
export function AuthScreen({ tab, next, answer }: AuthScreenProps) {
  const login = signInPath(next);
  const register = `/auth?${new URLSearchParams({ tab: "register", ...(next !== null && { next }) })}`;
  return (
    <div className="auth">
      <main className="narrow">
        <Toast toast={failureToast(tab, answer)} isRepeated />
        <p className="brand">
          <Mark />
          Hours Tracker
        </p>
        <nav aria-label="Login or registration">
          <a href={login} aria-current={tab === "login" ? "page" : undefined}>
            Login
          </a>
          <a href={register} aria-current={tab === "register" ? "page" : undefined}>
            Register
          </a>
        </nav>
        {tab === "login" ? (
          <LoginForm action={login} answer={answer} />
        ) : (
          <RegisterForm action={register} answer={answer} />
        )}
      </main>
      <aside>
        <AuthPicture />
        <h2>Streamline Your OJT Progress Tracking</h2>
        <ul>
          <li>Track your training hours by NDT method, from ET to LSI.</li>
          <li>Request verification from your supervisor: one link, no account, thirty seconds.</li>
          <li>Export your verified hours as a signed PDF form.</li>
          <li>Monitor your progress toward certification requirements.</li>
        </ul>
      </aside>
    </div>
  );
}

interface FormProps {
  action: string;
  answer: Answer;
}

/** The toast of a failed attempt. The form's alert, which is announced, has the same text. */
function failureToast(tab: AuthScreenProps["tab"], answer: Answer): ToastMessage | null {
  if (!answer?.failure) return null;
  return { ...answer.failure, title: tab === "login" ? "Login failed" : "Registration failed" };
}

function LoginForm({ action, answer }: FormProps) {
  const [form, fields] = useForm<z.input<typeof credentialsSchema>>({
    id: "login",
    lastResult: answer?.reply,
    constraint: getZodConstraint(credentialsSchema),
  });
  return (
    <form method="post" action={action} id={form.id} noValidate>
      <h1>Login</h1>
      <Field field={fields.email} label="Email" type="email" autoComplete="username" inputMode="email" />
      <PasswordField field={fields.password} label="Password" autoComplete="current-password" />
      <Alert message={answer?.failure?.text} />
      <button type="submit" className="tall" data-busy="Logging in...">
        Log in
      </button>
      <p>
        <a href="/reset-password">Forgot password?</a>
      </p>
    </form>
  );
}

function RegisterForm({ action, answer }: FormProps) {
  const [form, fields] = useForm<z.input<typeof registrationSchema>>({
    id: "register",
    lastResult: answer?.reply,
    constraint: getZodConstraint(registrationSchema),
  });
  return (
    <form method="post" action={action} id={form.id} noValidate>
      <h1>Register</h1>
      <Field field={fields.email} label="Email" type="email" autoComplete="username" inputMode="email" />
      <PasswordField field={fields.password} label="Password" autoComplete="new-password" hint={PASSWORD_HINT} />
      <Field field={fields.name} label="Full Name (Optional)" autoComplete="name" />
      <Field field={fields.employeeNumber} label="Employee Number (Optional)" autoComplete="off" />
      <Alert message={answer?.failure?.text} />
      <button type="submit" className="tall" data-busy="Registering...">
        Register
      </button>
    </form>
  );
}
