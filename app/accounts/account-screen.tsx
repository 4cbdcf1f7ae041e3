import { useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { namePath } from "#app/accounts/next-page.ts";
import { formatInstant } from "#app/calendar-date.ts";
import { Field, PasswordField } from "#app/forms/field.tsx";
import { Alert } from "#app/ui/page.tsx";
import type { OwnToken } from "./api-tokens.server.ts";
import { type AccountFormProps, DetailsForm } from "./details-form.tsx";
import { ConfirmNotice } from "./email-change-screens.tsx";
import { SignedInLayout } from "./layout.tsx";
import type { OwnSession } from "./own-sessions.server.ts";
import { TokenList } from "./token-list.tsx";
import type { User } from "./user.ts";

/** Downloads of everything that is the user's own, as items of a list. `lacksName`: the user is asked for a name first. */
export function ExportLinks({ lacksName = false }: { lacksName?: boolean }) {
  return (
    <>
      {DOWNLOADS.map(([href, label]) => (
        <li key={href}>
          <a className="second" href={lacksName && href.includes(".csv") ? namePath("/account") : href}>
            {label}
          </a>
        </li>
      ))}
    </>
  );
}

const DOWNLOADS = [
  ["/api/export.csv?kind=entries", "OJT hours (CSV)"],
  ["/api/export.csv?kind=rope_hours", "Rope hours (CSV)"],
  ["/api/export.csv?kind=training", "Training (CSV)"],
  ["/api/export.csv?kind=certificates", "Certificates and tests (CSV)"],
  ["/api/export.json", "Everything (JSON)"],
] as const;

/** The user's sessions as a table; on narrow screens the style sheet shows the rows as cards. */
function SessionList({ sessions, timeZone }: { sessions: OwnSession[]; timeZone: string }) {
  return (
    <form method="post" action="/account/sessions" className="results">
      <table className="list">
        <thead>
          <tr>
            <th>Browser</th>
            <th>Place</th>
            <th>When</th>
            <th>Actions</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map(({ reference, isCurrent, createdAt, address, place, browser }) => (
            <tr key={reference}>
              <td>
                <b>{browser ?? "Unknown browser"}</b>
              </td>
              <td>{[place, address].filter(Boolean).join(", ") || "Unknown place"}</td>
              <td>
                Signed in <time dateTime={createdAt.toISOString()}>{formatInstant(timeZone, createdAt)}</time>
              </td>
              <td className="full">
                {isCurrent ? (
                  <b>This device</b>
                ) : (
                  <button
                    type="submit"
                    name="session"
                    value={reference}
                    className="second"
                    aria-label={formatLabel(browser, address)}
                  >
                    End session
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sessions.length > 1 && (
        <p>
          <button type="submit" name="session" value="others" className="second">
            End all other sessions
          </button>
        </p>
      )}
    </form>
  );
}

function formatLabel(browser: string | null, address: string | null): string {
  return ["End session", browser ?? "Unknown browser", address].filter(Boolean).join(", ");
}

function PasswordForm({ user, heading, reply, message }: AccountFormProps) {
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

function EmailForm({ user, heading, reply, message }: AccountFormProps) {
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

/** The switch of the emails before a certificate ends. */
function RenewalForm({ isOn }: { isOn: boolean }) {
  return (
    <form method="post" action="/account/details" className="row">
      <p>
        {isOn
          ? "You get an email 90, 30 and 7 days before a certificate or a test ends: one email for everything that is due on a day."
          : "You get no email before a certificate or a test ends. Certificates and tests lists what ends soon."}
      </p>
      <button type="submit" name="renewalEmails" value={isOn ? "off" : "on"} className="second" data-busy="Saving...">
        {isOn ? "Switch off" : "Switch on"}
      </button>
    </form>
  );
}

interface AccountScreenProps {
  user: User;
  sessions: OwnSession[];
  tokens: OwnToken[];
  timeZone: string;
  /** The day in UTC. */
  today: string;
  /** Whether they are emailed before a certificate ends. */
  renewalEmails: boolean;
  /** Whether they are asked for their name before an export. */
  lacksName: boolean;
  /** Whether their address is not confirmed. */
  asksToConfirm: boolean;
  /** The list of exports, from a module above this one. */
  exports: ReactNode;
}

export function AccountScreen(props: AccountScreenProps) {
  const { user, sessions, tokens, timeZone, today, renewalEmails, lacksName, asksToConfirm, exports } = props;
  return (
    <SignedInLayout current="/account">
      <h1>Account</h1>
      {asksToConfirm && <ConfirmNotice email={user.email} />}
      <div className="pair">
        <DetailsForm user={user} heading={<h2 id="details-title">Your details</h2>} />
        <PasswordForm user={user} heading={<h2 id="password-title">Password</h2>} />
        <EmailForm user={user} heading={<h2 id="email-title">Email address</h2>} />
      </div>
      <section aria-labelledby="renewal">
        <h2 id="renewal">Emails before a certificate ends</h2>
        <RenewalForm isOn={renewalEmails} />
      </section>
      <section aria-labelledby="sessions-title">
        <h2 id="sessions-title">Where you are signed in</h2>
        <SessionList sessions={sessions} timeZone={timeZone} />
      </section>
      <section aria-labelledby="tokens-title">
        <h2 id="tokens-title">API tokens</h2>
        <TokenList tokens={tokens} timeZone={timeZone} today={today} />
      </section>
      <section aria-labelledby="exports-title">
        <h2 id="exports-title">Exports</h2>
        {exports}
      </section>
      <section aria-labelledby="supervisors-title">
        <h2 id="supervisors-title">Supervisors</h2>
        <p className="row">
          <a className="second" href="/supervisors">
            Manage supervisors
          </a>
        </p>
      </section>
      <section aria-labelledby="data-title">
        <h2 id="data-title">Your data</h2>
        <p>Bring hours in from a spreadsheet or another app, or take everything out.</p>
        <ul className="choices">
          <li>
            <a className="second" href="/import">
              Import hours
            </a>
          </li>
          <ExportLinks lacksName={lacksName} />
        </ul>
      </section>
      <section aria-labelledby="delete-title">
        <h2 id="delete-title">Delete account</h2>
        <p>This also deletes your records and supervisors. You see how many before you confirm.</p>
        <form action="/account/delete" className="row">
          <button type="submit" className="second">
            Delete account
          </button>
        </form>
      </section>
    </SignedInLayout>
  );
}

const FORMS = {
  details: { Form: DetailsForm, title: "Your details" },
  password: { Form: PasswordForm, title: "Password" },
  email: { Form: EmailForm, title: "Email address" },
};

interface AccountFormPageProps extends Omit<AccountFormProps, "heading"> {
  form: keyof typeof FORMS;
}

/** One of the forms on its own page, with its errors. */
export function AccountFormPage({ form, ...props }: AccountFormPageProps) {
  const { Form, title } = FORMS[form];
  return (
    <SignedInLayout current="/account">
      <Form {...props} heading={<h1 id={`${form}-title`}>{title}</h1>} />
      <p>
        <a href="/account">Back to the account</a>
      </p>
    </SignedInLayout>
  );
}
