import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { requireUser } from "#app/accounts/access.server.ts";
import accountStyles from "#app/accounts/account.css?inline";
import { DetailsForm, EmailForm, ExportLinks, PasswordForm } from "#app/accounts/account-parts.tsx";
import { listTokens, type OwnToken } from "#app/accounts/api-tokens.server.ts";
import { lacksName, renewalEmailsOf } from "#app/accounts/details.server.ts";
import { asksToConfirm } from "#app/accounts/email-confirmation.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { listSessions, type OwnSession } from "#app/accounts/own-sessions.server.ts";
import { ACCESS_LABELS } from "#app/accounts/token-parts.tsx";
import { addDays, formatDate, formatInstant } from "#app/calendar-date.ts";
import { FORMS } from "#app/pdf/forms.ts";
import { exportTitle, type ListedExport, listExports, listedExport } from "#app/proof/own-exports.server.ts";
import { Instant } from "#app/records/record-facts.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { counted } from "#app/ui/counted.ts";

export const handle = { script: true, css: styles + signedInStyles + accountStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Account · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const { user, sessions, tokens, exports, renewal } = await requireUser(context, (owner, db) => ({
    sessions: listSessions(context, owner, db),
    tokens: listTokens(db, owner),
    exports: listExports(db, owner),
    renewal: renewalEmailsOf(db, owner),
  }));
  return {
    user,
    sessions,
    tokens,
    timeZone: context.timeZone,
    today: context.now.toISOString().slice(0, 10),
    asksToConfirm: asksToConfirm(context, user),
    // Whether they are emailed before a certificate expires.
    renewalEmails: renewal[0]?.renewalEmails ?? true,
    lacksName: await lacksName(context, request, user),
    exports: exports.map((row) => listedExport(context, row)),
  };
});

export default function Account() {
  const { user, sessions, tokens, timeZone, today, renewalEmails, lacksName, asksToConfirm, exports } =
    useLoaderData<typeof loader>();
  return (
    <SignedInLayout current="/account" says="top">
      <h1>Account</h1>
      {asksToConfirm && <ConfirmNotice email={user.email} />}
      <div className="folds">
        <Fold title="Your details" line={[user.name ?? "no name", user.employeeNumber].filter(Boolean).join(", ")}>
          <DetailsForm user={user} heading={<Unseen id="details-title">Your details</Unseen>} />
        </Fold>
        <Fold title="Email address" line={user.email}>
          <EmailForm user={user} heading={<Unseen id="email-title">Email address</Unseen>} />
        </Fold>
        <Fold title="Password">
          <PasswordForm user={user} heading={<Unseen id="password-title">Password</Unseen>} />
        </Fold>
        <Fold title="Emails before a certificate expires" line={renewalEmails ? "on" : "off"}>
          <div id="renewal">
            <RenewalForm isOn={renewalEmails} />
          </div>
        </Fold>
        <Fold title="Supervisors">
          <p className="row">
            <a className="second" href="/supervisors">
              Manage supervisors
            </a>
          </p>
        </Fold>
        <Fold title="Your data" line="import, export">
          <p>Bring hours in from a spreadsheet or another app, or take everything out.</p>
          <ul className="choices">
            <li>
              <a className="second" href="/import">
                Import hours
              </a>
            </li>
            <ExportLinks lacksName={lacksName} />
          </ul>
        </Fold>
        <Fold title="Exports" line={exports.length > 0 ? String(exports.length) : "none yet"}>
          <ExportList exports={exports} timeZone={timeZone} />
        </Fold>
        <Fold title="Where you are signed in" line={counted(sessions.length, "place")}>
          <SessionList sessions={sessions} timeZone={timeZone} />
        </Fold>
        <Fold
          title="API tokens"
          line={tokens.length > 0 ? String(tokens.length) : "none"}
          isOpen={tokens.some(({ expiresOn }) => isEnding(expiresOn, today))}
        >
          <TokenList tokens={tokens} timeZone={timeZone} today={today} />
        </Fold>
        <Fold title="Delete account" isHarm>
          <p>This also deletes your records and supervisors. You see how many before you confirm.</p>
          <form action="/account/delete" className="row">
            <button type="submit" className="second">
              Delete account
            </button>
          </form>
        </Fold>
      </div>
    </SignedInLayout>
  );
}

interface FoldProps {
  title: string;
  /** The present value, beside the title. */
  line?: string;
  /** Whether something in it wants to be read. */
  isOpen?: boolean;
  isHarm?: boolean;
  children: ReactNode;
}

/** A section in one line, which opens without script. */
function Fold({ title, line, isOpen = false, isHarm = false, children }: FoldProps) {
  return (
    <details open={isOpen || undefined} className={isHarm ? "harm" : undefined}>
      <summary>
        <h2>{title}</h2>
        {line && (
          <span className="hint" dir="auto">
            {line}
          </span>
        )}
      </summary>
      <div className="folded">{children}</div>
    </details>
  );
}

/** The name of a form for screen readers, whose section shows it. */
function Unseen({ id, children }: { id: string; children: string }) {
  return (
    <b id={id} className="unseen">
      {children}
    </b>
  );
}

