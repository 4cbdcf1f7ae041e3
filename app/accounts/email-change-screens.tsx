import { PublicLayout, State } from "#app/ui/page.tsx";
import type { EmailLink } from "./confirm-email.server.ts";
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

interface EmailLinkScreenProps {
  token: string;
  /** What an open link does; null for any other. */
  link: EmailLink | null;
  /** What it has done. */
  done: EmailLink | null;
  /** Why the link does not work. */
  refusal: string;
}

/** The page of a mailed link: it asks before it changes or confirms the address, because mail scanners open links. */
export function EmailLinkScreen({ token, link, done, refusal }: EmailLinkScreenProps) {
  if (done) return <DoneScreen {...done} />;
  if (!link) {
    return (
      <PublicLayout>
        <h1>This link does not work</h1>
        <p role="alert">{refusal}</p>
        <ToAccount />
      </PublicLayout>
    );
  }
  const { purpose, email, withheld } = link;
  const requests = withheld === 1 ? "1 request" : `${withheld} requests`;
  return (
    <PublicLayout>
      <h1>{purpose === "change" ? "Change your email address?" : "Confirm your email address?"}</h1>
      <form method="post" action={`/account/email/${token}`}>
        {purpose === "change" ? (
          <p>
            Your Hours Tracker account gets the address <b>{email}</b>. You log in with it, and it gets all emails about
            your account.
          </p>
        ) : (
          <p>
            An Hours Tracker account was registered with the address <b>{email}</b>. If it is yours, confirm it: it then
            gets all emails about your account.
          </p>
        )}
        {withheld > 0 && <p>{`${requests} to supervisors will be emailed then.`}</p>}
        <p className="hint">If you did not ask for this, close this page: nothing changes.</p>
        {purpose === "change" ? (
          <button type="submit" data-busy="Changing...">
            Change Email Address
          </button>
        ) : (
          <button type="submit" data-busy="Confirming...">
            {withheld > 0 ? `Confirm and send ${requests}` : "Confirm Email Address"}
          </button>
        )}
      </form>
    </PublicLayout>
  );
}

function DoneScreen({ purpose, email, withheld }: EmailLink) {
  return (
    <PublicLayout>
      <h1>{purpose === "change" ? "Email address changed" : "Email address confirmed"}</h1>
      {purpose === "change" ? (
        <>
          <p role="status">
            From now on, log in with <b>{email}</b>.
          </p>
          <p>Devices that are signed in stay signed in. You can sign them out on your account page.</p>
        </>
      ) : (
        <p role="status">
          <b>{email}</b> is confirmed. It gets the emails about your account.
        </p>
      )}
      {withheld > 0 && (
        <p>
          {withheld === 1
            ? "The request that waited is being emailed."
            : `The ${withheld} requests that waited are being emailed.`}
        </p>
      )}
      <ToAccount />
    </PublicLayout>
  );
}

function ToAccount() {
  return (
    <p>
      <a href="/account">Go to your account</a>
    </p>
  );
}

/** What a user reads whose address is not confirmed, with the two ways on. Its form works without script. */
export function ConfirmNotice({ email }: { email: string }) {
  return (
    <form method="post" action="/account/email/resend" className="notice waiting" aria-label="Confirm your address">
      <p>
        <b>{email}</b> is not confirmed. Open the link in our email, or send it again if you have none. Until then
        requests go to three supervisors at most by email, and you get no emails about your hours.
      </p>
      <p className="row">
        <button type="submit" className="second" data-busy="Sending...">
          Send the link again
        </button>
        <a href="/account/email">Change the address</a>
      </p>
    </form>
  );
}
