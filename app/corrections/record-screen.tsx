import type { ReactNode } from "react";
import { browserName } from "#app/accounts/browser-name.ts";
import { eventText } from "#app/audit-log/event-text.tsx";
import type { ShownEvent } from "#app/audit-log/shown-event.ts";
import { type Kind, kindNamed, recordPath } from "#app/records/kinds.ts";
import { Fact, Instant, RecordFacts } from "#app/records/record-facts.tsx";
import { verificationOf } from "#app/verification/record.ts";
import type { History, LastRequest } from "./history.server.ts";

interface RecordScreenProps {
  id: number;
  history: History;
  timeZone: string;
  children?: ReactNode;
  /** Whether the viewer is the owner, who can ask and withdraw. */
  isOwn: boolean;
  /** The link to an account, for admins. Without it an account is shown as its number alone. */
  accountHref?: (accountId: number) => string;
}

/** A record's page: its values, its verification request and its audit log. */
export function RecordScreen({ id, history, timeZone, children, isOwn, accountHref }: RecordScreenProps) {
  const { record, request, isOpen } = history;
  const kind = kindNamed(record.kind);
  const verification = verificationOf(record.record);
  return (
    <>
      <div className="pair">
        <section aria-labelledby="record">
          <h1 id="record">{kind.texts.title}</h1>
          {verification ? (
            <p className="notice done">
              Verified by <b dir="auto">{verification.by}</b> on <Instant at={verification.at} timeZone={timeZone} />.
            </p>
          ) : (
            <p className="notice waiting">
              Pending{isOpen ? ": a supervisor has been asked." : ": no supervisor has been asked."}
            </p>
          )}
          <RecordFacts kind={kind} record={record.record} owner={record.user} />
          {children}
        </section>
        {(request?.at || (isOwn && !verification)) && (
          <section aria-labelledby="request">
            <h2 id="request">Request</h2>
            {request?.at && <RequestFacts at={request.at} supervisor={request.supervisor} timeZone={timeZone} />}
            {isOpen && request?.notice && <p className={`notice ${request.notice.tone}`}>{request.notice.text}</p>}
            {isOwn && !verification && <RequestActions kind={kind} id={id} isOpen={isOpen} />}
          </section>
        )}
      </div>
      <HistorySection history={history} timeZone={timeZone} accountHref={accountHref} />
    </>
  );
}

function RequestFacts({ at, supervisor, timeZone }: Pick<LastRequest, "supervisor"> & { at: Date; timeZone: string }) {
  return (
    <dl className="facts">
      {supervisor && (
        <>
          <Fact term="Supervisor">{supervisor.name}</Fact>
          <Fact term="Email">{supervisor.email}</Fact>
          <Fact term="Phone">{supervisor.phone}</Fact>
          <Fact term="Level">{supervisor.certificationLevel}</Fact>
          <Fact term="Company">{supervisor.company}</Fact>
        </>
      )}
      <Fact term="Requested on">
        <Instant at={at} timeZone={timeZone} />
      </Fact>
    </dl>
  );
}

function RequestActions({ kind, id, isOpen }: { kind: Kind; id: number; isOpen: boolean }) {
  return (
    <>
      <form action={kind.path} className="row">
        <button name="request" value={id} type="submit">
          {isOpen ? "Ask Again" : "Request Verification"}
        </button>
        {isOpen && <a href={`${kind.path}?request=${id}&link=1`}>Show the link</a>}
      </form>
      {isOpen && (
        <form method="post" action={`${recordPath(kind, id)}/withdraw`} className="row">
          <button type="submit" className="second">
            Withdraw request
          </button>
        </form>
      )}
      {isOpen && <p className="hint">Withdrawing ends the link. Asking again makes a new one.</p>}
    </>
  );
}

function HistorySection({
  history: { log, intact, record },
  timeZone,
  accountHref,
}: Pick<RecordScreenProps, "history" | "timeZone" | "accountHref">) {
  const isVerified = verificationOf(record.record) !== null;
  return (
    <section aria-labelledby="history">
      <h2 id="history">{isVerified ? "How this was verified" : "History"}</h2>
      {!intact && (
        <p className="alert">This record was altered: it no longer matches its audit log. Tell your administrator.</p>
      )}
      {log.length === 0 ? (
        intact && (
          <p className="empty">
            {isVerified
              ? "These hours were verified before the audit log existed."
              : "No events yet. The first one will be a verification request."}
          </p>
        )
      ) : (
        <table className="list">
          <thead>
            <tr>
              <th>When</th>
              <th>What</th>
              <th>From</th>
              <th>Hash</th>
            </tr>
          </thead>
          <tbody>
            {log.map((event) => (
              <LogRow key={event.number} shown={event} timeZone={timeZone} accountHref={accountHref} />
            ))}
          </tbody>
        </table>
      )}
      {intact && log.length > 0 && (
        <p className="hint">
          Each event contains the hash of the one before. All hashes are correct: nothing was changed, removed or added.
        </p>
      )}
    </section>
  );
}

function LogRow({
  shown,
  timeZone,
  accountHref,
}: { shown: ShownEvent } & Pick<RecordScreenProps, "timeZone" | "accountHref">) {
  const { event, at, address, browser, supervisor, accountId, recordHash, previous, hash } = shown;
  return (
    <tr className={event === "verified" ? "ok" : undefined}>
      <td>
        <Instant at={at} timeZone={timeZone} />
      </td>
      <td>
        <span className="state">{eventText(shown)}</span>
        {supervisor && `${supervisor.email}, ${supervisor.certificationLevel}, ${supervisor.company}`}
        {accountId !== null && (
          <>
            {" Signed in as "}
            {accountHref ? <a href={accountHref(accountId)}>account {accountId}</a> : `account ${accountId}`}
          </>
        )}
      </td>
      <td>{[address, browserName(browser)].filter(Boolean).join(", ")}</td>
      <td className="full">
        <details>
          <summary>{hash.slice(0, 12)}</summary>
          <dl className="facts">
            {browser && <Fact term="Browser">{browser}</Fact>}
            <Fact term="This event">{hash}</Fact>
            <Fact term="Previous event">{previous}</Fact>
            <Fact term="Record">{recordHash}</Fact>
          </dl>
        </details>
      </td>
    </tr>
  );
}
