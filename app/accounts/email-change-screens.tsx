import { PublicLayout } from "#app/ui/page.tsx";
import { State } from "#app/ui/state.tsx";
import { SignedInLayout } from "./layout.tsx";

interface EmailSentScreenProps {
  text: string;
  /** Whether a link was sent: not if email is not configured. */
  isMailed: boolean;
  newEmail: string;
}

/** The page after a request: the same for every address. */
export function EmailSentScreen({ text, isMailed, newEmail }: EmailSentScreenProps) {
  return (
    <SignedInLayout current="/account">
      <h1>Email address</h1>
      {isMailed ? (
        <>
          <p className="notice done" role="status">
            <State of="done">{text}</State>
          </p>
          <p>
            New address: <b>{newEmail}</b>
          </p>
          <p className="hint">
            Until then your address stays the same. If you cannot find the email, check your spam folder, and check that
            the address is right.
          </p>
        </>
      ) : (
        <p className="notice waiting" role="alert">
          {text}
        </p>
      )}
      <p>
        <a href="/account">Back to the account</a>
      </p>
    </SignedInLayout>
  );
}

interface ConfirmEmailScreenProps {
  token: string;
  /** The new address of an open link; null for any other. */
  newEmail: string | null;
  /** The address after the change. */
  changedTo: string | null;
  /** Why the link does not work. */
  refusal: string;
}

/** The page of a link: it asks before it changes the address, because mail scanners open links. */
export function ConfirmEmailScreen({ token, newEmail, changedTo, refusal }: ConfirmEmailScreenProps) {
  if (changedTo) {
    return (
      <PublicLayout>
        <h1>Email address changed</h1>
        <p role="status">
          From now on, log in with <b>{changedTo}</b>.
        </p>
        <p>Devices that are signed in stay signed in. You can sign them out on your account page.</p>
        <p>
          <a href="/account">Go to your account</a>
        </p>
      </PublicLayout>
    );
  }
  if (newEmail === null) {
    return (
      <PublicLayout>
        <h1>Your email address was not changed</h1>
        <p role="alert">{refusal}</p>
        <p>
          <a href="/account">Go to your account</a>
        </p>
      </PublicLayout>
    );
  }
  return (
    <PublicLayout>
      <h1>Change your email address?</h1>
      <form method="post" action={`/account/email/${token}`}>
        <p>
          Your Hours Tracker account gets the address <b>{newEmail}</b>. You log in with it, and it gets all emails
          about your account.
        </p>
        <p className="hint">If you did not ask for this, close this page: nothing changes.</p>
        <button type="submit" data-busy="Changing...">
          Change Email Address
        </button>
      </form>
    </PublicLayout>
  );
}
