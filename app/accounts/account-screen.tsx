import type { ReactNode } from "react";
import type { OwnToken } from "./api-tokens.server.ts";
import { type AccountFormProps, DetailsForm } from "./details-form.tsx";
import { ConfirmNotice } from "./email-change-screens.tsx";
import { EmailForm } from "./email-form.tsx";
import { ExportLinks } from "./export-links.tsx";
import { SignedInLayout } from "./layout.tsx";
import type { OwnSession } from "./own-sessions.server.ts";
import { PasswordForm } from "./password-form.tsx";
import { SessionList } from "./session-list.tsx";
import { TokenList } from "./token-list.tsx";
import type { User } from "./user.ts";

interface AccountScreenProps {
  user: User;
  sessions: OwnSession[];
  tokens: OwnToken[];
  timeZone: string;
  /** Whether they are asked for their name before an export. */
  lacksName: boolean;
  /** Whether their address is not confirmed. */
  asksToConfirm: boolean;
  /** The list of exports, from a module above this one. */
  exports: ReactNode;
}

export function AccountScreen(props: AccountScreenProps) {
  const { user, sessions, tokens, timeZone, lacksName, asksToConfirm, exports } = props;
  return (
    <SignedInLayout current="/account">
      <h1>Account</h1>
      {asksToConfirm && <ConfirmNotice email={user.email} />}
      <div className="pair">
        <DetailsForm user={user} heading={<h2 id="details-title">Your details</h2>} />
        <PasswordForm user={user} heading={<h2 id="password-title">Password</h2>} />
        <EmailForm user={user} heading={<h2 id="email-title">Email address</h2>} />
      </div>
      <section aria-labelledby="sessions-title">
        <h2 id="sessions-title">Where you are signed in</h2>
        <SessionList sessions={sessions} timeZone={timeZone} />
      </section>
      <section aria-labelledby="tokens-title">
        <h2 id="tokens-title">API tokens</h2>
        <TokenList tokens={tokens} timeZone={timeZone} />
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