/** Shows the notice to a user whose address is not confirmed, with the two ways on. Its form works without script. */
function ConfirmNotice({ email }: { email: string }) {
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

/** The switch of the emails before a certificate expires. */
function RenewalForm({ isOn }: { isOn: boolean }) {
  return (
    <form method="post" action="/account/details" className="row">
      <p>
        {isOn
          ? "You get an email 90, 30 and 7 days before a certificate or a test expires: one email for everything that is due on a day."
          : "You get no email before a certificate or a test expires. Certificates and tests lists what expires soon."}
      </p>
      <button type="submit" name="renewalEmails" value={isOn ? "off" : "on"} className="second" data-busy="Saving...">
        {isOn ? "Switch off" : "Switch on"}
      </button>
    </form>
  );
}

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

/** How many days before its end a token is said to end soon. */
const SOON_DAYS = 14;

/** Whether a token has ended, or ends soon. */
function isEnding(expiresOn: string, today: string): boolean {
  return expiresOn <= addDays(today, SOON_DAYS);
}

interface TokenListProps {
  tokens: OwnToken[];
  timeZone: string;
  /** The day in UTC, by which tokens end. */
  today: string;
}

/** The user's API tokens, with a warning about those that end, and the way to make one. */
function TokenList({ tokens, timeZone, today }: TokenListProps) {
  const ended = tokens.filter(({ expiresOn }) => expiresOn < today);
  const ending = tokens.filter(({ expiresOn }) => expiresOn >= today && isEnding(expiresOn, today));
  return (
    <>
      {ended.length + ending.length > 0 && (
        <p className="alert">
          {ended.length > 0 && `Ended: ${namesOf(ended)}. `}
          {ending.length > 0 && `Soon to end: ${namesOf(ending)}. `}
          Make another token for the program that uses it.
        </p>
      )}
      <p>
        A token lets your program use the API in your name (<a href="/api/openapi.json">its calls</a>). It cannot change
        your account or your password.
      </p>
      {tokens.length > 0 && (
        <form method="post" action="/account/end-token" className="results">
          <table className="list">
            <thead>
              <tr>
                <th>Name</th>
                <th>Access</th>
                <th>When</th>
                <th>Actions</th>
              </tr>
            </thead>
            <tbody>
              {tokens.map(({ id, name, access, createdAt, lastUsedAt, expiresOn }) => (
                <tr key={id}>
                  <td>
                    <b>{name}</b>
                  </td>
                  <td>{ACCESS_LABELS[access]}</td>
                  <td>
                    Made <Instant at={createdAt} timeZone={timeZone} />,{" "}
                    {lastUsedAt ? (
                      <>
                        last used <Instant at={lastUsedAt} timeZone={timeZone} />
                      </>
                    ) : (
                      "not used yet"
                    )}
                    , {expiresOn < today ? "ended" : "works until"}{" "}
                    <time dateTime={expiresOn}>{formatDate(expiresOn)}</time>
                  </td>
                  <td className="full">
                    <button type="submit" name="token" value={id} className="second" aria-label={`End token ${name}`}>
                      End token
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </form>
      )}
      <form action="/account/tokens" className="row">
        <button type="submit" className="second">
          Make a token
        </button>
      </form>
    </>
  );
}

function namesOf(tokens: OwnToken[]): string {
  return tokens.map(({ name }) => name).join(", ");
}

/** The technician's exports as a table; on narrow screens the style sheet shows the rows as cards. */
function ExportList({ exports, timeZone }: { exports: ListedExport[]; timeZone: string }) {
  if (exports.length === 0) {
    return (
      <p>
        Each form of verified hours that you export is listed here, with how often its code was checked. You export a
        form from your <a href="/profile">OJT Hours</a>.
      </p>
    );
  }
  return (
    <table className="list">
      <thead>
        <tr>
          <th>Form</th>
          <th>Made</th>
          <th>Checked</th>
          <th>Actions</th>
        </tr>
      </thead>
      <tbody>
        {exports.map((listed) => (
          <ExportRow key={listed.id} listed={listed} timeZone={timeZone} />
        ))}
      </tbody>
    </table>
  );
}

function ExportRow({ listed, timeZone }: { listed: ListedExport; timeZone: string }) {
  const { id, form, part, code, madeAt, checks, checkedAt, closedAt } = listed;
  return (
    <tr>
      <td>
        {code ? <a href={`${FORMS[form].log}/print/${id}`}>{exportTitle(listed)}</a> : exportTitle(listed)}
        {part && <p>{part}</p>}
        {code && <p className="hint">{code}</p>}
      </td>
      <td>
        Made <Instant at={madeAt} timeZone={timeZone} />
      </td>
      <td>
        {countChecks(checks)}
        {checkedAt && (
          <>
            {", last "}
            <Instant at={checkedAt} timeZone={timeZone} />
          </>
        )}
      </td>
      <td className="full">
        {closedAt ? (
          <>
            Closed <Instant at={closedAt} timeZone={timeZone} />
          </>
        ) : (
          <form action={`/account/exports/${id}`}>
            <button
              type="submit"
              className="second"
              aria-label={`Close the export of ${formatInstant(timeZone, madeAt)}`}
            >
              Close
            </button>
          </form>
        )}
      </td>
    </tr>
  );
}

function countChecks(checks: number): string {
  if (checks === 0) return "Not checked yet";
  return checks === 1 ? "Checked once" : `Checked ${checks.toLocaleString("en")} times`;
}
