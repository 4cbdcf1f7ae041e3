import type { ReactNode } from "react";
import { browserName } from "#app/accounts/browser-name.ts";
import { eventText } from "#app/audit-log/event-text.tsx";
import type { ShownEvent } from "#app/audit-log/shown-event.ts";
import { type Kind, kindNamed, recordPath } from "#app/records/kinds.ts";
import { Fact, Instant, RecordFacts } from "#app/records/record-facts.tsx";
import { State, type StateName } from "#app/ui/state.tsx";
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
    <div className="split">
      <div className="results">
        <section aria-labelledby="record">
          <h1 id="record">{kind.texts.title}</h1>
          {verification ? (
            <p className="notice done">
              <State of="verified">
                Verified by <b dir="auto">{verification.by}</b> on <Instant at={verification.at} timeZone={timeZone} />.
              </State>
            </p>
          ) : (
            <p className="notice waiting">
              <State of={isOpen ? "requested" : "pending"}>
                Pending{isOpen ? ": a supervisor has been asked." : ": no supervisor has been asked."}
              </State>
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
    </div>
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
      <header className="head">
        <h2 id="history">{isVerified ? "How this was verified" : "History"}</h2>
        {log.length > 0 && <span className="hint">{log.length === 1 ? "1 event" : `${log.length} events`}</span>}
      </header>
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
        <ol className="trail">
          {log.map((event) => (
            <LogEvent key={event.number} shown={event} timeZone={timeZone} accountHref={accountHref} />
          ))}
        </ol>
      )}
      {intact && log.length > 0 && (
        <p className="hint">
          Each event contains the hash of the one before. All hashes are correct: nothing was changed, removed or added
          {log.some(({ erased }) => erased) && ", except that personal data was erased where it says so"}.
        </p>
      )}
    </section>
  );
}

/** The graduation of an event has the colour of the state that it leads to. */
const CLASSES: Partial<Record<ShownEvent["event"], StateName>> = {
  requested: "requested",
  opened: "requested",
  verified: "verified",
};

function LogEvent({
  shown,
  timeZone,
  accountHref,
}: { shown: ShownEvent } & Pick<RecordScreenProps, "timeZone" | "accountHref">) {
  const { event, at, address, browser, supervisor, accountId, erased, via, recordHash, factsHash, previous, hash } =
    shown;
  const from = [address, browserName(browser)].filter(Boolean).join(", ");
  return (
    <li className={CLASSES[event]}>
      <p className="hint">
        <Instant at={at} timeZone={timeZone} />
        {from && `, ${from}`}
      </p>
      <p>
        {event === "verified" ? <State of="verified">{eventText(shown)}</State> : eventText(shown)}
        {supervisor && ` (${supervisor.email}, ${supervisor.certificationLevel}, ${supervisor.company})`}
        {accountId !== null && (
          <>
            {" Signed in as "}
            {accountHref ? <a href={accountHref(accountId)}>account {accountId}</a> : `account ${accountId}`}
          </>
        )}
        {erased && " (personal data erased)"}
      </p>
      <details>
        <summary>{hash.slice(0, 12)}</summary>
        <dl className="facts">
          {browser && <Fact term="Browser">{browser}</Fact>}
          {via && <Fact term="Verified by">{via}</Fact>}
          <Fact term="This event">{hash}</Fact>
          <Fact term="Previous event">{previous}</Fact>
          <Fact term="Record">{recordHash}</Fact>
          {factsHash && <Fact term="Personal data">{factsHash}</Fact>}
        </dl>
      </details>
    </li>
  );
}
