import { useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { Field, PasswordField, type Reply } from "#app/forms/field.tsx";
import { Alert, LinkLine } from "#app/ui/page.tsx";
import { SignedInLayout } from "./layout.tsx";
import { namePath } from "./next-page.ts";
import type { User } from "./user.ts";

/* Shared parts of the account pages: the forms, each on /account and on a page of its own, and the downloads. */

const FORMS = {
  details: { Form: DetailsForm, title: "Your details" },
  password: { Form: PasswordForm, title: "Password" },
  email: { Form: EmailForm, title: "Email address" },
};

interface AccountFormProps {
  user: User;
  /** Its id is `{form}-title`. */
  heading: ReactNode;
  reply?: Reply;
  /** Why the form as a whole was not accepted. */
  message?: string | null | undefined;
}

/** Shows one of the forms on its own page, with its errors. */
export function AccountFormPage({ form, ...props }: Omit<AccountFormProps, "heading"> & { form: keyof typeof FORMS }) {
  const { Form, title } = FORMS[form];
  return (
    <SignedInLayout current="/account">
      <Form {...props} heading={<h1 id={`${form}-title`}>{title}</h1>} />
      <LinkLine href="/account">Back to the account</LinkLine>
    </SignedInLayout>
  );
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
      {/* Names the account that the password belongs to, for a password manager. */}
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
      <p className="hint">At least 8 characters. This signs you out everywhere else and cancels your API tokens.</p>
      <Alert message={message} />
      <button type="submit" data-busy="Changing...">
        Change Password
      </button>
    </form>
  );
}

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

const TABLES = [
  ["entries", "OJT hours"],
  ["rope_hours", "Rope hours"],
  ["training", "Training"],
  ["certificates", "Certificates and tests"],
] as const;

/** Downloads of all the user's own data, as items of a list. `lacksName`: the user must enter a name first. */
export function ExportLinks({ lacksName = false }: { lacksName?: boolean }) {
  return (
    <>
      {TABLES.map(([kind, label]) => (
        <li key={kind} className="row">
          <a className="second" href={lacksName ? namePath("/account") : `/api/export.xlsx?kind=${kind}`}>
            {`${label} (Excel)`}
          </a>
          <a href={lacksName ? namePath("/account") : `/api/export.csv?kind=${kind}`}>{`${label} (CSV)`}</a>
        </li>
      ))}
      <li>
        <a className="second" href="/api/export.json">
          Everything (JSON)
        </a>
      </li>
    </>
  );
}
